import { onTestFinished } from 'vitest';
import { dayOf } from '../../src/core/calendar.ts';
import { runCli } from './cli.ts';
import { FaultMaker, type Fault, type PlannedFault } from './chaos-faults.ts';
import { ChaosMachine } from './chaos-machine.ts';
import { FleetService, makeMachine, type MachineOptions } from './fleet.ts';
import type { LakeServers, TestLake } from './lake-servers.ts';

export interface ChaosOptions {
  readonly machines: number;
  readonly workspaces: number;
  readonly shards: number;
  /** The date ranges of each profile. */
  readonly windows: number;
  readonly limit: MachineOptions['limit'];
  readonly faults: readonly PlannedFault[];
  /** The time after which no fault and no round begins; 0: there is one round. */
  readonly minutes: number;
  /** Whether the last machine's disk can be filled. */
  readonly hasOwnDisk: boolean;
  readonly log: (line: string) => void;
}

const maxRounds = 200;
/** A round in which no more faults are made has this long to end. */
const maxCalmMs = 300_000;

/** Machines that work round after round while faults hit them, and one with a file that nothing hits. */
export class Chaos {
  readonly options: ChaosOptions;
  readonly service: FleetService;
  readonly lake: TestLake;
  readonly machines: readonly ChaosMachine[];
  /** The folder of the machine that nothing hits. */
  readonly calm: string;
  /** The jobs of the rounds that are over. */
  readonly rounds: string[] = [];
  readonly #maker: FaultMaker;
  /** Aborts when faults end. */
  readonly #end = new AbortController();

  private constructor(
    options: ChaosOptions,
    servers: LakeServers,
    made: Pick<Chaos, 'service' | 'lake' | 'machines' | 'calm'>,
  ) {
    const { service, lake, machines, calm } = made;
    const { log } = options;
    this.options = options;
    this.service = service;
    this.lake = lake;
    this.machines = machines;
    this.calm = calm;
    this.#maker = new FaultMaker({ machines, service, servers, log, signal: this.#end.signal });
    onTestFinished(() => this.#end.abort());
  }

  static async start(options: ChaosOptions, servers: LakeServers): Promise<Chaos> {
    // where it is about noon, no day ends before the last round
    const offset = 12 - new Date().getUTCHours();
    const timezone = offset < 0 ? `Etc/GMT+${-offset}` : `Etc/GMT-${offset}`;
    const workspaces = Array.from({ length: options.workspaces }, (_, index) => `w${index}`);
    const service = await FleetService.start(workspaces, dayOf(new Date(), timezone));
    service.answerMs = 150;
    const { shards, windows, limit } = options;
    const lake = { ...servers.newLake('s3', { shards }), raw: 's3://lakes/raw-of-chaos/' };
    const jobs = Array.from({ length: maxRounds }, (_, index) => jobOf(index + 1));
    const common = { service, windows, timezone, jobs, details: true };
    const machines: ChaosMachine[] = [];
    for (let index = 0; index < options.machines; index += 1) {
      const name = String.fromCharCode(97 + index);
      const folder = await makeMachine(name, { ...common, lake, limit });
      const isLast = index === options.machines - 1;
      machines.push(await ChaosMachine.make(name, folder, options.hasOwnDisk && isLast));
    }
    const fast = { requests: 1000, perSeconds: 1 };
    const calm = await makeMachine('calm', { ...common, lake: null, limit: fast });
    return new Chaos(options, servers, { service, lake, machines, calm });
  }

  get faults(): readonly Fault[] {
    return this.#maker.faults;
  }

  /** Lets rounds and faults pass. @returns why a round did not end */
  async run(): Promise<string[]> {
    const { faults, minutes } = this.options;
    const making = this.#maker.makeAll(faults);
    const timer = minutes > 0 ? setTimeout(() => this.#end.abort(), minutes * 60_000) : undefined;
    const problems: string[] = [];
    do problems.push(...(await this.#round(this.rounds.length + 1)));
    while (minutes > 0 && !this.#end.signal.aborted && problems.length === 0);
    clearTimeout(timer);
    this.#end.abort();
    await making;
    return problems;
  }

  /** Each machine runs the job until its command has ended well; then the calm one runs it too. */
  async #round(number: number): Promise<string[]> {
    const job = jobOf(number);
    this.service.round = number;
    this.options.log(job);
    const giveUp = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const limitTime = () => (timer = setTimeout(() => giveUp.abort(), maxCalmMs));
    this.#end.signal.addEventListener('abort', limitTime);
    if (this.options.minutes === 0) limitTime();
    const ends = await Promise.all(
      this.machines.map((machine) => machine.runUntilDone(['run', job, '--fleet'], giveUp.signal)),
    );
    this.#end.signal.removeEventListener('abort', limitTime);
    clearTimeout(timer);
    const { code, stderr } = await runCli(['run', job], { cwd: this.calm });
    this.rounds.push(job);
    return [
      ...ends.flatMap((problem) => (problem === null ? [] : [`${job}: ${problem}`])),
      ...(code === 0 ? [] : [`${job}: the calm machine ended with ${code}: ${stderr}`]),
    ];
  }
}

function jobOf(round: number): string {
  return `round${round}`;
}
