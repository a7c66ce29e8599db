import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { compileSources } from './compiled-sources.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** Compiles the spool so that a process of its own can run it. @returns the folder that it is in */
export function compileSpool(): Promise<string> {
  const schemas = ['error', 'events', 'posts', 'vocabulary'];
  return compileSources([
    ...schemas.map((name) => `src/api/schemas/${name}.ts`),
    ...['src/core', 'src/inbox/json-bytes.ts', 'src/inbox/events', 'src/inbox/spool'],
    ...['src/landing', 'src/archive'],
    'test/support/spooled-events.ts',
  ]);
}

/** What a program can use then, under the names that tests have for it. */
export function spoolImports(folder: string): string {
  const url = (path: string) => pathToFileURL(join(folder, path)).href;
  return `
    const { writeSync } = await import('node:fs');
    const { systemClock: clock } = await import('${url('src/core/clock.js')}');
    const { listSegments } = await import('${url('src/inbox/spool/segment.js')}');
    const { SegmentWriter } = await import('${url('src/inbox/spool/write-segment.js')}');
    const { allKeys, archiveRead, eventOf, openSpool, receivedAt } =
      await import('${url('test/support/spooled-events.js')}');`;
}

export type Program = ChildProcessByStdio<Writable, Readable, null>;

/** Runs a script as a process of its own. @param wrapper a command that starts it, for example with limits */
export function startProgram(script: string, wrapper: readonly string[] = []): Program {
  const program = [process.execPath, '--input-type=module', '-e', script];
  const [command, ...args] = [...wrapper, ...program] as [string, ...string[]];
  const child = spawn(command, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}
