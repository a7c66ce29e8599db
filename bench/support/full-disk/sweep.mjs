import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Postledger } from '../postledger.mjs';
import { SeededRandom } from '../seeded-random.mjs';
import { dumpTables, withWarehouse } from '../warehouse-file.mjs';
import { SmallDisk } from './small-disk.mjs';
import { key, storeReading, startService, writeFolder } from './workspace.mjs';

const page = 4_096;
const longAgoMs = 40 * 86_400_000;
/** Parts of what a command needs at most, tried first; further ones are drawn. */
const firstParts = [0.3, 0, 0.5, 0.0005, 0.85];

/**
 * Each command that writes: its arguments, whether it changes the warehouse, whether it does nothing when it
 * fails, and what it has to bring in the end. `tables`: every table of the
 * warehouse; `posts`: their figures, as a run has times of its own; otherwise the files below a folder.
 */
const commands = {
  load: {
    args: ['load'],
    changes: true,
    brings: ['tables', 'data/raw'],
  },
  run: { args: ['run'], changes: true, brings: ['posts'] },
  report: {
    args: ['report', 'run', 'emv', 'growth', '--format', 'csv,json,md,xlsx', '--out', 'data/made'],
    brings: ['tables'],
    made: 'data/made',
  },
  csv: {
    args: ['sql', 'from linkedin_posts order by all', '--format', 'csv', '--out', 'data/posts.csv'],
    brings: ['tables', 'data/posts.csv'],
  },
  parquet: {
    args: [
      'sql',
      'from linkedin_posts order by all',
      '--format',
      'parquet',
      '--out',
      'data/posts.parquet',
    ],
    brings: ['tables', 'data/posts.parquet'],
  },
  ingest: {
    args: ['webhooks', 'ingest', 'more-events.ndjson'],
    then: ['load'],
    brings: ['posts'],
  },
  replay: { args: ['webhooks', 'replay'], isWhole: true, changes: true, brings: ['tables'] },
  rebuild: { args: ['rebuild'], isWhole: true, changes: true, brings: ['tables'] },
};

export const commandNames = Object.keys(commands);

/** @returns for each command how many points failed, and all that does not hold */
export async function sweep({ points, seed, names, onProgress }) {
  const folder = await mkdtemp(join(tmpdir(), 'postledger-full-disk-'));
  const service = await startService();
  try {
    const world = await World.make(folder, service.url);
    const summary = {};
    for (const name of names) {
      summary[name] = await world.sweep(commands[name], points, new SeededRandom(seed), (text) =>
        onProgress(`${name}: ${text}`),
      );
    }
    return { commands: summary, problems: world.problems };
  } finally {
    service.close();
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

class World {
  problems = [];

  /** A folder whose warehouse has a run, and whose raw store has more to load. */
  static async make(folder, url) {
    await writeFolder(folder, url);
    const world = new World(folder);
    const template = join(folder, 'template');
    await storeReading(join(folder, 'data'), new Date(Date.now() - longAgoMs), 3);
    await world.postledger.run(['run']);
    await world.postledger.run(['webhooks', 'ingest', 'events.ndjson']);
    await storeReading(join(folder, 'data'), new Date(), 7);
    await cp(join(folder, 'data'), template, { recursive: true });
    await rm(join(folder, 'data'), { recursive: true });
    await mkdir(join(folder, 'data'));
    world.template = template;
    world.disk = SmallDisk.mount(join(folder, 'data'));
    return world;
  }

  constructor(folder) {
    this.folder = folder;
    this.warehouse = join(folder, 'data', 'postledger.duckdb');
    this.postledger = new Postledger(folder, { API_KEY: key });
  }

  /** From no room to about as much as it needs. */
  async sweep(command, points, random, onProgress) {
    await this.disk.fill(this.template, null);
    const usedBefore = await this.disk.usedBytes();
    await this.#finish(command);
    const most = await this.#mostBytes(command, usedBefore);
    const wanted = await this.#brought(command);
    let failed = 0;
    for (let tried = 0; tried < points; tried += 1) {
      const bytes = Math.floor((most * (firstParts[tried] ?? random.next())) / page) * page;
      onProgress(`${tried} of ${points}, ${bytes} bytes free`);
      if (await this.#hasFailed(command, bytes, wanted)) failed += 1;
    }
    return { points, failed, most_bytes: most };
  }

  /** A change of the warehouse needs a copy of it, the log of its changes, and room for what is new. */
  async #mostBytes({ changes }, usedBefore) {
    const made = (await this.disk.usedBytes()) - usedBefore;
    const { size } = await stat(this.warehouse);
    return changes ? Math.ceil(3 * size + made) : Math.max(Math.ceil(1.1 * made), 64 * page);
  }

  /** Judges one try. @returns whether there was too little room */
  async #hasFailed(command, bytes, wanted) {
    await this.disk.fill(this.template, bytes);
    const before = await fingerprint(this.warehouse);
    const outcome = await this.postledger.run(command.args, { allowed: [0, 1, 3] });
    const say = (text) =>
      this.problems.push(`${command.args.join(' ')} with ${bytes} bytes free: ${text}`);
    const failed = outcome.code !== 0;
    if (failed) this.#judgeMessage(outcome, say);
    await this.#judgeFiles(before, command, failed, say);
    this.disk.makeRoom();
    await this.#finish(command);
    const brought = await this.#brought(command);
    for (const [what, content] of brought)
      if (content !== wanted.get(what)) say(`${what} is another one in the end`);
    return failed;
  }

  #judgeMessage({ stderr, stdout, code }, say) {
    const text = stderr + stdout;
    if (!/no space left|disk is full/i.test(text)) say(`does not name the disk: ${text}`);
    if (!/make room/.test(text)) say(`does not say what to do: ${text}`);
    if (/a bug in postledger|Stack Trace|\n +at /.test(text)) say(`shows a stack: ${text}`);
    if (text.includes(key)) say('shows the key');
    if (code === 3 && !/failed/.test(text)) say(`does not say what failed: ${text}`);
  }

  async #judgeFiles(before, command, failed, say) {
    const strays = (await listFiles(join(this.folder, 'data'))).filter((name) =>
      /\.(tmp|work|wal)$|\.work\.|\.postledger-/.test(name),
    );
    if (strays.length > 0) say(`leaves ${strays.join(', ')}`);
    const rows = await withWarehouse(this.warehouse, (query) => query('from post_performance'));
    if (rows === null || rows.length === 0) say('the published file has nothing in it');
    const isSame = (await fingerprint(this.warehouse)) === before;
    if (failed && command.isWhole && !isSame) say('published all the same');
  }

  /** The command with room, and what belongs to it. */
  async #finish({ args, then }) {
    await this.postledger.run(args);
    if (then) await this.postledger.run(then);
  }

  async #brought({ brings, made }) {
    const brought = new Map();
    for (const what of [...brings, ...(made ? [made] : [])]) {
      if (what === 'tables') brought.set(what, await this.#tables());
      else if (what === 'posts') brought.set(what, await this.#posts());
      else brought.set(what, await this.#files(what));
    }
    return brought;
  }

  async #tables() {
    return withWarehouse(this.warehouse, async (query) => digest([...(await dumpTables(query))]));
  }

  async #posts() {
    return withWarehouse(this.warehouse, async (query) =>
      digest([
        await query(
          'select * exclude (last_seen_at, first_seen_at, reading_id) from linkedin_posts order by all',
        ),
        await query('select post_id, title, status from posts order by all'),
        await query('select invite_id, email from invites order by all'),
        await query(
          'select distinct profile_id, start_date, end_date, status from extract_windows order by all',
        ),
      ]),
    );
  }

  /** Contents of tables as text; of other files their names, as a workbook has the time in it. */
  async #files(path) {
    const names = await listFiles(join(this.folder, path));
    if (names.length === 0)
      return digest(await readFile(join(this.folder, path)).catch(() => null));
    const contents = names.map(async (name) => {
      const isText = /\.(csv|json|md)$/.test(name) && path === 'data/made';
      return [name, isText ? await readFile(join(this.folder, path, name), 'utf8') : null];
    });
    return digest(await Promise.all(contents));
  }
}

async function listFiles(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

async function fingerprint(path) {
  return digest(await readFile(path));
}

function digest(value) {
  const data = Buffer.isBuffer(value) ? value : JSON.stringify(value ?? null);
  return createHash('sha256').update(data).digest('hex');
}
