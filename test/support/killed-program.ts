import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../../src/config/config.ts';

const repository = resolve(import.meta.dirname, '..', '..');

/** A file operation of a process, before or after which it dies: the nth one of its name, from 1. */
export interface Death {
  readonly when: 'before' | 'after';
  readonly operation: 'rename' | 'copyFile' | 'link';
  readonly nth: number;
}

/** Runs a program of the built modules in a process that is killed at a file operation. @returns whether it was */
export async function runUntil(death: Death, program: string): Promise<boolean> {
  const source = (path: string) => pathToFileURL(join(repository, 'build', path)).href;
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
    const { RunWriter } = await import('${source('store/run-writer.js')}');
    const { load } = await import('${source('load/load.js')}');
    const { rebuildWarehouse } = await import('${source('load/rebuild.js')}');
    const { systemClock: clock } = await import('${source('core/clock.js')}');
    const { silentLog: log } = await import('${source('core/log.js')}');
    const { silentProgress: progress } = await import('${source('core/progress.js')}');
    ${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: repository,
    stdio: 'inherit',
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (code !== null && code !== 0) throw new Error(`the program failed with ${code}`);
  return signal === 'SIGKILL';
}

/** A load or a rebuild with this config. */
export function loadProgram(config: Config, name: 'load' | 'rebuildWarehouse' = 'load'): string {
  const { dataDir, warehouse, timezone } = config;
  const workspaces = [...config.workspaces.values()].map(({ key, slug, profiles }) => [
    key,
    { key, slug, profiles },
  ]);
  return `
    const workspaces = new Map(${JSON.stringify(workspaces)});
    const config = { ...${JSON.stringify({ dataDir, warehouse, timezone })}, workspaces };
    await ${name}({ config, clock, log, progress, waitMs: 0 });`;
}
