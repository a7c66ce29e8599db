import { PostledgerError } from '../core/errors.ts';
import { Database } from './database.ts';
import { fileIdentity } from './published-file.ts';
import { LakeError } from './warehouse-errors.ts';

/** The identities of extensions' files by path. */
type Files = ReadonlyMap<string, string | null>;

/** The files whose signatures DuckDB has verified in this process, by their names and folder. */
const verified = new Map<string, Files>();

/**
 * Opens a database in memory and loads extensions. DuckDB takes a third of a second to verify their signatures, so files
 * that have not changed since are not verified again.
 * @param folder null for DuckDB's own folder, into which it downloads them
 * @param settings DuckDB's own
 * @throws LakeError when an extension is missing or was tampered with
 */
export async function openWithExtensions(
  names: readonly string[],
  folder: string | null,
  settings: Readonly<Record<string, string>>,
): Promise<Database> {
  const key = JSON.stringify([names, folder]);
  const areVerified = await areUnchanged(verified.get(key));
  const database = await Database.open(':memory:', 'READ_WRITE', {
    ...(folder !== null && { extension_directory: folder }),
    ...(areVerified && { allow_unsigned_extensions: 'true' }),
    ...settings,
  });
  try {
    const files = await identifyFiles(database, names);
    for (const name of names) await loadExtension(database, name, folder);
    if (areVerified) await database.run('set allow_unsigned_extensions = false');
    else if (files.size === names.length) verified.set(key, files);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function areUnchanged(files: Files | undefined): Promise<boolean> {
  if (files === undefined) return false;
  for (const [path, identity] of files) if ((await fileIdentity(path)) !== identity) return false;
  return true;
}

/** Returns the files that exist; an extension that has not been downloaded yet has none. */
async function identifyFiles(database: Database, names: readonly string[]): Promise<Files> {
  const { rows } = await database.query(
    'select install_path from duckdb_extensions() where installed and list_contains($names, extension_name)',
    { names },
  );
  const files = new Map<string, string | null>();
  for (const [path] of rows) files.set(String(path), await fileIdentity(String(path)));
  return files;
}

/** @throws LakeError when it is missing or was tampered with */
async function loadExtension(database: Database, name: string, folder: string | null) {
  try {
    if (folder === null) await database.run(`install ${name}`);
    await database.run(`load ${name}`);
  } catch (error) {
    if (!(error instanceof PostledgerError)) throw error;
    const remedy =
      folder === null
        ? 'let it be downloaded once, or put it into a folder that warehouse.extensions names'
        : `put the one of this DuckDB version and platform into ${folder} again`;
    const [reason = ''] = error.message.split('\n');
    throw new LakeError(`DuckDB's extension ${name} cannot be loaded (${reason}); ${remedy}`, {
      cause: error,
    });
  }
}
