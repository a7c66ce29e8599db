import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { CliSession } from './cli-session.ts';

/** The built program. */
export const cliEntry = resolve(import.meta.dirname, '../../dist/cli.js');

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Record<string, string>;
  /** A program that starts the built one, with its own arguments. */
  readonly wrapper?: readonly string[];
  /** Its whole standard input; empty by default. */
  readonly input?: string | Uint8Array;
  /** A program to start instead of the built one. */
  readonly entry?: string;
}

/** Starts the built program in a separate process, as users do. */
export function startCli(args: readonly string[], options: CliOptions): Running {
  const program = [process.execPath, options.entry ?? cliEntry];
  const [command = '', ...rest] = [...(options.wrapper ?? []), ...program, ...args];
  const child = spawn(command, rest, {
    cwd: options.cwd,
    env: environmentOf(options.cwd, options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // a program that needs no more input may end before it has read everything
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
  const finished = new Promise<Finished>((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => done({ code, signal, ...texts }));
  });
  return { child, finished };
}

/** Waits for the JSON in which a program that serves says where it does. */
export async function servingAt<Said>({ child }: Running): Promise<Said> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.endsWith('}\n')) break;
  }
  return JSON.parse(text) as Said;
}

const session = new CliSession(cliEntry);

/** Runs the built program, in a separate process if it has a wrapper, an input, another entry or Node options. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<Finished> {
  const { cwd, env, wrapper, input, entry } = options;
  const hasNodeSettings = Object.keys(env ?? {}).some((name) => name.startsWith('NODE_'));
  if (wrapper !== undefined || input !== undefined || entry !== undefined || hasNodeSettings)
    return startCli(args, options).finished;
  let isUnderWay = true;
  onTestFinished(() => {
    if (isUnderWay) session.kill();
  });
  const ended = await session.run({ args, cwd, env: environmentOf(cwd, env) });
  isUnderWay = false;
  return { ...ended, signal: null };
}

function environmentOf(cwd: string, env: Record<string, string> | undefined) {
  return { PATH: process.env['PATH'], HOME: cwd, ...env };
}

/** Writes files below `folder`, by relative path. */
export async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text, { mode: basename(name) === '.env' ? 0o600 : 0o666 });
  }
}
