import { Command } from '@commander-js/extra-typings';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { CommandContext, Register } from '../../src/commands/context.ts';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import {
  builtInReports,
  listReportNames,
  readSectionNames,
  userReports,
} from '../../src/report/report-catalog.ts';
import type { Clock } from '../../src/core/clock.ts';
import { systemClock } from '../../src/core/clock.ts';
import { PostledgerError } from '../../src/core/errors.ts';
import { silentProgress } from '../../src/core/progress.ts';

/** A clock that is set, and goes on from there. Pauses of a tenth of a second to a minute pass at once. */
class SetClock implements Clock {
  #offsetMs = 0;

  set(instant: string): void {
    this.#offsetMs = Date.parse(instant) - Date.now();
  }

  now(): Date {
    return new Date(Date.now() + this.#offsetMs);
  }

  monotonicMs(): number {
    return systemClock.monotonicMs();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const isPause = ms >= 100 && ms <= 60_000;
    return isPause ? turn() : systemClock.sleep(ms, signal);
  }
}

/** Runs commands in this process, at the times of a clock that is set. */
export class TimedCli {
  readonly clock = new SetClock();
  readonly configFile: string;
  readonly #folder: string;
  readonly #register: Register;

  constructor(folder: string, register: Register) {
    this.#folder = folder;
    this.configFile = join(folder, 'jobs.yaml');
    this.#register = register;
  }

  /** Runs a command at this time, or where the clock is. */
  async run(args: readonly string[], at?: string) {
    if (at !== undefined) this.clock.set(at);
    const [output, logged]: [string[], string[]] = [[], []];
    let code = -1;
    const program = new Command().exitOverride();
    const context = this.#context(output, logged);
    this.#register(program, async (work) => {
      code = await work(context).catch((error: unknown) => {
        if (!(error instanceof PostledgerError)) throw error;
        logged.push(error.message);
        return error.exitCode;
      });
    });
    await program.parseAsync([...args], { from: 'user' });
    return { code, stdout: output.join(''), log: logged.join('\n') };
  }

  #context(output: string[], logged: string[]): CommandContext {
    const note = (_: unknown, message: string) => void logged.push(message);
    const { clock, configFile } = this;
    return {
      clock,
      log: { error: note, warn: note, info: note, debug: () => undefined },
      progress: silentProgress,
      signal: new AbortController().signal,
      environment: {},
      configFile,
      isQuiet: false,
      output: {
        write: (data) => void output.push(String(data)),
        isTerminal: false,
        width: null,
        hasColor: false,
      },
      dialogue: { input: new PassThrough(), output: new PassThrough() },
      loadConfig: () => this.loadConfig(),
    };
  }

  async loadConfig(): Promise<Config> {
    const folders = [builtInReports, userReports(this.#folder)];
    return loadConfig({
      file: this.configFile,
      environment: {},
      now: this.clock.now(),
      knownReports: await listReportNames(folders),
      readSections: () => readSectionNames(folders),
    });
  }
}
