import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from '../core/once.ts';
import { packageRoot } from '../core/package-root.ts';

/** The product's own SQL files, wherever it is installed. */
export const sqlFolder = join(packageRoot, 'sql');

/** Read once a process. @param name relative to sql/, for example `load/posts.sql` */
export const readSql = once((name: string) => readFile(join(sqlFolder, name), 'utf8'));

/** Names of a folder's SQL files relative to sql/, sorted. */
export async function listSql(folder: string): Promise<string[]> {
  const path = join(sqlFolder, folder);
  if (!existsSync(path)) return [];
  const names = await readdir(path);
  return names
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => `${folder}/${name}`);
}
