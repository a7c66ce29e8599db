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

/** What a program can use, by the names that tests have for it. */
export function programImports(folder: string): string {
  const source = (path: string) => pathToFileURL(join(folder, 'src', path)).href;
  return `
    const { openPart } = await import('${source('landing/landing-part.js')}');
    const { loadLanded } = await import('${source('load/load-landed.js')}');
    const { rebuildWarehouse } = await import('${source('load/rebuild.js')}');
    const { pruneArchive } = await import('${source('load/prune.js')}');
    const { systemClock: clock } = await import('${source('core/clock.js')}');
    const { silentLog: log } = await import('${source('core/log.js')}');
    const { silentProgress: progress } = await import('${source('core/progress.js')}');`;
}

/** Runs a program in a process of its own, which is killed at a file operation. @returns whether it was */
export async function runUntil(death: Death, folder: string, program: string): Promise<boolean> {
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
    ${programImports(folder)}
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
  return `${configProgram(config)}
    await loadLanded({ config, clock, log, waitMs: 0 });`;
}

/** A rebuild by this config, likewise. */
export function rebuildProgram(config: Config): string {
  return `${configProgram(config)}
    const options = { acceptsDamage: false, acceptsPruned: false, waitMs: 0 };
    const summary = await rebuildWarehouse({ config, clock, log, progress, ...options });
    if (!summary.isPublished) throw new Error(JSON.stringify(summary));`;
}

/** Pruning by this config, likewise, of all that is older than its first kept day. */
export function pruneProgram(config: Config, now: string): string {
  return `${configProgram(config)}
    const then = { ...clock, now: () => new Date('${now}') };
    const options = { keepDays: 1, isDryRun: false, waitMs: 0 };
    await pruneArchive({ config, clock: then, log, progress, ...options });`;
}

function configProgram(config: Config): string {
  const { dataDir, warehouse, timezone } = config;
  const workspaces = [...config.workspaces.values()].map(({ key, slug }) => [
    key,
    { key, slug, profiles: [] },
  ]);
  return `
    const workspaces = new Map(${JSON.stringify(workspaces)});
    const config = { ...${JSON.stringify({ dataDir, warehouse, timezone })}, workspaces };`;
}
