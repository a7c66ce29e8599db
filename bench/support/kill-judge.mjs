import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compareDumps, compareTables } from './expected-tables.mjs';
import { describe } from './postledger.mjs';
import { brokenRules, exists, withWarehouse } from './warehouse-file.mjs';

/** Of a process that nobody killed: done, or something was refused or may have arrived, or another one was at it. */
const expectedCodes = { run: [0, 3, 4], other: [0, 4] };

/** What has to hold after a kill, and what at the end of a day. All sentences of what does not go to `tell`. */
export class KillJudge {
  #site;
  #tell;
  #isPublished = false;

  constructor(site, tell) {
    this.#site = site;
    this.#tell = tell;
  }

  /** @param promised keys of events that were acknowledged */
  async lookAround(outcomes, promised) {
    for (const outcome of outcomes) {
      const isKilled = outcome.signal === 'SIGKILL' && !outcome.isEndless;
      const expected = expectedCodes[outcome.name] ?? expectedCodes.other;
      if (isKilled || expected.includes(outcome.code)) continue;
      if (isUnfinishedWrite(outcome)) continue;
      const said = `${outcome.stdout}${outcome.stderr}`.trim().slice(0, 1500);
      this.#tell(`${describe(outcome)}: ${said}`);
    }
    await this.lookAtDisk();
    for (const key of promised)
      if (!this.#site.disk.events.has(key))
        this.#tell(`the acknowledged event ${key} is not on disk`);
    await this.#lookAtPublished();
    await this.#lookAtReports();
  }

  async lookAtDisk() {
    for (const problem of await this.#site.disk.look()) this.#tell(problem);
  }

  /**
   * Tables, reports and what was sent are those of a site that nobody disturbed.
   * @param unknown deliveries of the day that may or may not have arrived
   */
  async compareSites(other, { noon, own, others, unknown }) {
    const [tables, otherTables] = await Promise.all(
      [other, this.#site].map((site) => site.tables(noon)),
    );
    for (const problem of compareDumps(tables, otherTables))
      this.#tell(`undisturbed and killed: ${problem}`);
    this.#compareTexts('report', await other.reports(), await this.#site.reports());
    this.#compareTexts('object', others.objects, own.objects);
    this.#compareMails(others.mails, own.mails, unknown.length);
  }

  #compareMails(wanted, found, unknown) {
    const mails = new Map(found.map((mail) => [idOf(mail), mail]));
    if (mails.size !== found.length) this.#tell('a mail was sent twice');
    const missing = wanted.filter((mail) => !mails.has(idOf(mail)));
    const others = wanted.filter((mail) => mails.has(idOf(mail)));
    this.#compareTexts('mail', new Map(others.map((mail) => [idOf(mail), mail])), mails);
    if (missing.length > unknown)
      this.#tell(`${missing.length} mails did not arrive, and ${unknown} are unknown`);
  }

  #compareTexts(kind, wanted, found) {
    for (const name of new Set([...wanted.keys(), ...found.keys()])) {
      const [one, other] = [wanted.get(name), found.get(name)];
      if (one === other) continue;
      this.#tell(
        `the ${kind} ${name} is not that of an undisturbed site: ${difference(one, other)}`,
      );
    }
  }

  /** @param marks which posts have to be marked as removed, and which may be */
  async compareLoaded(timezone, marks) {
    await this.lookAtDisk();
    await withWarehouse(this.#site.warehouse, async (query) => {
      for (const problem of await compareTables(query, this.#site.disk.responses, timezone))
        this.#tell(problem);
      await this.#compareLoadedKeys(query);
      await this.#compareEvents(query);
      await this.#compareRemovals(query, marks);
    });
  }

  /**
   * @param posts all that are read, as they are now
   * @param young the first day whose posts each run reads again
   */
  async compareWithTruth(posts, young) {
    const byId = new Map(posts.map((post) => [post.id, post]));
    await withWarehouse(this.#site.warehouse, async (query) => {
      const rows = await query(
        'select linkedin_post_id as id, impression_count, like_count from linkedin_posts',
      );
      if (rows.length !== byId.size)
        this.#tell(`linkedin_posts has ${rows.length} posts, the sandbox ${byId.size}`);
      for (const { id, impression_count: impressions, like_count: likes } of rows) {
        const { impressionCount, likeCount, publishedAt } = byId.get(id) ?? {};
        const isAlike =
          Number(impressions) === (impressionCount ?? 0) && Number(likes) === (likeCount ?? 0);
        if (!isAlike && publishedAt >= young)
          this.#tell(
            `${id} has ${impressions} impressions and ${likes} likes, and not in the sandbox`,
          );
      }
    });
  }

  async #lookAtPublished() {
    if (await exists(`${this.#site.warehouse}.wal`))
      this.#tell('a .wal stands beside the published file');
    const isThere = await exists(this.#site.warehouse);
    if (this.#isPublished && !isThere) this.#tell('the published file is gone');
    this.#isPublished ||= isThere;
    await withWarehouse(this.#site.warehouse, async (query) => {
      for (const problem of await brokenRules(query)) this.#tell(problem);
      for (const key of await loadedKeys(query))
        if (!this.#site.disk.responses.has(key))
          this.#tell(`loaded_responses has ${key}, which is not on disk`);
      for (const { event_key: key } of await query('select event_key from webhook_events'))
        if (!this.#site.disk.events.has(key))
          this.#tell(`webhook_events has ${key}, which is not on disk`);
    }).catch((error) => this.#tell(`the published file cannot be read: ${error.message}`));
  }

  /** Reports appear whole under their names. */
  async #lookAtReports() {
    const out = join(this.#site.folder, 'out');
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
    for (const key of this.#site.disk.responses.keys())
      if (!loaded.has(key)) this.#tell(`${key} is on disk and was not loaded`);
    const parts = await query('select workspace, run_id, finished_at from run_parts');
    const ended = new Map(
      parts.map((row) => [`${row.workspace} ${row.run_id}`, row.finished_at !== null]),
    );
    for (const [key, { finish }] of this.#site.disk.parts)
      if (ended.get(key) !== (finish !== null))
        this.#tell(`run_parts has another end of ${key} than its run folder`);
  }

  async #compareEvents(query) {
    const rows = await query('select event_key from webhook_events');
    const keys = new Set(rows.map(({ event_key: key }) => key));
    if (rows.length !== keys.size) this.#tell('webhook_events has an event twice');
    for (const key of this.#site.disk.events.keys())
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

function idOf(mail) {
  return /^Message-ID: (.*)$/m.exec(mail)[1];
}

/** Where two texts part. */
function difference(one = '', other = '') {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = Math.max(0, at - 60);
  return JSON.stringify([one.slice(from, at + 100), other.slice(from, at + 100)]);
}

async function loadedKeys(query) {
  const rows = await query('select workspace, run_id, seq from loaded_responses');
  return rows.map(({ workspace, run_id: run, seq }) => `${workspace} ${run} ${seq}`);
}
