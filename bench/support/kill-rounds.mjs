import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { compareDumps, compareTables } from './compared-tables.mjs';
import { DataFolder } from './data-folder.mjs';
import { EventStream } from './event-stream.mjs';
import { KillPlan } from './kill-plan.mjs';
import { askedAgain, asksInFlight } from './asked-again.mjs';
import { describe, Postledger } from './postledger.mjs';
import { SandboxWorld } from './sandbox-world.mjs';
import { SeededRandom } from './seeded-random.mjs';
import { brokenRules, dumpTables, exists, withWarehouse } from './warehouse-file.mjs';

const timezone = 'Europe/Berlin';
const token = 'bench-token';
const firstDay = '2025-03-03T12:00:00Z';
const firstRead = '2023-01-01';
const concurrency = 4;
/** The tables are compared with the responses so often. */
const roundsBetweenComparisons = 25;
const mostProblems = 10;
/** Of a process that is killed nowhere: done, partly done, in use by another process. */
const expectedCodes = [0, 4];

/** What is killed, and how often in comparison. */
const shares = {
  run: 30,
  full: 6,
  load: 14,
  rebuild: 14,
  report: 7,
  serve: 16,
  ingest: 5,
  verify: 4,
  prune: 4,
};

/** One data folder, one sandbox, and round after round of processes that are killed. */
export class KillRounds {
  #folder;
  #random;
  #world;
  #postledger;
  #events;
  #disk;
  #plan = new KillPlan();
  #receiver = null;
  #round = 0;
  #problems = [];
  #days = 0;
  #shares;
  #rebuilds = 0;
  #killedBy = {};
  #deleted = new Set();
  #fullRuns = new Set();

  static async begin(folder, { seed, without }) {
    const rounds = new KillRounds();
    rounds.#folder = folder;
    rounds.#random = new SeededRandom(seed);
    rounds.seed = seed;
    const names = Object.keys(shares).filter((name) => !without.includes(name));
    rounds.#shares = Object.fromEntries(names.map((name) => [name, shares[name]]));
    await rounds.#open(seed);
    return rounds;
  }

  async close() {
    if (this.#receiver?.isAlive) this.#receiver.kill();
    await this.#world.close();
  }

  /** Goes on until so many processes were killed, or something does not hold. */
  async until(kills, onRound) {
    const started = performance.now();
    await this.#requireCommands();
    while (this.#kills < kills && this.#problems.length === 0) {
      this.#round += 1;
      await this.#carryOutRound();
      onRound({ kills: this.#kills, round: this.#round });
    }
    if (this.#problems.length === 0) await this.#end();
    return this.#summary(performance.now() - started);
  }

  get #kills() {
    return Object.values(this.#killedBy).reduce((sum, count) => sum + count, 0);
  }

  async #open(seed) {
    const port = await freePort();
    await mkdir(this.#folder, { recursive: true });
    this.#postledger = new Postledger(this.#folder, {
      ACME_API_KEY: `sandbox-key-${seed}-valid`,
      WEBHOOK_TOKEN: token,
      NO_PROXY: '127.0.0.1',
    });
    const webhook = { url: `http://127.0.0.1:${port}/webhooks`, token };
    const content = { seed, profiles: 2, posts: 40, start: firstDay, webhook };
    this.#world = await SandboxWorld.start(this.#postledger, content);
    await writeFile(join(this.#folder, 'jobs.yaml'), jobsFile(this.#world, port));
    this.#disk = new DataFolder(join(this.#folder, 'data'));
    this.#events = new EventStream(webhook, this.#world, this.#random);
  }

  /** A proof that leaves a command out says so on the command line. */
  async #requireCommands() {
    for (const name of Object.keys(this.#shares)) {
      const words = commandOf(name).slice(
        0,
        ['verify', 'prune', 'serve', 'ingest'].includes(name) ? 2 : 1,
      );
      const { code } = await this.#postledger.start([...words, '--help']).ended;
      if (code !== 0) {
        throw new Error(
          `there is no postledger ${words.join(' ')}; leave it out with --without ${name}`,
        );
      }
    }
  }

  async #carryOutRound() {
    if (this.#random.isChance(0.25)) await this.#liveOn();
    if (this.#random.isChance(0.5)) await this.#keepReceiver();
    const names = [this.#random.pickByWeight(this.#shares)];
    const beside = this.#random.pickByWeight(this.#shares);
    const isAlone = beside === names[0] && ['serve', 'ingest'].includes(beside);
    if (this.#random.isChance(0.3) && !isAlone) names.push(beside);
    const asked = this.#world.requests.length;
    const landed = new Set(this.#disk.responses.keys());
    const outcomes = await this.#events.during(
      this.#receiver?.isAlive && this.#random.isChance(0.4),
      () => Promise.all(names.map((name, index) => this.#carryOut(name, index))),
    );
    await this.#lookAround(outcomes);
    const requests = this.#world.requests.slice(asked);
    this.#compareRequests(outcomes, requests, landed);
    if (this.#round % roundsBetweenComparisons === 0) await this.#compare();
  }

  /** The workspace's next day: figures grow, some are restated, and now and then a post is deleted. */
  async #liveOn() {
    this.#days += 1;
    await this.#world.nextDay();
    const posts = await this.#world.posts(firstRead);
    for (let count = 0; count < 3; count += 1) {
      const { id } = this.#random.pick(posts);
      const change = {
        impressionCount: this.#random.integer(0, 100_000),
        likeCount: this.#random.integer(-1, 500),
      };
      await this.#world.control('POST', `/linkedin-posts/${id}/metrics`, change);
    }
    if (!this.#random.isChance(0.4)) return;
    const linked = posts.filter(
      ({ servicePost }) => servicePost && !this.#deleted.has(servicePost.id),
    );
    if (linked.length < 10) return;
    const { id } = this.#random.pick(linked).servicePost;
    await this.#world.control('POST', `/posts/${id}/delete`);
    this.#deleted.add(id);
  }

  async #keepReceiver() {
    if (this.#receiver?.isAlive) return;
    await this.#startReceiver(null);
    await this.#events.flush();
  }

  /** @returns whether it listens */
  async #startReceiver(kill) {
    const { shiftMs } = this.#world;
    const args = ['webhooks', 'serve', '--json', '--log-level', 'error'];
    this.#receiver = this.#postledger.start(args, { kill, shiftMs, isForever: true });
    return (await this.#receiver.firstJson()) !== null;
  }

  async #carryOut(name, index) {
    const kill = this.#plan.draw(name, this.#random.fork(this.#round * 2 + index));
    if (name === 'serve') return this.#serve(kill);
    if (name === 'ingest') await this.#events.writeFile(join(this.#folder, 'events.ndjson'));
    const args = [...commandOf(name), '--log-level', 'error'];
    const outcome = await this.#postledger.start(args, { kill, shiftMs: this.#world.shiftMs })
      .ended;
    if (outcome.code !== null) this.#plan.learn(name, outcome);
    if (name === 'ingest' && outcome.code === 0) this.#events.acknowledgeFile();
    return { ...outcome, name };
  }

  /** Kills a receiver with senders at it: the one that is there, or one that is started for it. */
  async #serve(kill) {
    const isThere = this.#receiver?.isAlive ?? false;
    if (!isThere) await this.#startReceiver(kill?.write === undefined ? null : kill);
    const { ended } = this.#receiver;
    await this.#events.burst(() => {
      if (kill === null || (kill.write !== undefined && !isThere)) return null;
      return this.#random.between(1, 150);
    }, this.#receiver);
    const isOver = kill !== null;
    if (isOver) this.#receiver.kill();
    if (!isOver)
      return { args: ['webhooks', 'serve'], name: 'serve', code: 0, signal: null, stderr: '' };
    return { ...(await ended), name: 'serve' };
  }

  /** What has to hold after every kill. */
  async #lookAround(outcomes) {
    for (const { name, signal } of outcomes)
      if (signal === 'SIGKILL') this.#killedBy[name] = (this.#killedBy[name] ?? 0) + 1;
    for (const outcome of outcomes) {
      if (outcome.signal === 'SIGKILL' || expectedCodes.includes(outcome.code)) continue;
      this.#tell(`${describe(outcome)}: ${outcome.stderr.trim().slice(0, 1500)}`);
    }
    for (const problem of await this.#disk.look()) this.#tell(problem);
    for (const key of this.#events.promised)
      if (!this.#disk.events.has(key)) this.#tell(`the acknowledged event ${key} is not on disk`);
    await this.#lookAtPublished();
    await this.#lookAtReports();
  }

  async #lookAtPublished() {
    const path = join(this.#folder, 'data/postledger.duckdb');
    if (await exists(`${path}.wal`)) this.#tell('a .wal stands beside the published file');
    await withWarehouse(path, async (query) => {
      for (const problem of await brokenRules(query)) this.#tell(problem);
      const ledger = await query('select workspace, run_id, seq from loaded_responses');
      for (const { workspace, run_id: run, seq } of ledger)
        if (!this.#disk.responses.has(`${workspace} ${run} ${seq}`))
          this.#tell(`loaded_responses has ${run} ${seq}, which is not on disk`);
      const events = await query('select event_key from webhook_events');
      for (const { event_key: key } of events)
        if (!this.#disk.events.has(key))
          this.#tell(`webhook_events has ${key}, which is not on disk`);
    }).catch((error) => this.#tell(`the published file cannot be read: ${error.message}`));
  }

  /** Reports appear whole under their names. */
  async #lookAtReports() {
    const out = join(this.#folder, 'out');
    const names = await readdir(out, { recursive: true }).catch(() => []);
    for (const name of names.filter((each) => each.endsWith('.csv'))) {
      const text = await readFile(join(out, name), 'utf8');
      if (!text.endsWith('\n')) this.#tell(`${name} is not whole`);
    }
  }

  #compareRequests(outcomes, requests, landedBefore) {
    const runs = outcomes.filter(({ name }) => ['run', 'full'].includes(name));
    const landed = [...this.#disk.responses]
      .filter(([key]) => !landedBefore.has(key))
      .map(([, response]) => response);
    if (runs.some(({ name }) => name === 'full'))
      for (const { partKey } of landed) this.#fullRuns.add(partKey);
    const killed = runs.filter(({ signal }) => signal === 'SIGKILL').length;
    const inFlight = asksInFlight(requests, landed);
    if (inFlight > killed * concurrency)
      this.#tell(`${inFlight} requests bought nothing, with ${killed} runs killed`);
    for (const problem of askedAgain(this.#disk, landed, this.#fullRuns)) this.#tell(problem);
  }

  /** Loads what is there, and holds the tables against it. */
  async #compare() {
    const { shiftMs } = this.#world;
    await this.#postledger.run(['load', '--wait', '60', '--log-level', 'error'], { shiftMs });
    for (const problem of await this.#disk.look()) this.#tell(problem);
    await withWarehouse(join(this.#folder, 'data/postledger.duckdb'), async (query) => {
      const responses = [...this.#disk.responses.values()];
      for (const problem of await compareTables(query, responses, timezone)) this.#tell(problem);
      await this.#compareLedger(query);
      await this.#compareEvents(query);
    });
  }

  async #compareLedger(query) {
    const rows = await query('select workspace, run_id, seq from loaded_responses');
    const loaded = new Set(
      rows.map(({ workspace, run_id, seq }) => `${workspace} ${run_id} ${seq}`),
    );
    if (rows.length !== loaded.size) this.#tell('loaded_responses has a response twice');
    for (const key of this.#disk.responses.keys())
      if (!loaded.has(key)) this.#tell(`${key} is on disk and was not loaded`);
    const runs = await query('select run_id, status, finished_at from runs');
    const ended = new Map(runs.map((row) => [row.run_id, row.finished_at !== null]));
    for (const { record, finish } of this.#disk.parts.values())
      if (ended.get(record.run_id) !== (finish !== null))
        this.#tell(`runs tells otherwise of the end of ${record.run_id} than its part`);
  }

  async #compareEvents(query) {
    const rows = await query('select event_key, outcome from webhook_events');
    const keys = new Set(rows.map(({ event_key: key }) => key));
    if (rows.length !== keys.size) this.#tell('webhook_events has an event twice');
    for (const key of this.#disk.events.keys())
      if (!keys.has(key)) this.#tell(`the event ${key} is on disk and was not loaded`);
    const removed = await query('select post_id from posts where removed_at is not null');
    const marked = new Set(removed.map(({ post_id: id }) => id));
    for (const id of this.#events.toldDeletions())
      if (!marked.has(id)) this.#tell(`post ${id} was deleted, and is not marked so`);
    for (const id of marked)
      if (!this.#deleted.has(id)) this.#tell(`post ${id} is marked as removed, and is not`);
  }

  /** Nothing is killed any more: one run, and all has to be as if nothing ever had been. */
  async #end() {
    await this.#keepReceiver();
    await this.#events.settle(this.#postledger, join(this.#folder, 'late.ndjson'));
    await this.#world.nextDay();
    const { shiftMs } = this.#world;
    await this.#postledger.run(['run', '--full', '--no-reports', '--log-level', 'error'], {
      shiftMs,
    });
    await this.#compare();
    if (this.#shares.verify) await this.#postledger.run(['archive', 'verify'], { shiftMs });
    await this.#compareWithSandbox();
    if (this.#shares.rebuild) await this.#compareWithRebuild();
    const sent = this.#events.sentKeys();
    for (const key of sent)
      if (!this.#disk.events.has(key)) this.#tell(`the event ${key} was sent, and is not there`);
  }

  /** Every post of the workspace, with its newest figures. */
  async #compareWithSandbox() {
    const posts = new Map((await this.#world.posts(firstRead)).map((post) => [post.id, post]));
    await withWarehouse(join(this.#folder, 'data/postledger.duckdb'), async (query) => {
      const rows = await query(
        'select linkedin_post_id as id, impression_count, like_count from linkedin_posts',
      );
      if (rows.length !== posts.size)
        this.#tell(`linkedin_posts has ${rows.length} posts, the sandbox ${posts.size}`);
      for (const { id, impression_count: impressions, like_count: likes } of rows) {
        const post = posts.get(id);
        if (!post) this.#tell(`linkedin_posts has ${id}, which the sandbox has not`);
        else if (
          Number(impressions) !== (post.impressionCount ?? 0) ||
          Number(likes) !== (post.likeCount ?? 0)
        )
          this.#tell(
            `${id} has ${impressions} impressions and ${likes} likes; the sandbox has others`,
          );
      }
    });
  }

  async #compareWithRebuild() {
    const path = join(this.#folder, 'data/postledger.duckdb');
    const before = await withWarehouse(path, dumpTables);
    await this.#postledger.run(['rebuild', '--log-level', 'error'], {
      shiftMs: this.#world.shiftMs,
    });
    const after = await withWarehouse(path, dumpTables);
    for (const problem of compareDumps(before, after)) this.#tell(`after a rebuild, ${problem}`);
  }

  #tell(problem) {
    this.#problems.push(`seed ${this.seed}, round ${this.#round}: ${problem}`);
  }

  #summary(ms) {
    return {
      seed: this.seed,
      kills: this.#kills,
      rounds: this.#round,
      days: this.#days,
      seconds: Math.round(ms / 1000),
      killed: this.#killedBy,
      ...this.#plan.figures(),
      requests: this.#world.requests.length,
      responses: this.#disk.responses.size,
      runs: this.#disk.parts.size,
      events: this.#disk.events.size,
      promised: this.#events.promised.size,
      deleted: this.#deleted.size,
      problems: this.#problems.slice(0, mostProblems),
      ...(this.#problems.length > mostProblems && {
        moreProblems: this.#problems.length - mostProblems,
      }),
    };
  }
}

const commands = {
  run: ['run', '--no-reports', '--wait', '20'],
  full: ['run', '--full', '--no-reports', '--wait', '20'],
  load: ['load', '--wait', '20'],
  rebuild: ['rebuild'],
  report: ['report', 'run', 'emv', '--format', 'csv,html', '--out', 'out'],
  serve: ['webhooks', 'serve'],
  ingest: ['webhooks', 'ingest', 'events.ndjson'],
  verify: ['archive', 'verify'],
  prune: ['archive', 'prune', '--keep', '400d'],
};

function commandOf(name) {
  return commands[name];
}

function jobsFile({ url, profiles, description }, port) {
  const own = profiles.map(({ id, name }) => `{ id: ${id}, name: ${name}, cpm: 30 }`);
  return `timezone: ${timezone}
workspaces:
  acme:
    base_url: ${url}
    api_key: "\${ACME_API_KEY}"
    rate_limit: { requests: 100000, per_seconds: 60 }
    concurrency: ${concurrency}
    slug: ${description.workspace.slug}
    profiles: [${own.join(', ')}]
jobs:
  daily:
    profiles: [acme/*]
    windows: { start: ${firstRead}, size_days: 30, refresh_days: 35 }
    details: true
webhooks: { port: ${port}, token: "\${WEBHOOK_TOKEN}" }
`;
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
