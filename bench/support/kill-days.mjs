import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { EventStream } from './event-stream.mjs';
import { compareDumps } from './expected-tables.mjs';
import { KillJudge } from './kill-judge.mjs';
import { killed, KillPlan, sharesOf } from './kill-plan.mjs';
import { KillSite } from './kill-site.mjs';
import { KillWorld, timezone } from './kill-world.mjs';
import { SeededRandom } from './seeded-random.mjs';
import { dumpTables, withWarehouse } from './warehouse-file.mjs';

const token = 'bench-token-of-some-length';
const mostProblems = 10;
const mostRounds = 12;
const refused = { environment: { FJORD_API_KEY: 'refused' } };
const calm = ['--log-level', 'error'];

/**
 * Two sites of one world, day after day. At one, processes are killed again and again, and at the end of the day `run` is left
 * to itself; at the other, nothing ever happens. Then both have to be the same.
 */
export class KillDays {
  #seed;
  #random;
  #world;
  #site;
  #undisturbed;
  #port;
  #events;
  #judge;
  #shares;
  #plan = new KillPlan();
  #receiver = null;
  #kills = 0;
  #rounds = 0;
  #killedAt = {};
  #unknown = 0;
  #mails = 0;
  #requests = { killed: 0, undisturbed: 0 };
  #refusedDays = 0;
  #ended = 0;
  #given = new Set();
  #problems = [];

  /** @param only names of the commands that are run and killed */
  static async begin(folder, { seed, only, senders }) {
    const days = new KillDays();
    days.#seed = seed;
    days.#random = new SeededRandom(seed);
    days.#shares = sharesOf(only);
    await days.#open(folder, senders);
    return days;
  }

  async close() {
    if (this.#receiver?.isAlive) this.#receiver.kill();
    await this.#world.close();
  }

  /** Goes on until so many processes were killed, or something does not hold. */
  async until(kills, onDay) {
    const started = performance.now();
    while (this.#kills < kills && this.#problems.length === 0) {
      await this.#live();
      onDay({ kills: this.#kills, day: this.#world.day });
    }
    if (this.#problems.length === 0) await this.#end();
    return this.#summary(performance.now() - started);
  }

  async #open(folder, senders) {
    this.#port = await freePort();
    const environment = {
      ACME_API_KEY: `sandbox-key-${this.#seed}-valid`,
      FJORD_API_KEY: `sandbox-key-${this.#seed + 1000}-valid`,
      S3_KEY: 'bench',
      WEBHOOK_TOKEN: token,
      NO_PROXY: '127.0.0.1',
    };
    const [site, undisturbed] = ['killed', 'undisturbed'].map(
      (name) => new KillSite(join(folder, name), environment),
    );
    for (const each of [site, undisturbed]) await mkdir(each.folder, { recursive: true });
    const webhook = { url: `http://127.0.0.1:${this.#port}/webhooks`, token };
    this.#site = site;
    this.#undisturbed = undisturbed;
    this.#world = await KillWorld.start(site.postledger, { seed: this.#seed, webhook });
    this.#events = new EventStream(webhook, this.#world.acme, this.#random, senders);
    this.#judge = new KillJudge(site, (problem) => this.#tell(problem));
  }

  async #live() {
    await this.#world.nextDay(this.#random);
    for (const { folder } of [this.#site, this.#undisturbed])
      await writeFile(join(folder, 'jobs.yaml'), this.#world.jobsFile(this.#port));
    this.#ended = 0;
    // what is deleted counts for all reports of the day
    await this.#settleEvents();
    const isRefused = this.#random.isChance(0.15);
    if (isRefused) await this.#runRefused();
    const rounds = this.#random.integer(3, mostRounds);
    for (let round = 0; round < rounds && this.#problems.length === 0; round += 1)
      await this.#carryOutRound();
    if (this.#problems.length === 0) await this.#endDay(isRefused);
  }

  /** A key of one client is refused at first, and is right afterwards. */
  async #runRefused() {
    this.#refusedDays += 1;
    const outcome = await this.#run(refused);
    if (outcome.code !== 3) this.#tell(`a refused key ends with exit code ${outcome.code}`);
    await this.#judge.lookAround([{ ...outcome, name: 'run' }], this.#events.promised);
  }

  async #carryOutRound() {
    this.#rounds += 1;
    if (this.#random.isChance(0.3)) await this.#keepReceiver();
    const names = this.#drawNames();
    const isSending = (this.#receiver?.isAlive ?? false) && this.#random.isChance(0.3);
    const entries = await this.#site.countEntries();
    const outcomes = await this.#events.during(isSending, () =>
      Promise.all(names.map((name, index) => this.#carryOut(name, index))),
    );
    await this.#judge.lookAround(outcomes, this.#events.promised);
    for (const { name, signal, kill } of outcomes) {
      if (signal !== 'SIGKILL') continue;
      this.#kills += 1;
      const phase = name === 'run' ? await this.#site.phase(entries) : name;
      const points = (this.#killedAt[phase] ??= {});
      points[kill.point] = (points[kill.point] ?? 0) + 1;
    }
  }

  /** One process, now and then a second of another kind beside it. */
  #drawNames() {
    const first = this.#random.pickByWeight(this.#shares);
    const second = this.#random.pickByWeight(this.#shares);
    return first !== second && this.#random.isChance(0.3) ? [first, second] : [first];
  }

  async #settleEvents() {
    await this.#keepReceiver();
    await this.#events.settle(this.#site.postledger, join(this.#site.folder, 'late.ndjson'));
    await this.#judge.lookAtDisk();
  }

  async #keepReceiver() {
    if (!('serve' in this.#shares)) return;
    if (!this.#receiver?.isAlive) await this.#startReceiver(null);
    await this.#events.flush();
  }

  /** Resolves when it listens, or has ended before. */
  async #startReceiver(kill) {
    this.#receiver = this.#start('serve', { kill, isForever: true, more: ['--json'] });
    await this.#receiver.firstJson();
  }

  #start(name, { more = [], ...options } = {}) {
    const args = [...killed[name].args, ...more, ...calm];
    return this.#site.postledger.start(args, { wallMs: this.#world.nextMs(), ...options });
  }

  async #carryOut(name, index) {
    const course = name === 'run' ? await this.#courseOfRun() : name;
    const kill = this.#plan.draw(course, this.#random.fork(this.#rounds * 2 + index));
    if (name === 'serve') return this.#serve(kill);
    if (name === 'ingest') await this.#events.writeFile(join(this.#site.folder, 'events.ndjson'));
    if (name === 'run') return { ...(await this.#run({ kill })), name, kill };
    const outcome = await this.#start(name, { kill }).ended;
    if (outcome.code !== null) this.#plan.learn(course, outcome);
    if (name === 'ingest' && outcome.code === 0) this.#events.acknowledgeFile();
    return { ...outcome, name, kill };
  }

  /** Counts those that come to their end: after such a one, the next reads young windows again. */
  async #run({ kill = null, ...options } = {}) {
    const { disk } = this.#site;
    const open = await this.#site.openRuns();
    const known = disk.parts.size;
    const course = await this.#courseOfRun();
    const outcome = await this.#watched(course, this.#start('run', { kill, ...options }), kill);
    await this.#judge.lookAtDisk();
    const hasDone = open > 0 || disk.parts.size > known;
    const isKilledAfterEnd = hasDone && (await this.#site.openRuns()) === 0;
    if ([0, 3].includes(outcome.code) || isKilledAfterEnd) this.#ended += 1;
    return outcome;
  }

  async #courseOfRun() {
    return (await this.#site.openRuns()) > 0 ? 'run on' : 'run';
  }

  /** Learns from a run that comes to its end how much one of its kind has to do. */
  async #watched(course, running, kill = null) {
    this.#world.tripwire.begin(kill, running);
    const outcome = await running.ended;
    const counts = { ...outcome.counts, ...this.#world.tripwire.end() };
    if (outcome.code === 0) this.#plan.learn(course, { ...outcome, counts });
    return outcome;
  }

  /** Kills a receiver with senders at it: the one that is there, or one that is started for it. */
  async #serve(kill) {
    const isStarted = !(this.#receiver?.isAlive ?? false);
    const isInside = isStarted && kill.point !== 'time';
    if (isStarted) await this.#startReceiver(isInside ? kill : null);
    const receiver = this.#receiver;
    await this.#events.burst(receiver, isInside ? null : this.#random.between(1, 150));
    receiver.kill();
    const { args } = killed.serve;
    const point = isInside ? kill.point : 'time';
    return { ...(await receiver.ended), args, name: 'serve', kill: { point } };
  }

  /** Nothing is killed any more: one `run`, and all has to be as if nothing ever had been. */
  async #endDay(isRefused) {
    await this.#settleEvents();
    if (this.#receiver?.isAlive) this.#receiver.kill();
    const { code, stderr } = await this.#run();
    await this.#judge.lookAtDisk();
    const deliveries = await this.#site.deliveries();
    const unknown = deliveries.filter(({ state }) => state === 'unknown');
    if (code !== (unknown.length > 0 ? 3 : 0))
      this.#tell(`the last run of the day ended with ${code}: ${stderr.slice(0, 1500)}`);
    const isOpen = ({ state }) => !['sent', 'unknown', 'discarded'].includes(state);
    for (const delivery of deliveries.filter(isOpen))
      this.#tell(`not sent in the end: ${JSON.stringify(delivery)}`);
    const own = this.#world.take();
    const others = await this.#repeatUndisturbed(isRefused);
    const noon = this.#world.acme.now();
    const day = { noon, own, others, unknown };
    await this.#judge.compareSites(this.#undisturbed, day);
    const marks = { due: this.#events.toldDeletions(), possible: this.#world.deleted };
    await this.#judge.compareLoaded(timezone, marks);
    // as somebody does who has asked the recipient
    for (const { id } of unknown) await this.#site.postledger.run(['deliver', 'discard', id]);
    this.#mails += own.mails.length;
    this.#unknown += unknown.length;
    this.#requests.killed += own.requests.length;
    this.#requests.undisturbed += others.requests.length;
  }

  /** The same events, and as many runs as have ended. @returns what they asked and sent */
  async #repeatUndisturbed(isRefused) {
    const { folder, postledger } = this.#undisturbed;
    const events = [...this.#site.disk.events].filter(([key]) => !this.#given.has(key));
    for (const [key] of events) this.#given.add(key);
    const file = join(folder, 'events.ndjson');
    await writeFile(file, events.map(([, event]) => `${JSON.stringify(event)}\n`).join(''));
    const next = () => ({ wallMs: this.#world.nextMs() });
    if (events.length > 0) await postledger.run(['webhooks', 'ingest', file, ...calm], next());
    const run = [...killed.run.args, ...calm];
    if (isRefused) await postledger.run(run, { ...refused, ...next(), allowed: [3] });
    for (let ended = isRefused ? 1 : 0; ended < this.#ended; ended += 1)
      await this.#watched('run', postledger.start(run, next()));
    return this.#world.take();
  }

  async #end() {
    await this.#judge.compareWithTruth(await this.#world.posts(), this.#world.firstYoungDay());
    const next = () => ({ wallMs: this.#world.nextMs() });
    const { postledger, warehouse } = this.#site;
    // kills may leave half-written files behind, and nothing else
    const { stdout } = await postledger.run(['verify', '--json'], { allowed: [0, 3], ...next() });
    for (const { kind, path, problem } of JSON.parse(stdout).findings)
      if (kind !== 'foreign' || !path.endsWith('.tmp')) this.#tell(`verify says: ${problem}`);
    const before = await withWarehouse(warehouse, dumpTables);
    await postledger.run([...killed.rebuild.args, ...calm], next());
    const after = await withWarehouse(warehouse, dumpTables);
    for (const problem of compareDumps(before, after)) this.#tell(`after a rebuild, ${problem}`);
  }

  #tell(problem) {
    this.#problems.push(`seed ${this.#seed}, day ${this.#world.day}: ${problem}`);
  }

  #summary(ms) {
    const { responses, parts, events } = this.#site.disk;
    const more = this.#problems.length - mostProblems;
    return {
      seed: this.#seed,
      kills: this.#kills,
      days: this.#world.day,
      seconds: Math.round(ms / 1000),
      killedAt: this.#killedAt,
      requests: this.#requests,
      responses: responses.size,
      runs: parts.size,
      cutOff: [...parts.values()].filter(({ finish }) => finish === null).length,
      mails: this.#mails,
      unknown: this.#unknown,
      daysWithRefusedKey: this.#refusedDays,
      events: events.size,
      promised: this.#events.promised.size,
      deleted: this.#world.deleted.size,
      problems: this.#problems.slice(0, mostProblems),
      ...(more > 0 && { moreProblems: more }),
    };
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
