import type { LakeAccess, LakeConfig } from '../config/config.ts';
import { packageVersion } from '../core/package-version.ts';
import type { DatabaseValue } from './cell.ts';
import type { Database } from './database.ts';
import { openWithExtensions } from './extensions.ts';
import { quoteText } from './sql-text.ts';
import { readSql } from './sql-file.ts';
import { LakeError, WarehouseMissingError, WarehouseSchemaError } from './warehouse-errors.ts';

/** The state of the catalog, as far as the role may see it. */
export interface Catalog {
  /** The newest; null where there is no lake yet. */
  readonly snapshot: number | null;
  /** The shards of that snapshot into which something was loaded, in order. */
  readonly shards: readonly Shard[];
  /** What the role may do that a reader must not, such as `write to its database`; null: nothing. */
  readonly excess: string | null;
}

/** A shard as the catalog describes it. */
export interface Shard {
  readonly name: string;
  /** The tables with what was loaded, in order. */
  readonly tables: readonly string[];
  /** The same for shards whose tables have the same columns. */
  readonly layout: string;
  /** The files of less than 10 MB. */
  readonly smallFiles: number;
}

/** The lake's name in messages, without secrets. */
export function lakeName({ data }: Pick<LakeConfig, 'data'>): string {
  return `the lake at ${data}`;
}

/**
 * Opens a session in memory that can reach the lake by this access, and has attached nothing yet.
 * @param settings DuckDB's own
 * @throws LakeError when an extension is missing or was tampered with, or the catalog cannot be reached
 */
export async function connectLake(
  lake: LakeConfig,
  access: LakeAccess,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ database: Database; catalog: Catalog }> {
  const names = ['ducklake', 'postgres_scanner', ...(access.s3 ? ['httpfs'] : [])];
  const database = await openWithExtensions(names, lake.extensions, settings);
  try {
    for (const secret of secretsOf(lake, access)) await database.run(secret);
    return { database, catalog: await readCatalog(database, access) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Attaches the lake by a name.
 * @param mode `create` where there is none yet; a number is the snapshot that is read
 */
export async function attachLake(
  database: Database,
  lake: LakeConfig,
  access: LakeAccess,
  name: string,
  mode: 'create' | 'write' | number,
): Promise<void> {
  const options = [
    'meta_secret catalog',
    `data_path ${quoteText(lake.data)}`,
    `create_if_not_exists ${mode === 'create'}`,
    ...(typeof mode === 'number' ? ['read_only', `snapshot_version ${mode}`] : []),
  ];
  const uri = quoteText(`ducklake:postgres:${catalogAddress(access).options}`);
  await database.run(`attach ${uri} as "${name}" (${options.join(', ')})`);
  if (mode === 'create') {
    await database.run(`
      call "${name}".set_option('data_inlining_row_limit', 0);
      create table "${name}".main.lake_settings as
      select ${lake.shards}::bigint as shards, ${quoteText(packageVersion)} as program;
    `);
  }
  await requireSameShards(database, lake, name);
}

/** @throws LakeError when it was made with another number of shards */
async function requireSameShards(database: Database, lake: LakeConfig, name: string) {
  const { rows } = await database.query(`select shards from "${name}".main.lake_settings`);
  const made = Number(rows[0]?.[0]);
  if (made === lake.shards) return;
  throw new LakeError(
    `${lakeName(lake)} was made with ${made} shards, and jobs.yaml says ${lake.shards}; the number never changes: write shards: ${made}, or copy it into a new lake (\`postledger warehouse copy\`)`,
  );
}

/**
 * Makes sure that no newer program has written to the attached lake, and records this one.
 * @throws WarehouseSchemaError
 */
export async function requireNewestProgram(database: Database, lake: LakeConfig): Promise<void> {
  const [settings] = await database.queryObjects('from lake.main.lake_settings');
  const last = String(settings?.['program'] ?? '');
  const [lastRelease = '', release = ''] = [last, packageVersion].map((text) => text.split('-')[0]);
  const order = lastRelease.localeCompare(release, 'en', { numeric: true });
  if (order > 0) {
    throw new WarehouseSchemaError(
      `${lakeName(lake)} was last written by postledger ${last}, and this is ${packageVersion}; install that version, or a newer one, on each machine that loads`,
    );
  }
  if (order < 0) {
    await database.run(`
      update lake.main.lake_settings set program = ${quoteText(packageVersion)};
    `);
  }
}

/** Temporary ones: no message, no file and no other SQL shows what they hold. */
function secretsOf(lake: LakeConfig, access: LakeAccess): string[] {
  const { user, password, host, port, database } = catalogAddress(access);
  const secrets = [
    secretSql('catalog', { type: 'postgres', host, port, user, password, dbname: database }),
  ];
  if (access.s3) {
    const { accessKeyId, secretAccessKey, endpoint, region } = access.s3;
    const url = endpoint === null ? null : new URL(endpoint);
    secrets.push(
      secretSql('storage', {
        type: 's3',
        scope: lake.data,
        key_id: accessKeyId.reveal(),
        secret: secretAccessKey.reveal(),
        region,
        ...(url && {
          endpoint: url.host,
          url_style: 'path',
          use_ssl: String(url.protocol === 'https:'),
        }),
      }),
    );
  }
  return secrets;
}

/** Returns SQL that creates a temporary secret. */
function secretSql(name: string, values: Readonly<Record<string, string>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== '');
  return `create secret ${name} (${given.map(([key, value]) => `${key} ${quoteText(value)}`).join(', ')})`;
}

/** @throws LakeError for anything else than the address of a PostgreSQL database */
function catalogAddress({ catalog }: LakeAccess) {
  const text = catalog.reveal();
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2) {
    throw new LakeError(
      `${catalog.origin}: ${catalog.toString()} must be postgres://user:password@host:port/database`,
    );
  }
  return {
    host: url.hostname,
    port: url.port,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    /** Connection options, for example `sslmode=require`. */
    options: [...url.searchParams].map(([key, value]) => `${key}=${value}`).join(' '),
  };
}

async function readCatalog(database: Database, access: LakeAccess): Promise<Catalog> {
  const ask = (sql: string) =>
    database.queryObjects(`from postgres_query('catalog', ${quoteText(sql)})`);
  const { options } = catalogAddress(access);
  await database.run(
    `attach ${quoteText(options)} as catalog (type postgres, secret catalog, read_only)`,
  );
  const [role] = await ask(await readSql('lake/role.sql'));
  const shards = role?.['is_made'] === true ? await ask(await readSql('lake/shards.sql')) : [];
  await database.run('detach catalog');
  const snapshot = shards[0]?.['snapshot'] ?? null;
  const excess = role?.['excess'] ?? null;
  return {
    snapshot: snapshot === null ? null : Number(snapshot),
    shards: shards.filter(({ shard }) => shard !== null).map(shardOfRow),
    excess: excess === null ? null : String(excess),
  };
}

function shardOfRow({
  shard,
  tables,
  layout,
  small_files: files,
}: Record<string, DatabaseValue>): Shard {
  return {
    name: String(shard),
    tables: String(tables).split(' '),
    layout: String(layout),
    smallFiles: Number(files),
  };
}

/** Returns shards that have all schemas of the lake among them: one of several with the same tables. */
export function differentShards({ shards }: Catalog): readonly Shard[] {
  return shards.every(({ layout }) => layout === shards[0]?.layout) ? shards.slice(0, 1) : shards;
}

/** @throws WarehouseMissingError when nothing has been loaded yet */
export function requireSnapshot({ snapshot }: Catalog, lake: LakeConfig): number {
  if (snapshot !== null) return snapshot;
  throw new WarehouseMissingError(
    `${lakeName(lake)} does not exist yet; \`postledger run\` makes it`,
  );
}
