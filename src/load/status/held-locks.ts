import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { hasErrorCode } from '../../core/errors.ts';
import { readLockHolder } from '../../core/lock.ts';
import { lockFolder } from '../../store/layout.ts';
import { warehouseLockPath } from '../../warehouse/warehouse.ts';

/** What a live process holds, so that others wait for it. */
export interface HeldLock {
  /** For example `extract-acme.lock`. */
  readonly path: string;
  readonly pid: number;
  readonly host: string;
  /** For example `running the job daily for acme`. */
  readonly purpose: string;
  readonly since: string;
}

/** By path. Locks whose holders are dead hold nobody up, and are left out. */
export async function listHeldLocks(config: Config): Promise<HeldLock[]> {
  const paths = [
    ...(await listLockFiles(lockFolder(config.dataDir))),
    await warehouseLockPath(config.warehouse),
  ];
  const locks: HeldLock[] = [];
  for (const path of paths) {
    const holder = await readLockHolder(path);
    if (holder === null) continue;
    const { pid, host, purpose, since } = holder;
    locks.push({ path, pid, host, purpose, since });
  }
  return locks;
}

async function listLockFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => name.endsWith('.lock'))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
