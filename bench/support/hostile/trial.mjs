import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataFolder } from '../data-folder.mjs';
import { describe, Postledger } from '../postledger.mjs';
import { SeededRandom } from '../seeded-random.mjs';
import { brokenRules, withWarehouse } from '../warehouse-file.mjs';
import { modes } from './modes.mjs';
import { HostileService } from './service.mjs';
import { Truth } from './truth.mjs';
import { WorkspaceJudge } from './workspace-judge.mjs';

const dayMs = 86_400_000;
const key = 'hostile-key-1';
const firstDay = '2025-04-01';
/** Of the first run, whose windows are of April, of May, and of the rest. */
const start = Date.parse('2025-06-15T12:00:00Z');
const usualSpeed = 40;

/** Which tries of which requests meet a mode, in one run after another. */
const phases = [
  { name: 'one window', isHit: ({ request }, judge) => judge.isTarget(request) },
  { name: 'first tries', isHit: ({ attempt }) => attempt === 1 },
  { name: 'everything', isHit: () => true },
];

/** Runs of the program against the hostile service: a workspace for each mode, several of them in each run. */
export class HostileTrial {
  #folder;
  #service;
  #seed;
  #runs = 0;
  #trials = 0;

  static async begin(folder, seed) {
    const trial = new HostileTrial();
    trial.#folder = folder;
    trial.#seed = seed;
    trial.#service = await HostileService.start(key);
    return trial;
  }

  figures() {
    const { requests, faults } = this.#service;
    return { runs: this.#runs, requests, faults };
  }

  close() {
    return this.#service.close();
  }

  /**
   * Modes at once, each in a workspace of its own.
   * @returns what does not hold, a mode and a sentence each
   */
  tryModes(group) {
    const names = group.map(({ name }) => name);
    return this.#inFolder(names, async (desk) => {
      for (const [index, phase] of phases.entries()) {
        await this.#carryOutPhase(desk, group, { ...phase, index });
        if (desk.problems.some(({ mode }) => mode === 'together')) return;
      }
      await this.#endWell(desk);
    });
  }

  /** Workspaces whose every request meets some mode or none, whatever it may come to. */
  async tryMixtures(count) {
    const names = Array.from({ length: count }, (_, index) => `mixture-${index + 1}`);
    const all = [...modes.values()].filter(({ speed }) => speed === usualSpeed);
    return this.#inFolder(names, async (desk) => {
      for (let run = 1; run <= 3; run += 1) {
        for (const [index, { workspace }] of desk.judges.entries()) {
          const random = new SeededRandom(this.#seed * 1000 + index * 10 + run);
          const share = random.between(0.1, 0.9);
          const plan = () => (random.isChance(share) ? random.pick(all) : null);
          this.#service.follow(workspace, plan);
        }
        const outcome = await this.#run(desk, usualSpeed);
        if (![0, 3].includes(outcome.code)) desk.tell('together', saying(outcome));
      }
      await this.#endWell(desk);
    });
  }

  async #carryOutPhase(desk, group, { index, name, isHit }) {
    const suffering = group.map((mode) => index !== 1 || mode.isTriedAgain);
    for (const [at, judge] of desk.judges.entries()) {
      const plan = (asked) => (isHit(asked, judge) ? group[at] : null);
      this.#service.follow(judge.workspace, suffering[at] ? plan : null);
    }
    const outcome = await this.#run(desk, group[0].speed);
    const codes = group.map((mode, at) => (suffering[at] ? mode.codes[index] : 0));
    await this.#look(desk, async (query, disk) => {
      for (const [at, judge] of desk.judges.entries()) {
        const told = (problem) => desk.tell(group[at].name, `${name}: ${problem}`);
        if (suffering[at] && this.#service.metBy(judge.workspace).size === 0)
          told('the fault met no request');
        await judge.judgeStatus(query, codes[at], told);
        const mode = suffering[at] ? group[at] : null;
        const { isModelled } = group[at];
        await judge.lookBetween(query, disk, { mode, isModelled, isLimited: index === 0, told });
      }
    });
    // where a workspace has another outcome than its mode should have, that is what is wrong
    const isExplained = desk.problems.length > 0 && [0, 3].includes(outcome.code);
    if (outcome.code !== Math.max(...codes) && !isExplained)
      desk.tell('together', `${name}: ${saying(outcome)}, not with ${Math.max(...codes)}`);
  }

  /** @param work is given a desk: a folder, a judge for each workspace, and where to tell of problems */
  async #inFolder(names, work) {
    this.#trials += 1;
    const folder = join(this.#folder, `trial-${this.#trials}`);
    const problems = [];
    const tell = (mode, problem) =>
      problems.push({ mode, problem: problem.replaceAll(this.#folder, '…').slice(0, 3000) });
    const judges = names.map((name, index) => this.#addWorkspace(name, index));
    const desk = { folder, problems, tell, judges, names, generation: 0 };
    await mkdir(folder);
    await writeFile(join(folder, 'jobs.yaml'), this.#jobsFile(judges));
    await this.#endWell(desk);
    if (problems.length > 0) throw new Error(`without faults: ${JSON.stringify(problems)}`);
    await work(desk);
    if (problems.length === 0) await rm(folder, { recursive: true });
    return problems;
  }

  #addWorkspace(name, index) {
    const workspace = `w${this.#trials}-${index}`;
    const truth = new Truth({ seed: this.#seed, name: workspace, firstDay, days: 75 });
    this.#service.add(workspace, truth);
    return new WorkspaceJudge(workspace, truth);
  }

  /** The next day's run. */
  async #run(desk, speed) {
    desk.generation += 1;
    for (const { truth } of desk.judges) truth.generation = desk.generation;
    this.#runs += 1;
    this.#service.hangUp();
    const args = ['run', '--no-reports', '--no-color'];
    const outcome = await this.#postledger(desk).start(args, { wallMs: wallOf(desk), speed }).ended;
    const { stderr } = outcome;
    if (/unexpected, this is a bug|^\s+at .*:\d+:\d+\)?$/m.test(stderr))
      desk.tell('together', `it ended with a trace: ${stderr.slice(-1500)}`);
    // what steers a terminal, from 9 and 10 apart
    if (/[\0-\x08\x0b-\x1f]/.test(stderr)) desk.tell('together', 'the log has control characters');
    if (stderr.includes(key)) desk.tell('together', 'the log has the key');
    return outcome;
  }

  async #look({ folder, tell }, work) {
    const disk = new DataFolder(join(folder, 'data'));
    for (const problem of await disk.look()) tell('together', problem);
    const path = join(folder, 'data/postledger.duckdb');
    const result = await withWarehouse(path, async (query) => {
      for (const problem of await brokenRules(query)) tell('together', problem);
      await work(query, disk);
      return true;
    });
    if (result === null) tell('together', 'there is no warehouse');
  }

  /** A good day: all has to be as if there had been no bad one. */
  async #endWell(desk) {
    for (const { workspace } of desk.judges) this.#service.follow(workspace, null);
    const outcome = await this.#run(desk, 1);
    if (outcome.code !== 0) desk.tell('together', `in the end: ${saying(outcome)}`);
    const args = ['status', '--json'];
    const { stdout } = await this.#postledger(desk).run(args, { wallMs: wallOf(desk) });
    const { profiles } = JSON.parse(stdout);
    await this.#look(desk, async (query) => {
      for (const [index, judge] of desk.judges.entries()) {
        const name = desk.names[index];
        const told = (problem) => desk.tell(name, `in the end: ${problem}`);
        const traits = { leavesOthers: modes.get(name)?.leavesOthers, told };
        await judge.lookAtTheEnd(query, traits);
        judge.lookAtStatus(profiles, traits);
      }
    });
  }

  #postledger({ folder }) {
    return new Postledger(folder, { HOSTILE_KEY: key, NO_PROXY: '127.0.0.1' });
  }

  #jobsFile(judges) {
    const workspaces = judges.map(({ workspace, truth }) => {
      const profiles = truth.profiles.map(({ id, name }) => `{ id: ${id}, name: ${name} }`);
      return `  ${workspace}:
    base_url: ${this.#service.urlOf(workspace)}
    api_key: "\${HOSTILE_KEY}"
    rate_limit: { requests: 100000, per_seconds: 60 }
    timeout_seconds: 2
    profiles: [${profiles.join(', ')}]
`;
    });
    return `workspaces:
${workspaces.join('')}jobs:
  daily:
    profiles: [${judges.map(({ workspace }) => `${workspace}/*`).join(', ')}]
    windows: { start: ${firstDay}, size_days: 30, refresh_days: 400 }
    details: true
`;
  }
}

/** From the machine's time to noon of the day. */
function wallOf({ generation }) {
  return start + generation * dayMs;
}

function saying(outcome) {
  const lines = outcome.stderr.trim().split('\n').slice(-3).join(' | ');
  return `${describe(outcome)} (${lines.slice(0, 600)})`;
}
