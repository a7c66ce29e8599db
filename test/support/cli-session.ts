import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

/** The result of one command line. */
interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandLine {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Carries out command lines that come as JSON on descriptor 3, each by the program's own entry, and ends what each
 * prints with a zero byte: on standard error the exit code follows, and another one.
 */
const script = (entry: string) => `
  import { writeSync } from 'node:fs';
  import { Socket } from 'node:net';
  import { createInterface } from 'node:readline';
  import { setTimeout } from 'node:timers/promises';
  // otherwise Node would take the command lines for arguments of --eval
  process.execArgv = [];
  process.setMaxListeners(0);
  process.stdout.setMaxListeners(0);
  process.stderr.setMaxListeners(0);
  const input = new Socket({ fd: 3, writable: false });
  let nth = 0;
  for await (const line of createInterface({ input })) {
    const { args, cwd, env } = JSON.parse(line);
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, env);
    process.chdir(cwd);
    process.argv = [process.argv[0], 'postledger', ...args];
    process.exitCode = undefined;
    const idle = process.getActiveResourcesInfo().length;
    await import(${JSON.stringify(pathToFileURL(entry).href)} + '?' + nth++);
    // a separate process would live until its last file is written
    while (process.getActiveResourcesInfo().length > idle) await setTimeout(2);
    process.chdir('/');
    writeSync(1, '\\0');
    writeSync(2, '\\0' + (process.exitCode ?? 0) + '\\0');
  }
  process.exitCode = 0;`;

/**
 * The program in one process for any number of command lines, one after another: a process for each would cost most of
 * a second. For what does not depend on signals, on standard input, or on how a process ends.
 */
export class CliSession {
  readonly #entry: string;
  #child: ChildProcess | null = null;
  #stdout = '';
  #stderr = '';
  #check: () => void = () => undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(entry: string) {
    this.#entry = entry;
  }

  run(line: CommandLine): Promise<Ended> {
    const ended = this.#last.then(() => this.#runLine(line));
    this.#last = ended.catch(() => undefined);
    return ended;
  }

  /** Ends the running process; the next command line starts another one. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  async #runLine(line: CommandLine): Promise<Ended> {
    const child = (this.#child ??= this.#start());
    this.#stdout = '';
    this.#stderr = '';
    return new Promise((resolve, reject) => {
      this.#check = () => {
        const [stderr = '', code, rest] = this.#stderr.split('\0');
        if (this.#stdout.endsWith('\0') && rest !== undefined)
          resolve({ code: Number(code), stdout: this.#stdout.slice(0, -1), stderr });
        else if (this.#child === null)
          reject(new Error(`${JSON.stringify(line.args)} ended the session: ${this.#stderr}`));
      };
      (child.stdio[3] as Writable).write(`${JSON.stringify(line)}\n`);
    });
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script(this.#entry)], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
      this.#check();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      this.#check();
    });
    child.on('close', () => {
      this.#child = null;
      this.#check();
    });
    return child;
  }
}
