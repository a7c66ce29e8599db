import { z } from 'zod';
import { partPlace } from '../../archive/ledger-index.ts';
import type { GivenUp } from '../../archive/prune-part.ts';
import type { Config } from '../../config/config.ts';
import type { Day } from '../../core/calendar.ts';
import type { Cell } from '../../warehouse/cell.ts';
import type { Database } from '../../warehouse/database.ts';
import { readSql } from '../../warehouse/sql-file.ts';
import { openWarehouse } from '../../warehouse/warehouse.ts';
import { listMissingRuns } from '../archive-lag.ts';
import { PruneRefusedError } from './prune-refused-error.ts';

/** A response on which nothing rests, but snapshots. */
export interface UnneededResponse extends GivenUp {
  readonly fetchedAtMs: number;
  /** Rows of linkedin_post_snapshots that it gave. */
  readonly snapshots: number;
}

/** What the published warehouse says of responses from before the kept days. */
export interface OlderResponses {
  /** By the place of their part in the archive. */
  readonly unneeded: ReadonlyMap<string, readonly UnneededResponse[]>;
  /** How many have to stay. */
  readonly needed: number;
}

const placesTold = 3;

/** @throws PruneRefusedError when the warehouse does not have all that the archive has */
export async function readOlderResponses(
  config: Pick<Config, 'dataDir' | 'timezone' | 'warehouse'>,
  keepFrom: Day,
): Promise<OlderResponses> {
  const database = await openWarehouse(config.warehouse);
  try {
    await requireAllRuns(database, config);
    await requireKnownNames(database, config);
    const rows = await database.queryObjects(await readSql('archive/needed_responses.sql'), {
      keep_from: keepFrom,
      timezone: config.timezone,
    });
    return sortOut(rows);
  } finally {
    database.close();
  }
}

async function requireAllRuns(
  database: Database,
  { dataDir, warehouse }: Pick<Config, 'dataDir' | 'warehouse'>,
): Promise<void> {
  const missing = await listMissingRuns(database, dataDir);
  if (missing.length === 0) return;
  const told = missing.slice(0, placesTold).join(', ') + (missing.length > placesTold ? ', …' : '');
  throw new PruneRefusedError(
    `${warehouse} does not have all runs of the archive (${told}); run \`postledger rebuild\` first`,
  );
}

async function requireKnownNames(
  database: Database,
  { warehouse }: Pick<Config, 'warehouse'>,
): Promise<void> {
  const { rows } = await database.query(await readSql('archive/unread_names.sql'));
  if (rows.length === 0) return;
  throw new PruneRefusedError(
    `${warehouse} was made by an earlier version, which did not note where ${rows.length} of its labels and campaigns came from; run \`postledger rebuild\` first`,
  );
}

function sortOut(rows: readonly Record<string, Cell>[]): OlderResponses {
  const unneeded = new Map<string, UnneededResponse[]>();
  let needed = 0;
  for (const row of rows) {
    if (row['is_needed'] === true) needed += 1;
    else {
      const place = placeOf(row);
      const known = unneeded.get(place);
      if (known) known.push(responseOf(row));
      else unneeded.set(place, [responseOf(row)]);
    }
  }
  return { unneeded, needed };
}

function placeOf(row: Record<string, Cell>): string {
  return partPlace({
    workspace: String(row['workspace']),
    day: String(row['started_on']),
    run_id: String(row['run_id']),
  });
}

function responseOf(row: Record<string, Cell>): UnneededResponse {
  const count = (name: string) => Number(row[name]);
  return {
    seq: count('seq'),
    fetchedAtMs: count('fetched_at_ms'),
    posts_read: count('posts_read'),
    rejected: count('rejected'),
    snapshots: count('snapshots'),
    mentions: mentionsOf(row['mentions']),
  };
}

/** @param cell JSON of fingerprints by post; null when there are none */
function mentionsOf(cell: Cell | undefined): Record<string, string> {
  return typeof cell === 'string' ? z.record(z.string(), z.string()).parse(JSON.parse(cell)) : {};
}
