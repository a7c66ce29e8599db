import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Database } from './database.ts';
import { listSql, readSql } from './sql-file.ts';
import { QueryError, WarehouseSchemaError } from './warehouse-errors.ts';

interface SchemaFile {
  /** The file's name, for example `migrations/0001_schema.sql`. */
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

/** What bringing a schema up to date did. */
export interface Migrated {
  /** True if there was no schema yet. */
  readonly isNew: boolean;
  /** The newest migration of the older schema that it was, such as `0001_schema`; null if it was empty or current. */
  readonly older: string | null;
}

/**
 * Brings the schema up to date, inside the caller's transaction: migrations forward only, each with its
 * checksum, then the views (all of them after a migration, else those whose text has changed), and the comments on all columns.
 * @throws WarehouseSchemaError for a schema newer than this program, or a migration that was edited
 */
export async function migrate(database: Database): Promise<Migrated> {
  await database.run(
    'create table if not exists schema_files (name varchar not null, sha256 varchar not null)',
  );
  const applied = await readApplied(database);
  const migrations = await readFiles('migrations');
  refuseUnknown(database, applied, migrations);
  const newer = migrations.filter((file) => !applied.has(file.name));
  const views = await readViews(database);
  // a view has the columns that its tables had when it was made
  const isDue = (file: SchemaFile) => newer.length > 0 || applied.get(file.name) !== file.sha256;
  const due = [...newer, ...views.filter(isDue)];
  for (const file of due) await apply(database, file);
  const descriptions = schemaFile('descriptions.sql', await readDescriptions());
  // a view that is made again has lost its comments
  if (due.length > 0 || applied.get(descriptions.name) !== descriptions.sha256) {
    await writeComments(database);
    await record(database, descriptions);
  }
  const older = migrations.findLast((file) => applied.has(file.name));
  return {
    isNew: applied.size === 0,
    older: older && newer.length > 0 ? basename(older.name, '.sql') : null,
  };
}

/**
 * Returns true if the schema is the one that this program's statements are written for, and false if it is an older
 * one. What a load reads before it brings the schema up to date is in every schema.
 * @throws WarehouseSchemaError for a schema newer than this program, or a migration that was edited
 */
export async function isCurrentSchema(database: Database): Promise<boolean> {
  const applied = await readApplied(database).catch((error: unknown) => {
    if (isWithoutFiles(error)) return new Map<string, string>();
    throw error;
  });
  const migrations = await readFiles('migrations');
  refuseUnknown(database, applied, migrations);
  return migrations.every((file) => applied.has(file.name));
}

/**
 * Makes sure that the schema is the one that this program's statements are written for.
 * @throws WarehouseSchemaError saying what to do when it is not
 */
export async function requireCurrentSchema(database: Database): Promise<void> {
  if (!(await isCurrentSchema(database))) {
    throw new WarehouseSchemaError(
      `${locationOf(database)} has an older schema than this version of postledger; run \`postledger load\` to bring it up to date`,
    );
  }
}

async function readDescriptions(): Promise<string> {
  return `${await readSql('metrics.sql')}${await readSql('descriptions.sql')}`;
}

/** Writes the descriptions into the current schema as comments. DuckLake takes none on the columns of its views. */
async function writeComments(database: Database): Promise<void> {
  await database.run(await readDescriptions());
  const { rows } = await database.query(await readSql('comments.sql'));
  await database.run(rows.flat().join(''));
}

/** A table or a view, as sql/descriptions.sql describes it. */
export interface DescribedTable {
  readonly name: string;
  readonly kind: 'fact' | 'derived' | 'view' | 'bookkeeping';
  readonly comment: string;
  readonly key: readonly string[] | null;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly comment: string;
  }[];
}

/** Describes all tables and views of the current schema. */
export async function readDictionary(database: Database): Promise<DescribedTable[]> {
  await database.run(await readDescriptions());
  const { rows } = await database.query(await readSql('dictionary.sql'));
  return rows.map(([, entry]) => JSON.parse(String(entry)) as DescribedTable);
}

async function readApplied(database: Database): Promise<Map<string, string>> {
  const { rows } = await database.query('select name, sha256 from schema_files order by name');
  return new Map(rows.map(([name, sha256]) => [String(name), String(sha256)]));
}

/** Listing the tables instead would take a lake a second. */
function isWithoutFiles(error: unknown): boolean {
  return error instanceof QueryError && error.message.includes('name schema_files does not exist');
}

async function readFiles(folder: string): Promise<SchemaFile[]> {
  const names = await listSql(folder);
  return Promise.all(names.map(async (name) => schemaFile(name, await readSql(name))));
}

/** Reads the views. They name metrics themselves, since other programs read them without a session's variables. */
export async function readViews(database: Database): Promise<SchemaFile[]> {
  const lists = await readMetricLists(database);
  const views = await readFiles('views');
  return views.map(({ name, sql }) => schemaFile(name, withMetrics(sql, lists)));
}

/** SQL that lists metrics, by the name of its placeholder. */
type MetricLists = Readonly<Record<string, string>>;

let metricLists: MetricLists | null = null;

/** Reads the lists that sql/metric_lists.sql makes of sql/metrics.sql, in any database: they are the same in all. */
export async function readMetricLists(database: Database): Promise<MetricLists> {
  if (metricLists !== null) return metricLists;
  await database.run(await readSql('metrics.sql'));
  const [lists = {}] = await database.queryObjects<Record<string, string>>(
    await readSql('metric_lists.sql'),
  );
  return (metricLists = lists);
}

/** Writes the lists of metrics into SQL, in place of `$interactions` and the like. */
export function withMetrics(sql: string, lists: MetricLists): string {
  return Object.entries(lists).reduce(
    (text, [name, list]) => text.replaceAll(`$${name}`, list),
    sql,
  );
}

function schemaFile(name: string, text: string): SchemaFile {
  // a checkout may have changed the line ends
  const sql = text.replaceAll('\r\n', '\n');
  return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}

/** A lake is attached to a session in memory. */
function locationOf({ path }: Database): string {
  return path === ':memory:' ? 'the lake' : path;
}

/** Says how to fill a warehouse of another version again. A lake is shared with machines that may still need it. */
function remedyOf({ path }: Database): string {
  return path === ':memory:'
    ? 'give warehouse.lake an empty catalog and folder, and run `postledger load`'
    : 'run `postledger rebuild`, which makes it again from the raw store';
}

function refuseUnknown(
  database: Database,
  applied: ReadonlyMap<string, string>,
  migrations: readonly SchemaFile[],
): void {
  const known = new Map(migrations.map((file) => [file.name, file.sha256]));
  for (const [name, sha256] of applied) {
    if (!name.startsWith('migrations/')) continue;
    if (known.get(name) === sha256) continue;
    const has = known.has(name) ? `another ${name}` : name;
    throw new WarehouseSchemaError(
      `${locationOf(database)} was written by another version of postledger (it has ${has}); use that version, or ${remedyOf(database)}`,
    );
  }
}

async function apply(database: Database, file: SchemaFile): Promise<void> {
  await database.run(file.sql);
  await record(database, file);
}

async function record(database: Database, { name, sha256 }: SchemaFile): Promise<void> {
  await database.run('delete from schema_files where name = $name', { name });
  await database.run('insert into schema_files values ($name, $sha256)', { name, sha256 });
}
