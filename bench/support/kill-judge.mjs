import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compareTables } from './expected-tables.mjs';
import { DataFolder } from './data-folder.mjs';
import { describe } from './postledger.mjs';
import { brokenRules, exists, withWarehouse } from './warehouse-file.mjs';

/** Of a process that nobody killed: done, or another one was at it. */
const expectedCodes = [0, 4];

/** What has to hold after a kill, and what after a load. All sentences of what does not go to `tell`. */
export class KillJudge {
  #folder;
  #tell;
  #isPublished = false;

  /** @param folder of jobs.yaml */
  constructor(folder, tell) {
    this.#folder = folder;
    this.#tell = tell;
    this.disk = new DataFolder(join(folder, 'data'));
  }

  get warehouse() {
    return join(this.#folder, 'data/postledger.duckdb');
  }

  /** @param promised keys of events that were acknowledged */
  async lookAround(outcomes, promised) {
    for (const outcome of outcomes) {
      const isKilled = outcome.signal === 'SIGKILL' && !outcome.isEndless;
      if (isKilled || expectedCodes.includes(outcome.code)) continue;
      if (isUnfinishedWrite(outcome)) continue;
      const said = `${outcome.stdout}${outcome.stderr}`.trim().slice(0, 1500);
      this.#tell(`${describe(outcome)}: ${said}`);
    }
    await this.lookAtDisk();
    for (const key of promised)
      if (!this.disk.events.has(key)) this.#tell(`the acknowledged event ${key} is not on disk`);
    await this.#lookAtPublished();
    await this.#lookAtReports();
  }

  async lookAtDisk() {
    for (const problem of await this.disk.look()) this.#tell(problem);
  }

  /** @param marks which posts have to be marked as removed, and which may be */
  async compareLoaded(timezone, marks) {
    await this.lookAtDisk();
    await withWarehouse(this.warehouse, async (query) => {
      for (const problem of await compareTables(query, this.disk.responses, timezone))
        this.#tell(problem);
      await this.#compareLoadedKeys(query);
      await this.#compareEvents(query);
      await this.#compareRemovals(query, marks);
    });
  }

  /** @param posts all of the workspace, as they are now */
  async compareWithTruth(posts) {
    const byId = new Map(posts.map((post) => [post.id, post]));
    await withWarehouse(this.warehouse, async (query) => {
      const rows = await query(
        'select linkedin_post_id as id, impression_count, like_count from linkedin_posts',
      );
      if (rows.length !== byId.size)
        this.#tell(`linkedin_posts has ${rows.length} posts, the sandbox ${byId.size}`);
      for (const { id, impression_count: impressions, like_count: likes } of rows) {
        const { impressionCount, likeCount } = byId.get(id) ?? {};
        if (Number(impressions) !== (impressionCount ?? 0) || Number(likes) !== (likeCount ?? 0))
          this.#tell(
            `${id} has ${impressions} impressions and ${likes} likes, and not in the sandbox`,
          );
      }
    });
  }

  async #lookAtPublished() {
    if (await exists(`${this.warehouse}.wal`))
      this.#tell('a .wal stands beside the published file');
    const isThere = await exists(this.warehouse);
    if (this.#isPublished && !isThere) this.#tell('the published file is gone');
    this.#isPublished ||= isThere;
    await withWarehouse(this.warehouse, async (query) => {
      for (const problem of await brokenRules(query)) this.#tell(problem);
      for (const key of await loadedKeys(query))
        if (!this.disk.responses.has(key))
          this.#tell(`loaded_responses has ${key}, which is not on disk`);
      for (const { event_key: key } of await query('select event_key from webhook_events'))
        if (!this.disk.events.has(key))
          this.#tell(`webhook_events has ${key}, which is not on disk`);
    }).catch((error) => this.#tell(`the published file cannot be read: ${error.message}`));
  }

  /** Reports appear whole under their names. */
  async #lookAtReports() {
    const out = join(this.#folder, 'out');
    const names = await readdir(out, { recursive: true }).catch(() => []);
    for (const name of names.filter((each) => /\.(csv|html)$/.test(each))) {
      const text = await readFile(join(out, name), 'utf8');
      const isWhole = name.endsWith('.csv') ? text.endsWith('\n') : /<\/html>\s*$/.test(text);
      if (!isWhole) this.#tell(`${name} is not whole`);
    }
  }

  async #compareLoadedKeys(query) {
    const keys = await loadedKeys(query);
    const loaded = new Set(keys);
    if (keys.length !== loaded.size) this.#tell('loaded_responses has a response twice');
    for (const key of this.disk.responses.keys())
      if (!loaded.has(key)) this.#tell(`${key} is on disk and was not loaded`);
    const runs = await query('select run_id, finished_at from runs');
    const ended = new Map(runs.map((row) => [row.run_id, row.finished_at !== null]));
    for (const { record, finish } of this.disk.parts.values())
      if (ended.get(record.run_id) !== (finish !== null))
        this.#tell(`runs has another end of ${record.run_id} than its run folder`);
  }

  async #compareEvents(query) {
    const rows = await query('select event_key from webhook_events');
    const keys = new Set(rows.map(({ event_key: key }) => key));
    if (rows.length !== keys.size) this.#tell('webhook_events has an event twice');
    for (const key of this.disk.events.keys())
      if (!keys.has(key)) this.#tell(`the event ${key} is on disk and was not loaded`);
  }

  async #compareRemovals(query, { due, possible }) {
    const rows = await query('select post_id from posts where removed_at is not null');
    const marked = new Set(rows.map(({ post_id: id }) => id));
    for (const id of due)
      if (!marked.has(id)) this.#tell(`post ${id} was deleted, and is not marked so`);
    for (const id of marked)
      if (!possible.has(id)) this.#tell(`post ${id} is marked as removed, and is not`);
  }
}

/** What `verify` finds of writes that a kill has cut off, or that are under way, is not damage. */
function isUnfinishedWrite({ name, code, stdout }) {
  const findings = stdout.split('\n').slice(0, -2);
  return (
    name === 'verify' && code === 3 && findings.every((line) => /^foreign: .*\.tmp /.test(line))
  );
}

async function loadedKeys(query) {
  const rows = await query('select workspace, run_id, seq from loaded_responses');
  return rows.map(({ workspace, run_id: run, seq }) => `${workspace} ${run} ${seq}`);
}
