import { Database, quoteText } from './database.ts';
import { enterAsReader } from './file-gate.ts';

/**
 * Opens DuckDB files for reading beside each other, each as the database of its name, in a session that belongs to
 * none of them: a damaged file takes nothing else with it.
 * @param folder where what does not fit into memory goes
 * @throws QueryError when one of them cannot be opened
 */
export async function openSideBySide(
  files: Readonly<Record<string, string>>,
  folder: string,
): Promise<Database> {
  const leaves: (() => void)[] = [];
  const leaveAll = () => {
    for (const leave of leaves.splice(0)) leave();
  };
  try {
    for (const path of Object.values(files)) leaves.push(await enterAsReader(path));
    const database = await Database.open(
      ':memory:',
      'READ_WRITE',
      { temp_directory: folder },
      leaveAll,
    );
    return await attachAll(database, files);
  } catch (error) {
    leaveAll();
    throw error;
  }
}

async function attachAll(
  database: Database,
  files: Readonly<Record<string, string>>,
): Promise<Database> {
  try {
    for (const [name, path] of Object.entries(files))
      await database.run(`attach ${quoteText(path)} as ${name} (read_only)`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
