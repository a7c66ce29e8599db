import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');
const preload = new URL('process-under-test.mjs', import.meta.url).href;
const longestMs = 600_000;

/** The command line of the built program, in a folder with a jobs.yaml. */
export class Postledger {
  #started = 0;

  /**
   * @param folder of jobs.yaml
   * @param environment beside this process's own
   */
  constructor(folder, environment = {}) {
    this.folder = folder;
    this.environment = environment;
  }

  /**
   * @param kill `{point, nth, side}` kills at a `write` or a `statement`, `{ms}` after a time; null leaves it alone
   * @param wallMs what its clock says first, and about for ever; null: the machine's time
   * @param isForever it ends when it is told to
   */
  start(args, { kill = null, wallMs = null, speed = 1, isForever = false, environment = {} } = {}) {
    this.#started += 1;
    const countsFile = join(this.folder, `.counts-${this.#started}`);
    const child = spawn(process.execPath, ['--import', preload, cli, ...args], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...this.environment,
        ...environment,
        BENCH_COUNTS: countsFile,
        ...(wallMs !== null && { BENCH_WALL_MS: String(wallMs) }),
        ...(speed !== 1 && { BENCH_SPEED: String(speed) }),
        ...(['write', 'statement'].includes(kill?.point) && {
          BENCH_KILL_POINT: kill.point,
          BENCH_KILL_AT: String(kill.nth),
          BENCH_KILL_SIDE: kill.side,
        }),
      },
    });
    const mostMs = isForever ? null : longestMs;
    return new RunningProcess(child, args, { countsFile, killMs: kill?.ms ?? null, mostMs });
  }

  /** Runs to its end. @throws Error unless the exit code is one of `allowed` */
  async run(args, { allowed = [0], ...options } = {}) {
    const outcome = await this.start(args, options).ended;
    if (allowed.includes(outcome.code)) return outcome;
    throw new Error(`${describe(outcome)}\n${outcome.stderr.slice(-2000)}`);
  }
}

/** @returns what the process was, and how it ended */
export function describe({ args, code, signal, isEndless }) {
  const command = `postledger ${args.join(' ')}`;
  if (isEndless) return `${command} had not ended after ${longestMs / 1000} s`;
  return `${command} ended with ${signal ?? `exit code ${code}`}`;
}

class RunningProcess {
  stdout = '';
  stderr = '';

  constructor(child, args, { countsFile, killMs, mostMs }) {
    this.child = child;
    this.args = args;
    const startedMs = performance.now();
    child.stdout.on('data', (data) => (this.stdout += data));
    child.stderr.on('data', (data) => (this.stderr += data));
    const killer = killMs === null ? null : setTimeout(() => this.kill(), killMs);
    const limit = mostMs === null ? null : setTimeout(() => this.kill(), mostMs);
    const closed = once(child, 'close');
    this.ended = once(child, 'exit').then(async ([code, signal]) => {
      const ms = performance.now() - startedMs;
      clearTimeout(killer);
      clearTimeout(limit);
      // what it had written to its pipes arrives after its end
      await Promise.race([closed, delay(500)]);
      const counts = await readCounts(countsFile);
      const isEndless = mostMs !== null && ms >= mostMs;
      const { stdout, stderr } = this;
      return { args, code, signal, ms, counts, isEndless, stdout, stderr };
    });
  }

  get isAlive() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  kill(signal = 'SIGKILL') {
    this.child.kill(signal);
  }

  /** The first whole line that it prints, as JSON; null when it ends before. */
  async firstJson() {
    for (;;) {
      const text = this.stdout.trim();
      if (text.endsWith('}')) return JSON.parse(text);
      if (!this.isAlive) return null;
      await Promise.race([once(this.child.stdout, 'data'), once(this.child, 'exit')]);
    }
  }
}

/** Null when the process was killed. */
async function readCounts(file) {
  const text = await readFile(file, 'utf8').catch(() => null);
  await rm(file, { force: true });
  return text === null ? null : JSON.parse(text);
}
