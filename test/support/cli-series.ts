import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { cliEntry } from './cli.ts';

/** What a command line came to. */
export interface Ended {
  readonly args: readonly string[];
  readonly code: number;
  readonly stderr: string;
}

const longestMs = 110_000;

/**
 * Runs command lines one after another in one process, each by the program's own entry, read anew: a process for
 * each would cost a second.
 */
export async function runSeries(
  lines: readonly (readonly string[])[],
  cwd: string,
): Promise<Ended[]> {
  const script = `
    import { writeSync } from 'node:fs';
    const lines = ${JSON.stringify(lines)};
    // or the command lines would be taken for what stands behind --eval
    process.execArgv = [];
    process.setMaxListeners(0);
    process.stdout.setMaxListeners(0);
    for (const [nth, line] of lines.entries()) {
      process.argv = [process.argv[0], 'postledger', ...line];
      process.exitCode = undefined;
      await import(${JSON.stringify(pathToFileURL(cliEntry).href)} + '?' + nth);
      writeSync(2, '\\0' + (process.exitCode ?? 0) + '\\0');
    }
    process.exitCode = 0;`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, FUZZ_KEY: 'fuzz-key' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: longestMs,
    killSignal: 'SIGKILL',
  });
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text));
  await once(child, 'close');
  const parts = told.split('\0');
  return lines.map((args, nth) => {
    const code = parts[2 * nth + 1];
    const stderr = parts[2 * nth] ?? '';
    if (code === undefined)
      throw new Error(`${JSON.stringify(args)} did not come to an end: ${stderr}`);
    return { args, code: Number(code), stderr };
  });
}
