import type { BigIntStats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { hasErrorCode } from '../../core/errors.ts';

/** The names in a folder; none when there is no such folder. */
export async function readNames(folder: string): Promise<string[]> {
  return (await whenThere(readdir(folder))) ?? [];
}

/** Null when there is nothing at this path. */
export function statExisting(path: string): Promise<BigIntStats | null> {
  return whenThere(stat(path, { bigint: true }));
}

async function whenThere<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}
