import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareTables } from '../compared-tables.mjs';
import { DataFolder } from '../data-folder.mjs';
import { dayMs } from '../days.mjs';
import { metrics } from '../expected-tables.mjs';
import { describe, Postledger } from '../postledger.mjs';
import { SeededRandom } from '../seeded-random.mjs';
import { brokenRules, withWarehouse } from '../warehouse-file.mjs';
import { modes } from './modes.mjs';
import { HostileService } from './service.mjs';
import { Truth } from './truth.mjs';

const key = 'hostile-key-1';
const firstDay = '2025-04-01';
/** Of the first run, whose windows are of April, of May, and of the rest. */
const start = Date.parse('2025-06-15T12:00:00Z');
const targetWindow = '2025-05-01';
const columns = Object.entries(metrics);

/** Runs of the program against the hostile service, each mode in a folder of its own. */
export class HostileTrial {
  #folder;
  #service;
  #seed;
  #figures = { runs: 0, requests: 0, faults: 0 };

  static async begin(folder, seed) {
    const trial = new HostileTrial();
    trial.#folder = folder;
    trial.#seed = seed;
    const truth = new Truth({ seed, firstDay, days: 75 });
    trial.#service = await HostileService.start(truth, key);
    await trial.#makeFirstRun();
    return trial;
  }

  figures() {
    return { ...this.#figures, requests: this.#service.requests };
  }

  close() {
    return this.#service.close();
  }

  /** @returns what does not hold, a mode and a sentence each */
  tryMode(mode) {
    return this.#inFolder(mode.name, async (folder, tell) => {
      for (const [index, [phase, isHit]] of this.#phasesOf(mode)) {
        const told = (problem) => tell(`${phase}: ${problem}`);
        const plan = (asked) => (isHit(asked) ? mode : null);
        const outcome = await this.#run(folder, plan, mode.speed, told);
        if (this.#service.hits.size === 0) told('the fault met no request');
        if (outcome.code !== mode.codes[index])
          told(`${describe(outcome)}, not with ${mode.codes[index]}: ${lastLines(outcome)}`);
        const isLimited = index === 0 && !mode.stops;
        await this.#lookBetween(folder, { mode, isLimited, told });
      }
      await this.#endWell(folder, tell, mode.isTriedAgain);
    });
  }

  /** What is not tried again meets nothing new in its first tries. */
  #phasesOf(mode) {
    const phases = [
      ['one window', ({ request }) => this.#isTarget(request)],
      ['first tries', ({ attempt }) => attempt === 1],
      ['everything', () => true],
    ];
    return [...phases.entries()].filter(([index]) => index !== 1 || mode.isTriedAgain);
  }

  /** Each request meets some mode or none, whatever it may come to. */
  tryMixture(round) {
    const random = new SeededRandom(this.#seed * 1000 + round);
    const all = [...modes.values()].filter(({ speed }) => speed === 40);
    return this.#inFolder(`mixture-${round}`, async (folder, tell) => {
      for (let run = 1; run <= 3; run += 1) {
        const share = random.between(0.1, 0.9);
        const plan = () => (random.isChance(share) ? random.pick(all) : null);
        const outcome = await this.#run(folder, plan, 40, tell);
        const met = [...this.#service.hits.keys()].join(', ');
        if (![0, 3].includes(outcome.code))
          tell(`${describe(outcome)} after ${met}: ${lastLines(outcome)}`);
      }
      await this.#endWell(folder, tell, true);
    });
  }

  async #makeFirstRun() {
    const folder = join(this.#folder, 'first');
    await mkdir(folder);
    await writeFile(join(folder, 'jobs.yaml'), jobsFile(this.#service));
    const problems = [];
    await this.#endWell(folder, (problem) => problems.push(problem));
    if (problems.length > 0) throw new Error(`without any fault: ${problems.join('; ')}`);
  }

  async #inFolder(name, work) {
    const problems = [];
    const folder = join(this.#folder, name);
    await cp(join(this.#folder, 'first'), folder, { recursive: true });
    this.#service.truth.generation = 1;
    await work(folder, (problem) =>
      problems.push({ mode: name, problem: problem.replaceAll(this.#folder, '…') }),
    );
    if (problems.length === 0) await rm(folder, { recursive: true });
    return problems;
  }

  /** The next day's run. */
  async #run(folder, plan, speed, tell) {
    this.#service.truth.generation += 1;
    this.#service.follow(plan);
    this.#figures.runs += 1;
    const at = start + this.#service.truth.generation * dayMs;
    const postledger = new Postledger(folder, { HOSTILE_KEY: key, NO_PROXY: '127.0.0.1' });
    const args = ['run', '--no-reports', '--no-color'];
    const outcome = await postledger.start(args, { shiftMs: at - Date.now(), speed }).ended;
    for (const count of this.#service.hits.values()) this.#figures.faults += count;
    if (/unexpected, this is a bug|^\s+at .*:\d+:\d+\)?$/m.test(outcome.stderr))
      tell(`it ended with a trace: ${outcome.stderr.slice(-1500)}`);
    if (/[\0-\x08\x0b-\x1f]/.test(outcome.stderr))
      tell('the log has control characters of the service');
    if (outcome.stderr.includes(key)) tell('the log has the key');
    return outcome;
  }

  #isTarget({ profileId, postId, from }) {
    const [profile] = this.#service.truth.profiles;
    if (postId !== null) return postId === this.#targetPost(profile);
    return profileId === profile.id && from === targetWindow;
  }

  #targetPost({ id }) {
    const { truth } = this.#service;
    const all = truth.recordsOf(id, '2025-06-01', '9999-12-31');
    return all.find(({ servicePost }) => servicePost !== null)?.servicePost.id;
  }

  /** Whatever went wrong, what is there is what some answer said, and what did not suffer is new. */
  async #lookBetween(folder, { mode, isLimited, told }) {
    await this.#look(folder, { isModelled: mode.isModelled, told }, async (query) => {
      const isNewAll = mode.kind === 'harmless';
      const isAnything = ['taken', 'rejected'].includes(mode.kind);
      if (isAnything && !isLimited) return;
      await this.#compareGenerations(query, { isNewAll, isNewBeside: isLimited, isAnything, told });
    });
    if (mode.kind === 'rejected') await this.#requireReasons(folder, told);
  }

  async #look(folder, { isModelled, told }, work) {
    const disk = new DataFolder(join(folder, 'data'));
    for (const problem of await disk.look()) told(problem);
    const path = join(folder, 'data/postledger.duckdb');
    const result = await withWarehouse(path, async (query) => {
      for (const problem of await brokenRules(query)) told(problem);
      if (isModelled) {
        const { responses } = disk;
        for (const problem of (await compareTables(query, responses, 'UTC')).slice(0, 3))
          told(problem);
      }
      await work(query);
      return true;
    });
    if (result === null) told('there is no warehouse');
  }

  /** Rows are those of one generation each; of the present one where nothing can have gone wrong. */
  async #compareGenerations(query, { isNewAll, isNewBeside, isAnything = false, told }) {
    const { truth } = this.#service;
    const now = truth.generation;
    const found = new Map((await readRows(query)).map((row) => [row.id, row]));
    const problems = [];
    for (const [index, { profileId, record }] of truth.all().entries()) {
      const row = found.get(record.id);
      const isBeside =
        isNewBeside && !this.#isTarget({ profileId, postId: null, from: windowOf(record) });
      if (isAnything && !isBeside) continue;
      const oldest = isNewAll || isBeside ? now : 1;
      const fitting = Array.from({ length: now - oldest + 1 }, (_, back) => now - back).find(
        (generation) => row && isRow(row, recordAt(truth, index, generation)),
      );
      if (fitting === undefined)
        problems.push(
          `post ${record.id} is ${JSON.stringify(row)}, not that of generation ${oldest} to ${now}`,
        );
    }
    truth.generation = now;
    if (problems.length > 0) told(`${problems.length} posts differ: ${problems[0]}`);
  }

  async #requireReasons(folder, told) {
    await withWarehouse(join(folder, 'data/postledger.duckdb'), async (query) => {
      const rows = await query('select reason, payload from rejected_records');
      if (rows.length === 0) told('nothing was rejected');
      if (rows.some(({ reason }) => !/^\S.*(expected|missing|empty)/.test(reason)))
        told(`a reason says nothing: ${JSON.stringify(rows[0])}`);
    });
  }

  /** A good day: all has to be as if there had been no bad one. */
  async #endWell(folder, tell, isTellingOfFailures = false) {
    const told = (problem) => tell(`in the end: ${problem}`);
    const outcome = await this.#run(folder, null, 1, told);
    if (outcome.code !== 0) told(`${describe(outcome)}: ${lastLines(outcome)}`);
    await this.#look(folder, { isModelled: false, told }, async (query) => {
      const { truth } = this.#service;
      const all = truth.all();
      await this.#compareGenerations(query, { isNewAll: true, isNewBeside: true, told });
      const rows = await query(
        'select count(*) as posts, count(extra) as extras from linkedin_posts',
      );
      if (Number(rows[0].posts) !== all.length)
        told(`linkedin_posts has ${rows[0].posts} posts, not ${all.length}`);
      if (Number(rows[0].extras) > 0) told('linkedin_posts still has fields of a bad answer');
      await compareWorkspacePosts(query, all, told);
    });
    if (isTellingOfFailures) await this.#requireCalm(folder, told);
  }

  async #requireCalm(folder, told) {
    const postledger = new Postledger(folder, { HOSTILE_KEY: key });
    const { stdout } = await postledger.run(['status', '--json'], {
      shiftMs: start + this.#service.truth.generation * dayMs - Date.now(),
    });
    for (const { failed_windows: failed, name } of JSON.parse(stdout).profiles)
      if (failed.length > 0) told(`status still tells of failed windows of ${name}`);
  }
}

const texts = ['url', 'commentary', 'type'];

async function readRows(query) {
  return query(`select linkedin_post_id as id, profile_id, url, commentary, type, post_id,
    strftime(published_at, '%Y-%m-%dT%H:%M:%S.%gZ') as published_at,
    ${columns.map(([, column]) => column).join(', ')} from linkedin_posts`);
}

function isRow(row, { profileId, record }) {
  return (
    row.profile_id === profileId &&
    row.published_at === record.publishedAt &&
    (row.post_id ?? null) === (record.servicePost?.id ?? null) &&
    texts.every((name) => (row[name] ?? null) === record[name]) &&
    columns.every(([name, column]) =>
      record[name] === null ? (row[column] ?? null) === null : Number(row[column]) === record[name],
    )
  );
}

function recordAt(truth, index, generation) {
  truth.generation = generation;
  return truth.all()[index];
}

/** What details, links and labels have to have come to. */
async function compareWorkspacePosts(query, all, told) {
  const rows = await query(`select posts.post_id, title, missing_since, posts.extra,
      list_sort(list(name) filter (where name is not null)) as labels
    from posts left join post_labels using (workspace, post_id)
      left join labels using (workspace, label_id)
    group by all`);
  const found = new Map(rows.map((row) => [row.post_id, row]));
  const linked = all.flatMap(({ record }) => (record.servicePost ? [record.servicePost] : []));
  if (found.size !== linked.length) told(`posts has ${found.size} posts, not ${linked.length}`);
  for (const { id, title, labels } of linked) {
    const row = found.get(id);
    const names = JSON.stringify(labels.map(({ name }) => name));
    if (row?.title !== title || JSON.stringify(row.labels ?? []) !== names)
      told(
        `posts has ${JSON.stringify(row)} for ${id}, whose title is ${title} and labels ${names}`,
      );
    if (row?.missing_since) told(`post ${id} is still said to be missing`);
  }
}

function windowOf({ publishedAt }) {
  const day = publishedAt.slice(0, 10);
  return ['2025-05-31', targetWindow, firstDay].find((first) => first <= day);
}

function lastLines({ stderr }) {
  return stderr.trim().split('\n').slice(-3).join(' | ').slice(0, 600);
}

function jobsFile({ url, truth }) {
  const profiles = truth.profiles.map(({ id, name }) => `{ id: ${id}, name: ${name} }`);
  return `workspaces:
  acme:
    base_url: ${url}
    api_key: "\${HOSTILE_KEY}"
    rate_limit: { requests: 100000, per_seconds: 60 }
    timeout_seconds: 1
    profiles: [${profiles.join(', ')}]
jobs:
  daily:
    profiles: [acme/*]
    windows: { start: ${firstDay}, size_days: 30, refresh_days: 400 }
    details: true
`;
}
