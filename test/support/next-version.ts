import { cp, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * Makes a program of a later version, whose tables differ by a migration after the first.
 * @returns its entry, for `runCli`
 */
export async function makeNextVersion(migration: string): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of ['dist', 'sql', 'reports', 'package.json'])
    await cp(join(root, name), join(folder, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'sql', 'migrations', '0002_made_up.sql'), migration);
  return join(folder, 'dist', 'cli.js');
}

/** A migration after which all posts are derived again. */
export const madeUpMigration = `alter table posts add column if not exists made_up integer;
delete from load_settings;
`;
