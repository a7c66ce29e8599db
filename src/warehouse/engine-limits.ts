import { sep } from 'node:path';
import type { Database } from './database.ts';
import { quoteText } from './sql-text.ts';

/** The limits of a session that runs others' SQL. */
export interface EngineLimits {
  /** The memory of the whole process. The database has half of it, and spills to disk beyond. */
  readonly memoryBytes: number;
  /** An empty folder of its own, for what does not fit into memory. */
  readonly spillFolder: string;
  /** Stops what is running, and whatever would follow. */
  readonly signal: AbortSignal;
}

const spillTimesMemory = 4;

/** Returns the limits as DuckDB's settings. */
export function engineSettings({
  memoryBytes,
  spillFolder,
}: Pick<EngineLimits, 'memoryBytes' | 'spillFolder'>): Record<string, string> {
  return {
    memory_limit: mebibytes(memoryBytes / 2),
    temp_directory: spillFolder,
    max_temp_directory_size: mebibytes(memoryBytes * spillTimesMemory),
  };
}

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)}MiB`;
}

/**
 * Cuts SQL off from files and the network, for good. What was attached before stays.
 * @param folder absolute; the only one in which files may be written and read, beside a lake's data; null for none
 */
export async function lockDown(database: Database, folder: string | null): Promise<void> {
  const folders = [...database.dataFolders, ...(folder === null ? [] : [`${folder}${sep}`])];
  await database.run(`
    set allowed_directories = [${folders.map(quoteText).join(', ')}];
    set enable_external_access = false;
    set lock_configuration = true;
  `);
}
