import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { eventKeyOf } from './canonical-json.mjs';

/**
 * What a data folder holds, read by its documented layout alone, again and again as it changes: what was there
 * once has to be there ever after.
 */
export class DataFolder {
  #folder;
  /** Archived files never change: what was read of them. */
  #segments = new Map();
  /** Manifest and records of every landed response, by `<workspace> <run> <seq>`. */
  responses = new Map();
  /** Of every run's part, by `<workspace> <run>`: its run.json and finish.json. */
  parts = new Map();
  /** Payloads, by key. */
  events = new Map();
  /** Of responses whose body is no longer there. */
  pruned = new Set();

  constructor(folder) {
    this.#folder = folder;
  }

  /** @returns what is wrong now, a sentence each */
  async look() {
    const problems = [];
    const paths = await this.#list();
    const found = { responses: new Map(), events: new Set() };
    for (const folder of partFolders(paths)) await this.#lookAtPart(folder, paths, found, problems);
    for (const path of paths) await this.#lookAtSegment(path, found, problems);
    for (const path of paths)
      if (path.startsWith('quarantine')) problems.push(`${path} was set aside as damaged`);
    for (const key of this.responses.keys())
      if (!found.responses.has(key)) problems.push(`the landed response ${key} is lost`);
    for (const key of this.events.keys())
      if (!found.events.has(key)) problems.push(`the stored event ${key} is lost`);
    return problems;
  }

  /** Relative paths. The archive is read last: what moves there meanwhile is seen, in both places at worst. */
  async #list() {
    const paths = [];
    for (const room of ['quarantine', 'inbox', 'landing', 'archive']) {
      const entries = await readdir(join(this.#folder, room), {
        recursive: true,
        withFileTypes: true,
      }).catch(() => []);
      for (const entry of entries)
        if (entry.isFile()) paths.push(relative(this.#folder, join(entry.parentPath, entry.name)));
    }
    return paths;
  }

  async #lookAtPart({ folder, names }, _paths, found, problems) {
    const record = await this.#json(join(folder, 'run.json'), problems);
    if (!record) return;
    const partKey = `${record.workspace} ${record.run_id}`;
    const finish = names.has('finish.json')
      ? await this.#json(join(folder, 'finish.json'), problems)
      : null;
    this.parts.set(partKey, { record, finish, isArchived: folder.startsWith('archive') });
    for (const name of names) {
      if (!name.endsWith('.manifest.json')) continue;
      const key = `${partKey} ${Number(name.split('.')[0])}`;
      const elsewhere = found.responses.get(key);
      if (elsewhere) problems.push(`${key} is in ${elsewhere} and in ${folder}`);
      found.responses.set(key, folder);
      await this.#lookAtResponse({ folder, names, name, key }, problems);
    }
  }

  async #lookAtResponse({ folder, names, name, key }, problems) {
    const stem = name.replace('.manifest.json', '');
    if (names.has(`${stem}.pruned.json`)) this.pruned.add(key);
    const known = this.responses.get(key);
    if (known) {
      const hasBody = names.has(`${stem}.body.gz`) || this.pruned.has(key);
      if (known.manifest.body && !hasBody) problems.push(`${key} has lost its body in ${folder}`);
      return;
    }
    const manifest = await this.#json(join(folder, name), problems);
    if (!manifest) return;
    const body = manifest.body ? await this.#body(folder, manifest, problems) : null;
    this.responses.set(key, { manifest, body, partKey: key.replace(/ \d+$/, '') });
  }

  async #body(folder, { body }, problems) {
    const path = join(folder, body.file);
    try {
      const bytes = gunzipSync(await readFile(join(this.#folder, path)));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      if (sha256 === body.sha256 && bytes.length === body.bytes) return bytes.toString('utf8');
      problems.push(`${path} is not the body of its manifest`);
    } catch (error) {
      problems.push(`${path} is unreadable: ${error.message}`);
    }
    return null;
  }

  async #lookAtSegment(path, found, problems) {
    const isArchived = path.startsWith(join('archive', '_events') + sep);
    if (!isArchived && dirname(path) !== 'inbox') return;
    if (!/\.(ndjson|ndjson\.gz|open)$/.test(path)) return;
    const keys = this.#segments.get(path) ?? (await this.#keysOf(path, problems));
    if (isArchived) this.#segments.set(path, keys);
    for (const key of keys) found.events.add(key);
  }

  async #keysOf(path, problems) {
    try {
      const data = await this.#segment(path);
      const text = (path.endsWith('.gz') ? gunzipSync(data) : data).toString('utf8');
      const lines = text.split('\n');
      const tail = lines.pop();
      // a receiver was killed while it wrote there: nothing was acknowledged of it
      if (tail !== '' && !path.endsWith('.open')) problems.push(`${path} ends within a line`);
      return lines.map((line) => this.#takeEvent(JSON.parse(line)));
    } catch (error) {
      problems.push(`${path} is unreadable: ${error.message}`);
      return [];
    }
  }

  /** A receiver that lives may seal a segment since it was listed. */
  async #segment(path) {
    const file = join(this.#folder, path);
    const sealed = path.endsWith('.open') ? file.replace(/\.open$/, '.ndjson') : file;
    return readFile(file).catch((error) => {
      if (error.code !== 'ENOENT' || sealed === file) throw error;
      return readFile(sealed);
    });
  }

  #takeEvent({ event_key: key, payload }) {
    if (!this.events.has(key)) {
      if (eventKeyOf(payload) !== key) throw new Error(`${key} is not the key of its payload`);
      this.events.set(key, payload);
    }
    return key;
  }

  async #json(path, problems) {
    try {
      return JSON.parse(await readFile(join(this.#folder, path), 'utf8'));
    } catch (error) {
      problems.push(`${path} is unreadable: ${error.message}`);
      return null;
    }
  }
}

function partFolders(paths) {
  const folders = new Map();
  for (const path of paths) {
    if (!/^(landing|archive)\b/.test(path)) continue;
    const folder = dirname(path);
    if (!folders.has(folder)) folders.set(folder, new Set());
    folders.get(folder).add(basename(path));
  }
  return [...folders]
    .filter(([, names]) => names.has('run.json'))
    .map(([folder, names]) => ({ folder, names }));
}
