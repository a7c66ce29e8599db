import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadConfig } from '../../build/config/load-config.js';
import { createLog } from '../../build/core/log.js';
import { silentProgress } from '../../build/core/progress.js';
import { startReceiver } from '../../build/webhooks/receiver.js';
import { runJob } from '../../build/pipeline.js';
import { compareDumps, compareTables } from './expected-tables.mjs';
import { DataFolder } from './data-folder.mjs';
import { changeWorkspace, compareWithRebuild, jobsFile, timezone } from './living-workspace.mjs';
import { Postledger } from './postledger.mjs';
import { SandboxWorld } from './sandbox-world.mjs';
import { SeededRandom } from './seeded-random.mjs';
import { SimulatedClock } from './simulated-clock.mjs';
import { brokenRules, withWarehouse } from './warehouse-file.mjs';

const token = 'soak-token-of-some-length';
const nobody = { id: '00000000-0000-4000-8000-000000000000', name: 'None' };
const firstDay = '2025-01-05T12:00:00Z';
// locks of others are waited for by it, too, and this machine has other work
const speed = 10;
const daysBetweenReports = 7;
/** Runs at the start warm caches and compile code; from then on memory has to stay where it is. */
const warmUpShare = 0.25;
const mostGrowthBytesADay = 40_000;

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

/** A year of one workspace, run by run, all in this process but the sandbox. */
export class Soak {
  #folder;
  #world;
  #postledger;
  #receiver;
  #config;
  #seed;
  #random;
  #clock = new SimulatedClock(speed);
  #days = [];
  #statuses = {};
  #deleted = new Set();
  #problems = [];
  #errors = [];
  #started = performance.now();

  static async begin(folder, { seed, ...content }) {
    const soak = new Soak();
    soak.#folder = folder;
    soak.#seed = seed;
    soak.#random = new SeededRandom(seed);
    process.env.NO_PROXY = '127.0.0.1';
    await soak.#open({ seed, ...content });
    return soak;
  }

  async close() {
    await this.#receiver.close();
    await this.#world.close();
  }

  shortly() {
    return `${Math.round(this.#days.at(-1).heapBytes / 1e6)} MB of memory`;
  }

  async liveThroughDay() {
    await this.#world.nextDay();
    this.#clock.shiftMs = this.#world.shiftMs;
    await changeWorkspace(this.#world, this.#random, this.#deleted);
    const asked = this.#world.requests.length;
    const started = performance.now();
    const outcome = await this.#run({ reports: this.#days.length % daysBetweenReports === 0 });
    const seconds = (performance.now() - started) / 1000;
    for (const { status } of outcome.workspaces)
      this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    const requests = this.#world.requests.length - asked;
    gc();
    this.#days.push({ requests, seconds, heapBytes: process.memoryUsage().heapUsed });
  }

  async end() {
    await this.#world.control('POST', '/faults', { level: 'none' });
    await this.#world.control('POST', '/deliveries/flush');
    await this.#world.nextDay();
    this.#clock.shiftMs = this.#world.shiftMs;
    await this.#run({ full: true });
    const { deliveries } = await this.#world.control('GET', '/deliveries');
    const lost = deliveries.filter(({ state }) => state !== 'delivered').length;
    if (lost > 0) this.#tell(`${lost} events were not taken`);
    await this.#compare();
    await this.#compareWithFreshReading();
    const { shiftMs } = this.#world;
    for (const problem of await compareWithRebuild(this.#postledger, this.#warehouse, { shiftMs }))
      this.#tell(problem);
    for (const error of this.#errors.slice(0, 3)) this.#tell(`the log has an error: ${error}`);
    return this.#summary();
  }

  get #warehouse() {
    return join(this.#folder, 'data/postledger.duckdb');
  }

  async #open({ seed, profiles, posts, faults }) {
    const environment = { ACME_API_KEY: `sandbox-key-${seed}-valid`, NO_PROXY: '127.0.0.1' };
    this.#postledger = new Postledger(this.#folder, environment);
    const dataDir = join(this.#folder, 'data');
    await mkdir(dataDir);
    // the receiver first, since the sandbox is told of its address once
    await writeFile(
      join(this.#folder, 'jobs.yaml'),
      soakJobs('http://127.0.0.1:1/api/v1', [nobody]),
    );
    const config = await this.#loadConfig(environment);
    const log = this.#log();
    const { webhooks } = config;
    this.#receiver = await startReceiver({ webhooks, dataDir, clock: this.#clock, log });
    const webhook = { url: this.#receiver.url, token };
    this.#world = await SandboxWorld.start(this.#postledger, {
      seed,
      profiles,
      posts,
      faults,
      start: firstDay,
      webhook,
    });
    await this.#world.control('POST', '/deliveries', { duplicates: 1 });
    await writeFile(
      join(this.#folder, 'jobs.yaml'),
      soakJobs(this.#world.url, this.#world.profiles, this.#world.description.workspace.slug),
    );
    this.#clock.shiftMs = this.#world.shiftMs;
    this.#config = await this.#loadConfig(environment);
  }

  #loadConfig(environment) {
    const file = join(this.#folder, 'jobs.yaml');
    const all = { ...environment, WEBHOOK_TOKEN: token };
    return loadConfig({ file, environment: all, now: this.#clock.now(), knownReports: ['emv'] });
  }

  #log() {
    const destination = { write: (line) => void this.#errors.push(line.trim()) };
    return createLog({ level: 'error', format: 'json', color: false, destination });
  }

  #run({ full = false, reports = false }) {
    const [job] = this.#config.jobs.values();
    const wishes = { full, from: null, to: null, reports, waitMs: 60_000 };
    const signal = new AbortController().signal;
    const tools = { config: this.#config, clock: this.#clock, log: this.#log(), signal };
    return runJob(job, wishes, { ...tools, progress: silentProgress });
  }

  async #compare() {
    const disk = new DataFolder(join(this.#folder, 'data'));
    for (const problem of await disk.look()) this.#tell(problem);
    await withWarehouse(this.#warehouse, async (query) => {
      for (const problem of await brokenRules(query)) this.#tell(problem);
      const { responses } = disk;
      for (const problem of await compareTables(query, responses, timezone)) this.#tell(problem);
      const loaded = await query('select count(*) as responses from loaded_responses');
      if (Number(loaded[0].responses) !== responses.size)
        this.#tell(`${loaded[0].responses} of ${responses.size} responses are loaded`);
      const events = await query('select event_key from webhook_events');
      if (events.length !== disk.events.size)
        this.#tell(`${events.length} of ${disk.events.size} events are loaded`);
      const removed = await query('select post_id from posts where removed_at is not null');
      if (removed.length !== this.#deleted.size)
        this.#tell(`${removed.length} of ${this.#deleted.size} deletions are marked`);
    });
  }

  /** Another data folder that has met no fault, has read everything once, today. */
  async #compareWithFreshReading() {
    const folder = join(this.#folder, 'fresh');
    await mkdir(folder);
    const { workspace } = this.#world.description;
    const jobs = soakJobs(this.#world.url, this.#world.profiles, workspace.slug);
    await writeFile(join(folder, 'jobs.yaml'), jobs);
    const environment = { ACME_API_KEY: this.#world.key, NO_PROXY: '127.0.0.1' };
    const { shiftMs } = this.#world;
    await new Postledger(folder, environment).run(['run', '--no-reports'], { shiftMs });
    // deletions are told by events alone, which the fresh one never had
    const removed = await withWarehouse(this.#warehouse, removedPosts);
    const without = (query) => readCurrent(query, removed);
    const fresh = await withWarehouse(join(folder, 'data/postledger.duckdb'), without);
    const ours = await withWarehouse(this.#warehouse, without);
    const lines = (rows) => new Map([['post_performance', rows]]);
    for (const problem of compareDumps(lines(ours), lines(fresh)))
      this.#tell(`against a fresh reading, ${problem}`);
  }

  async #summary() {
    const heapBytes = this.#days.map((day) => day.heapBytes);
    const heapBytesADay = slope(heapBytes.slice(Math.floor(heapBytes.length * warmUpShare)));
    if (this.#days.length >= 60 && heapBytesADay > mostGrowthBytesADay)
      this.#tell(`the heap grows by ${heapBytesADay} bytes a day`);
    const { counts } = await this.#world.control('GET', '/faults');
    return {
      seed: this.#seed,
      minutes: Math.round((performance.now() - this.#started) / 6000) / 10,
      runs: this.#statuses,
      faults: Object.values(counts).reduce((sum, count) => sum + count, 0),
      deleted: this.#deleted.size,
      ...(await withWarehouse(this.#warehouse, countRows)),
      requestsADay: mean(this.#days.map(({ requests }) => requests)),
      secondsARun: mean(this.#days.map(({ seconds }) => seconds)),
      heapBytes: mean(heapBytes),
      heapBytesADay,
      problems: this.#problems.slice(0, 10),
    };
  }

  #tell(problem) {
    this.#problems.push(`seed ${this.#seed}: ${problem}`);
  }
}

/** What does not depend on when it was read, of posts that are still in the workspace. */
async function removedPosts(query) {
  const rows = await query('select linkedin_post_id as id from post_performance where is_removed');
  return new Set(rows.map(({ id }) => id));
}

/** Of posts that are not left out. */
async function readCurrent(query, leftOut) {
  const rows = await query(`select t.linkedin_post_id as id, t::varchar as line from (
      select columns(c -> not contains(c, 'reading') and not ends_with(c, '_seen_at')
        and c not in ('detail_fetched_at', 'title', 'status', 'labels'))
      from post_performance
    ) as t order by line`);
  return rows.filter(({ id }) => !leftOut.has(id)).map(({ line }) => line);
}

async function countRows(query) {
  const [row] = await query(`select
    (select count(*) from linkedin_posts)::int as posts,
    (select count(*) from linkedin_post_snapshots)::int as snapshots,
    (select count(*) from loaded_responses)::int as responses,
    (select count(*) from rejected_records)::int as rejected,
    (select count(*) from webhook_events)::int as events`);
  return row;
}

function mean(values) {
  const sum = values.reduce((total, value) => total + value, 0);
  return Math.round((100 * sum) / values.length) / 100;
}

/** Of the straight line through the values that misses them least. */
function slope(values) {
  const middle = (values.length - 1) / 2;
  const average = mean(values);
  let [above, below] = [0, 0];
  for (const [index, value] of values.entries()) {
    above += (index - middle) * (value - average);
    below += (index - middle) ** 2;
  }
  return below === 0 ? 0 : Math.round(above / below);
}

function soakJobs(url, profiles, slug = 'soak') {
  const workspace = '    timeout_seconds: 2\n';
  const job = `    reports:
      - { report: emv, period: last_30_days, formats: [csv, xlsx, html], out: ./out }
`;
  return jobsFile({ url, profiles, slug, workspace, job });
}
