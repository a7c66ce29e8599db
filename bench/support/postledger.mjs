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
   * @param kill `{write, side}` kills at a write, `{ms}` after a time; null leaves it alone
   * @param isForever it ends when it is told to
   */
  start(args, { kill = null, shiftMs = 0, speed = 1, isForever = false } = {}) {
    this.#started += 1;
    const writesFile = join(this.folder, `.writes-${this.#started}`);
    const child = spawn(process.execPath, ['--import', preload, cli, ...args], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...this.environment,
        BENCH_WRITES: writesFile,
        ...(shiftMs !== 0 && { BENCH_SHIFT_MS: String(shiftMs) }),
        ...(speed !== 1 && { BENCH_SPEED: String(speed) }),
        ...(kill?.write !== undefined && {
          BENCH_KILL_AT: String(kill.write),
          BENCH_KILL_SIDE: kill.side,
        }),
      },
    });
    const mostMs = isForever ? null : longestMs;
    return new RunningProcess(child, args, { writesFile, killMs: kill?.ms ?? null, mostMs });
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

  constructor(child, args, { writesFile, killMs, mostMs }) {
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
      const writes = await readCount(writesFile);
      const isEndless = mostMs !== null && ms >= mostMs;
      const { stdout, stderr } = this;
      return { args, code, signal, ms, writes, isEndless, stdout, stderr };
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
async function readCount(file) {
  const text = await readFile(file, 'utf8').catch(() => null);
  await rm(file, { force: true });
  return text === null ? null : Number(text);
}
