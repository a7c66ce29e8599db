import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../../src/config/config.ts';
import { compileSources } from './compiled-sources.ts';

const repository = resolve(import.meta.dirname, '..', '..');

const rooms = [
  'src/api/schemas',
  'src/core',
  'src/config',
  'src/plan',
  'src/landing',
  'src/archive',
  'src/inbox/json-bytes.ts',
  'src/inbox/events',
  'src/inbox/spool',
  'src/load',
  'src/warehouse',
];

/** A file operation of a process, before or after which it dies: the nth one of its name, from 1. */
export interface Death {
  readonly when: 'before' | 'after';
  readonly operation: 'rename' | 'copyFile';
  readonly nth: number;
}

/**
 * Compiles what lands and loads, for {@link runUntil}.
 * @param sql whether its SQL files are the repository's or a copy of them, which a test may change
 * @returns the folder that stands for the repository
 */
export async function compileProgram(sql: 'linked' | 'copied' = 'linked'): Promise<string> {
  const folder = await compileSources(rooms);
  const [from, to] = [join(repository, 'sql'), join(folder, 'sql')];
  await (sql === 'linked' ? symlink(from, to) : cp(from, to, { recursive: true }));
  return folder;
}

/** Runs a program in a process of its own, which is killed at a file operation. @returns whether it was */
export async function runUntil(death: Death, folder: string, program: string): Promise<boolean> {
  const source = (path: string) => pathToFileURL(join(folder, 'src', path)).href;
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const die = () => { process.kill(process.pid, 'SIGKILL'); return new Promise(() => setInterval(() => {}, 1000)); };
    const operate = fs.promises.${death.operation};
    let count = 0;
    fs.promises.${death.operation} = async (...given) => {
      count += 1;
      if (count !== ${death.nth}) return operate(...given);
      ${death.when === 'after' ? 'await operate(...given);' : ''}
      return die();
    };
    syncBuiltinESMExports();
    const { openPart } = await import('${source('landing/landing-part.js')}');
    const { loadLanded } = await import('${source('load/load-landed.js')}');
    const { systemClock: clock } = await import('${source('core/clock.js')}');
    const { silentLog: log } = await import('${source('core/log.js')}');
    ${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: repository,
    stdio: 'inherit',
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (code !== null && code !== 0) throw new Error(`the program failed with ${code}`);
  return signal === 'SIGKILL';
}

/** A load by this config, whose workspaces have no profiles. */
export function loadProgram(config: Config): string {
  const { dataDir, warehouse, timezone } = config;
  const workspaces = [...config.workspaces.values()].map(({ key, slug }) => [
    key,
    { key, slug, profiles: [] },
  ]);
  return `
    const workspaces = new Map(${JSON.stringify(workspaces)});
    const config = { ...${JSON.stringify({ dataDir, warehouse, timezone })}, workspaces };
    await loadLanded({ config, clock, log, waitMs: 0 });`;
}
