import { sep } from 'node:path';
import type { Database } from './database.ts';

/**
 * From here on, SQL reaches no file and no network, and cannot undo that. What was attached before stays.
 * @param folder absolute; the only one in which files may be written and read; null for none
 */
export async function lockDown(database: Database, folder: string | null): Promise<void> {
  const allowed = folder === null ? '' : `'${folder.replaceAll("'", "''")}${sep}'`;
  await database.run(`
    set allowed_directories = [${allowed}];
    set enable_external_access = false;
    set lock_configuration = true;
  `);
}
