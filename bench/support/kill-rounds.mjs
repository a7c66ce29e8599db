import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { EventStream } from './event-stream.mjs';
import { KillJudge } from './kill-judge.mjs';
import { killed, KillPlan, sharesOf } from './kill-plan.mjs';
import {
  changeWorkspace,
  compareWithRebuild,
  firstRead,
  jobsFile,
  timezone,
} from './living-workspace.mjs';
import { Postledger } from './postledger.mjs';
import { SandboxWorld } from './sandbox-world.mjs';
import { SeededRandom } from './seeded-random.mjs';

const token = 'bench-token-of-some-length';
const firstDay = '2025-03-03T12:00:00Z';
/** The tables are compared with the responses so often. */
const roundsBetweenComparisons = 25;
const mostProblems = 10;
const calm = ['--log-level', 'error'];

/** One data folder, one sandbox, and round after round of processes that are killed. */
export class KillRounds {
  #folder;
  #seed;
  #random;
  #world;
  #postledger;
  #events;
  #judge;
  #shares;
  #plan = new KillPlan();
  #receiver = null;
  #round = 0;
  #days = 0;
  #killedBy = {};
  #deleted = new Set();
  #problems = [];

  /** @param only names of the commands that are run and killed */
  static async begin(folder, { seed, only, senders }) {
    const rounds = new KillRounds();
    rounds.#folder = folder;
    rounds.#seed = seed;
    rounds.#random = new SeededRandom(seed);
    rounds.#shares = sharesOf(only);
    rounds.#judge = new KillJudge(folder, (problem) => rounds.#tell(problem));
    await rounds.#open(seed, senders);
    return rounds;
  }

  async close() {
    if (this.#receiver?.isAlive) this.#receiver.kill();
    await this.#world.close();
  }

  /** Goes on until so many processes were killed, or something does not hold. */
  async until(kills, onRound) {
    const started = performance.now();
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

  async #open(seed, senders) {
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
    const { url, profiles, description } = this.#world;
    const { slug } = description.workspace;
    await writeFile(join(this.#folder, 'jobs.yaml'), jobsFile({ url, profiles, slug, port }));
    this.#events = new EventStream(webhook, this.#world, this.#random, senders);
  }

  async #carryOutRound() {
    if (this.#random.isChance(0.25)) {
      this.#days += 1;
      await this.#world.nextDay();
      await changeWorkspace(this.#world, this.#random, this.#deleted);
    }
    if (this.#random.isChance(0.5)) await this.#keepReceiver();
    const names = this.#drawNames();
    const isSending = (this.#receiver?.isAlive ?? false) && this.#random.isChance(0.4);
    const outcomes = await this.#events.during(isSending, () =>
      Promise.all(names.map((name, index) => this.#carryOut(name, index))),
    );
    for (const { name, signal } of outcomes)
      if (signal === 'SIGKILL') this.#killedBy[name] = (this.#killedBy[name] ?? 0) + 1;
    await this.#judge.lookAround(outcomes, this.#events.promised);
    if (this.#round % roundsBetweenComparisons === 0) await this.#compare();
  }

  /** One process, now and then two at once. */
  #drawNames() {
    const first = this.#random.pickByWeight(this.#shares);
    const second = this.#random.pickByWeight(this.#shares);
    const isPair = this.#random.isChance(0.3);
    const isOneOfAKind = first === second && ['serve', 'ingest'].includes(first);
    return isPair && !isOneOfAKind ? [first, second] : [first];
  }

  async #keepReceiver() {
    if (this.#receiver?.isAlive) return;
    await this.#startReceiver(null);
    await this.#events.flush();
  }

  /** Resolves when it listens, or has ended before. */
  async #startReceiver(kill) {
    const { shiftMs } = this.#world;
    const args = ['webhooks', 'serve', '--json', ...calm];
    this.#receiver = this.#postledger.start(args, { kill, shiftMs, isForever: true });
    await this.#receiver.firstJson();
  }

  async #carryOut(name, index) {
    const kill = this.#plan.draw(name, this.#random.fork(this.#round * 2 + index));
    if (name === 'serve') return this.#serve(kill);
    if (name === 'ingest') await this.#events.writeFile(join(this.#folder, 'events.ndjson'));
    const { shiftMs } = this.#world;
    const args = [...killed[name].args, ...calm];
    const outcome = await this.#postledger.start(args, { kill, shiftMs }).ended;
    if (outcome.code !== null) this.#plan.learn(name, outcome);
    if (name === 'ingest' && outcome.code === 0) this.#events.acknowledgeFile();
    return { ...outcome, name };
  }

  /** Kills a receiver with senders at it: the one that is there, or one that is started for it. */
  async #serve(kill) {
    const isStarted = !(this.#receiver?.isAlive ?? false);
    const atWrite = isStarted && kill?.write !== undefined ? kill : null;
    if (isStarted) await this.#startReceiver(atWrite);
    const receiver = this.#receiver;
    const killMs = kill === null || atWrite ? null : this.#random.between(1, 150);
    await this.#events.burst(receiver, killMs);
    const base = { args: killed.serve.args, name: 'serve', stderr: '' };
    if (kill === null) return { ...base, code: 0, signal: null };
    receiver.kill();
    return { ...(await receiver.ended), ...base, stderr: receiver.stderr };
  }

  /** Loads what is there, and holds the tables against it. */
  async #compare() {
    const { shiftMs } = this.#world;
    await this.#postledger.run(['load', '--wait', '60', ...calm], { shiftMs });
    const marks = { due: this.#events.toldDeletions(), possible: this.#deleted };
    await this.#judge.compareLoaded(timezone, marks);
  }

  /** Nothing is killed any more: one run, and all has to be as if nothing ever had been. */
  async #end() {
    await this.#keepReceiver();
    await this.#events.settle(this.#postledger, join(this.#folder, 'late.ndjson'));
    await this.#world.nextDay();
    const { shiftMs } = this.#world;
    await this.#postledger.run(['run', '--full', '--no-reports', ...calm], { shiftMs });
    await this.#compare();
    for (const key of this.#events.promised)
      if (!this.#judge.disk.events.has(key))
        this.#tell(`the event ${key} was sent, and is not there`);
    await this.#judge.compareWithTruth(await this.#world.posts(firstRead));
    if ('verify' in this.#shares) await this.#verify();
    if (!('rebuild' in this.#shares)) return;
    const found = await compareWithRebuild(this.#postledger, this.#judge.warehouse, { shiftMs });
    for (const problem of found) this.#tell(problem);
  }

  /** Kills may leave half-written files behind, and nothing else. */
  async #verify() {
    const options = { allowed: [0, 3], shiftMs: this.#world.shiftMs };
    const { stdout } = await this.#postledger.run([...killed.verify.args, '--json'], options);
    for (const { kind, path, problem } of JSON.parse(stdout).findings)
      if (kind !== 'foreign' || !path.endsWith('.tmp')) this.#tell(`verify says: ${problem}`);
  }

  #tell(problem) {
    this.#problems.push(`seed ${this.#seed}, round ${this.#round}: ${problem}`);
  }

  #summary(ms) {
    const { responses, parts, events } = this.#judge.disk;
    const more = this.#problems.length - mostProblems;
    return {
      seed: this.#seed,
      kills: this.#kills,
      rounds: this.#round,
      days: this.#days,
      seconds: Math.round(ms / 1000),
      killed: this.#killedBy,
      requests: this.#world.requests.length,
      responses: responses.size,
      runs: parts.size,
      cutOff: [...parts.values()].filter(({ finish }) => finish === null).length,
      events: events.size,
      promised: this.#events.promised.size,
      deleted: this.#deleted.size,
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
