import type { LakeAccess } from '../config/config.ts';
import { PostledgerError } from '../core/errors.ts';
import type { Database } from './database.ts';
import { firstLine } from './engine-error.ts';
import { loadExtension } from './extensions.ts';
import { postgresAddress, secretSql } from './lake.ts';
import type { DescribedTable } from './schema.ts';
import { readSql } from './sql-file.ts';
import { quoteText } from './sql-text.ts';
import { ExportError } from './warehouse-errors.ts';

/** A schema of a PostgreSQL database that belongs to exports. */
export interface PostgresTarget {
  readonly address: LakeAccess['catalog'];
  readonly schema: string;
  /** The folder of DuckDB's signed extensions; null if they may be downloaded. */
  readonly extensions: string | null;
}

/** The days by which rows are compared with the last export; a table without any is compared by workspace. */
const partTimes = [
  'captured_on',
  'last_seen_at',
  'fetched_at',
  'received_at',
  'checked_at',
  'rejected_at',
  'started_at',
];

/**
 * Makes the tables of the schema equal to those of the warehouse. The rows of a table are compared in parts, by workspace
 * and day; a part that differs is written again. Each table changes in one transaction.
 * @param workspaces the workspaces whose rows are exported; null for all
 * @returns how many rows were written
 * @throws ExportError when the database refuses something or cannot be reached
 * @throws LakeError when the address is none of PostgreSQL, or DuckDB's extension cannot be loaded
 */
export async function exportToPostgres(
  database: Database,
  tables: readonly DescribedTable[],
  workspaces: readonly string[] | null,
  target: PostgresTarget,
): Promise<number> {
  const { address, schema, extensions } = target;
  const login = postgresAddress(address);
  if (extensions !== null) await database.run(`set extension_directory = ${quoteText(extensions)}`);
  await loadExtension(database, 'postgres_scanner', extensions);
  const what = `the export into the schema ${schema} of ${address.toString()}`;
  await orExportError(what, async () => {
    await attachTarget(database, login);
    await database.run('set variable export_workspaces = $workspaces::varchar[]', { workspaces });
    await database.run(`create schema if not exists target.${schema}`);
    await onTarget(
      database,
      `create table if not exists ${schema}.postledger_export (table_name text, part text, digest text)`,
    );
  });
  let rows = 0;
  for (const table of tables) {
    const write = () => database.transaction(() => exportTable(database, table, schema));
    rows += await orExportError(`${what}: the table ${table.name}`, write);
  }
  return rows;
}

async function orExportError<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PostledgerError)) throw error;
    const reason = firstLine(error.cause ?? error);
    throw new ExportError(
      `${what} failed (${reason}); what is there is as the last export left it`,
      {
        cause: error,
      },
    );
  }
}

async function attachTarget(
  database: Database,
  { user, password, host, port, database: dbname, options }: ReturnType<typeof postgresAddress>,
): Promise<void> {
  await database.run(secretSql('target', { type: 'postgres', host, port, user, password, dbname }));
  await database.run(
    `attach ${quoteText(options)} as target (type postgres, secret target, read_write)`,
  );
}

/** Runs a statement of PostgreSQL, within the transaction. */
async function onTarget(database: Database, sql: string): Promise<void> {
  await database.run(`call postgres_execute('target', ${quoteText(sql)})`);
}

/** @returns how many rows were written */
async function exportTable(
  database: Database,
  table: DescribedTable,
  schema: string,
): Promise<number> {
  const { name } = table;
  const bookkeeping = `${schema}.postledger_export`;
  await onTarget(database, `lock table ${bookkeeping} in exclusive mode`);
  await database.run(`create or replace temp view export_rows as ${rowsOf(table)}`);
  const known = `select part as export_part, digest from ${bookkeeping}
    where table_name = '${name}' and to_regclass('${schema}.${name}') is not null`;
  await database.run(
    `create or replace temp table known_parts as from postgres_query('target', ${quoteText(known)})`,
  );
  await makeTable(database, table, schema);
  await database.run(await readSql('export/changed_parts.sql'));
  const { rows: changed } = await database.query('select export_part, digest from changed_parts');
  if (changed.length === 0) return 0;
  const parts = changed.map(([part]) => quoteText(String(part))).join(', ');
  await onTarget(database, `delete from ${schema}.${name} where export_part in (${parts})`);
  await onTarget(
    database,
    `delete from ${bookkeeping} where table_name = '${name}' and part in (${parts})`,
  );
  const { rows: written } = await database.query(`
    insert into target.${bookkeeping}
    select '${name}', export_part, digest from changed_parts where digest is not null;
    insert into target.${schema}.${name}
    from export_rows where export_part in (select export_part from changed_parts)`);
  return Number(written[0]?.[0]);
}

/** Makes the table, or makes it again if this version has other columns. Leaves no known parts then. */
async function makeTable(
  database: Database,
  { name, comment, key, columns }: DescribedTable,
  schema: string,
): Promise<void> {
  const shape = columns.map((column) => `"${column.name}" ${targetType(column.type)}`).join(', ');
  const { rows } = await database.query(
    "select digest from known_parts where export_part = 'columns'",
  );
  const isKnown = rows[0]?.[0] === shape;
  await database.run(
    `delete from known_parts where export_part = 'columns' or not ${String(isKnown)}`,
  );
  if (isKnown) return;
  const described = columns.map(
    (column) =>
      `comment on column ${schema}.${name}."${column.name}" is ${quoteText(column.comment)};`,
  );
  const bookkeeping = `${schema}.postledger_export`;
  if (rows.length > 0) await database.run(`drop table target.${schema}.${name}`);
  await database.run(`create table target.${schema}.${name} (${shape}, export_part varchar)`);
  await onTarget(
    database,
    `alter table ${schema}.${name} add primary key (${(key ?? []).join(', ')});
    create index on ${schema}.${name} (export_part);
    comment on table ${schema}.${name} is ${quoteText(comment)};
    ${described.join('\n')}
    delete from ${bookkeeping} where table_name = '${name}';
    insert into ${bookkeeping} values ('${name}', 'columns', ${quoteText(shape)})`,
  );
}

/** PostgreSQL has no structs, and lists of texts alone are arrays. */
function targetType(type: string): string {
  return /[([]/.test(type) && type !== 'VARCHAR[]' ? 'JSON' : type;
}

function rowsOf({ name, columns }: DescribedTable): string {
  const shown = columns.map((column) => `${targetValue(column)} as "${column.name}"`);
  const time = partTimes.find((known) => columns.some((column) => column.name === known));
  const hasWorkspace = columns.some((column) => column.name === 'workspace');
  const part = [
    ...(hasWorkspace ? ['workspace'] : []),
    ...(time ? [`strftime(${time}, '%Y-%m-%d')`] : []),
  ];
  const scope = hasWorkspace
    ? ` where coalesce(list_contains(getvariable('export_workspaces'), workspace), true)`
    : '';
  return `select ${shown.join(', ')}, concat_ws(' ', 'part', ${part.join(', ') || "''"}) as export_part from ${name}${scope}`;
}

/** PostgreSQL takes no NUL in texts. */
function targetValue({ name, type }: { readonly name: string; readonly type: string }): string {
  if (type === 'VARCHAR') return `replace("${name}", chr(0), '')`;
  if (type === 'VARCHAR[]')
    return `list_transform("${name}", lambda item: replace(item, chr(0), ''))`;
  return targetType(type) === type ? `"${name}"` : `to_json("${name}")`;
}
