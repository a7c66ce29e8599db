import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import type { Config } from '../config/config.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { resolveLinks } from '../core/destination.ts';
import { PostledgerError, UsageError } from '../core/errors.ts';
import { namesIn } from '../core/found-files.ts';
import { publishFolder, shareFolder, withPrivateFolder } from '../core/private-files.ts';
import { objectProblem, openBucket, type Bucket, type ObjectStore } from '../store/object-store.ts';
import type { Database } from './database.ts';
import { copyToParquet } from './query-file.ts';
import { readDictionary, type DescribedTable } from './schema.ts';
import { openWarehouse } from './warehouse.ts';
import { withinLimits, type LimitTools } from './limits.ts';

export interface ExportRequest {
  readonly config: Pick<Config, 'warehouse' | 'timezone'>;
  /** The workspaces whose rows are exported; null for all. */
  readonly workspaces: readonly string[] | null;
}

export interface Exported {
  readonly tables: number;
  readonly rows: number;
}

/** Object storage does not answer, or refuses a request. */
class BucketError extends PostledgerError {
  readonly code = 'BUCKET';
  readonly recovery = 'retry';
}

/** SQL of the month of a row in the tables that grow by the day. */
const months: Readonly<Record<string, string>> = {
  readings: "strftime(timezone('UTC', fetched_at), '%Y-%m')",
  linkedin_post_snapshots: "strftime(captured_on, '%Y-%m')",
};

const exportedViews = new Set(['post_performance', 'linkedin_post_snapshots']);

const dictionaryName = 'dictionary.json';

/**
 * Writes the tables as Parquet files into a folder, with a dictionary of their columns. The folder takes the place of an
 * earlier export as a whole.
 * @throws UsageError when the folder has files that no export wrote
 */
export async function exportParquet(
  request: ExportRequest,
  folder: string,
  tools: LimitTools,
): Promise<Exported> {
  const own = await resolveLinks(folder);
  await refuseForeignFolder(own);
  await shareFolder(dirname(own));
  return withExport(request, dirname(own), tools, (parts) => publishFolder(parts, own));
}

/**
 * Writes the same files into a bucket. Each takes the place of the one before it, and the dictionary comes last; then
 * what only an earlier export had is removed.
 * @throws UsageError when the prefix has objects that no export wrote
 */
export async function exportToBucket(
  request: ExportRequest,
  { prefix, ...bucket }: Bucket & { readonly prefix: string },
  tools: LimitTools,
): Promise<Exported> {
  const store = await openBucket(bucket, tools.signal);
  try {
    const earlier = await listKeys(store, prefix);
    const foreign = foreignAmong(
      earlier.map((key) => key.slice(prefix.length).split('/')[0] ?? ''),
    );
    if (foreign !== undefined) {
      throw new UsageError(
        `--parquet: s3://${bucket.bucket}/${prefix} has objects that no export wrote, such as ${foreign}; name a new prefix, which each export replaces`,
      );
    }
    return await withExport(request, tmpdir(), tools, async (parts) => {
      const files = await readdir(parts, { recursive: true, withFileTypes: true });
      const paths = files
        .filter((file) => file.isFile())
        .map((file) => join(file.parentPath, file.name));
      const isLast = (path: string) => basename(path) === dictionaryName;
      const kept = new Set<string>();
      for (const path of paths.sort((a, b) => Number(isLast(a)) - Number(isLast(b)))) {
        const key = prefix + relative(parts, path).replaceAll('\\', '/');
        await store.put(key, await readFile(path));
        kept.add(key);
      }
      for (const key of earlier) if (!kept.has(key)) await store.remove(key);
    });
  } catch (error) {
    if (error instanceof PostledgerError) throw error;
    throw new BucketError(`s3://${bucket.bucket}/${prefix}: ${objectProblem(error).reason}`, {
      cause: error,
    });
  } finally {
    store.close();
  }
}

async function listKeys(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key);
  return keys;
}

/** Writes the files of an export into a folder, which goes once it has been published. */
async function withExport(
  { config, workspaces }: ExportRequest,
  parent: string,
  tools: LimitTools,
  publish: (folder: string) => Promise<void>,
): Promise<Exported> {
  return withPrivateFolder(parent, async (own) => {
    const parts = join(own, 'export');
    const tables = await withinLimits('the export', tools, async (limits) => {
      const reading = { limits, ...(workspaces && { workspaces }) };
      const database = await openWarehouse(config.warehouse, reading);
      try {
        return await writeTables(database, workspaces, parts);
      } finally {
        database.close();
      }
    });
    const { timezone } = config;
    const dictionary = { exported_at: tools.clock.now(), timezone, workspaces, tables };
    await writeFileAtomic(join(parts, dictionaryName), `${JSON.stringify(dictionary, null, 2)}\n`);
    await publish(parts);
    return { tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0) };
  });
}

/** An earlier export is replaced, and nothing else. */
async function refuseForeignFolder(folder: string): Promise<void> {
  const foreign = foreignAmong(await namesIn(folder));
  if (foreign === undefined) return;
  throw new UsageError(
    `--parquet: ${folder} has files that no export wrote, such as ${foreign}; name a new folder, which each export replaces`,
  );
}

/** Returns one of the names that no export wrote; without a dictionary that is any. */
function foreignAmong(names: readonly string[]): string | undefined {
  return names.includes(dictionaryName) ? names.find((name) => !isExported(name)) : names[0];
}

/** True for what an export writes into its folder. */
function isExported(name: string): boolean {
  return name === dictionaryName || name.endsWith('.parquet') || Object.hasOwn(months, name);
}

interface ExportedTable extends DescribedTable {
  /** The pattern of its files in the folder. */
  readonly files: string;
  readonly rows: number;
}

async function writeTables(
  database: Database,
  workspaces: readonly string[] | null,
  folder: string,
): Promise<ExportedTable[]> {
  const tables = listExported(await readDictionary(database), workspaces !== null);
  const written: ExportedTable[] = [];
  for (const table of tables) {
    const month = months[table.name];
    const files = month ? `${table.name}/month=*/*.parquet` : `${table.name}.parquet`;
    const path = join(folder, month ? table.name : files);
    const columns = month ? `*, ${month} as month` : '*';
    const scope = workspaces ? ' where list_contains($workspaces, workspace)' : '';
    const sql = `select ${columns} from ${table.name}${scope}`;
    const partition = month ? 'month' : null;
    const rows = await copyToParquet(database, sql, path, { workspaces }, partition);
    written.push({ ...table, files, rows });
  }
  return written;
}

/** Leaves out tables whose rows name no workspace when the export is of some: they may say something about others. */
function listExported(tables: readonly DescribedTable[], isNarrowed: boolean): DescribedTable[] {
  return tables.filter(
    ({ name, kind, columns }) =>
      (exportedViews.has(name) || kind === 'fact' || kind === 'derived') &&
      (!isNarrowed || columns.some((column) => column.name === 'workspace')),
  );
}
