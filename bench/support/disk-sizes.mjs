import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { exists, withWarehouse } from './warehouse-file.mjs';

/** Of all files below a folder, as long as they are. */
export async function folderBytes(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries)
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}

/** @returns its bytes, and how many of them are blocks that hold nothing */
export async function databaseSizeOf(path) {
  if (!(await exists(path))) return [0, 0];
  const { size } = await stat(path);
  const free = await withWarehouse(path, async (query) => {
    const [row] = await query('pragma database_size');
    return Number(row.free_blocks) * Number(row.block_size);
  });
  return [size, free];
}

/** What the same tables take in a file that was written at one go. */
export async function compactSizeOf(path, target) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(`attach '${path}' as old (read_only)`);
    await connection.run(`attach '${target}' as compact`);
    await connection.run('copy from database old to compact');
    await connection.run('checkpoint compact');
    await connection.run('detach compact');
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  const { size } = await stat(target);
  await rm(target);
  return size;
}
