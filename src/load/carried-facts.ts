import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config/config.ts';
import { resolveLinks } from '../core/destination.ts';
import { PostledgerError } from '../core/errors.ts';
import { fieldOf, itemsOf } from '../core/json.ts';
import { Eraser, isUnfinished, readErasures, type ErasureRecord } from '../store/erasure.ts';
import { listEventKeys } from '../store/event-store.ts';
import { readRetention, type RetentionRecord } from '../store/retention.ts';
import { listRunNames } from '../store/run-folder.ts';
import type { Database } from '../warehouse/database.ts';
import { fileIdentity } from '../warehouse/published-file.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { quoteText } from '../warehouse/sql-text.ts';
import { QueryError, WarehouseFileError } from '../warehouse/warehouse-errors.ts';
import type { StagingDatabase } from '../warehouse/access.ts';
import { parseStoredEvent } from './stored-event.ts';

/** The facts of removed raw data are in no warehouse, so that a load would give one with less. */
export class FactsLostError extends PostledgerError {
  readonly code = 'FACTS_LOST';
  readonly recovery = 'fix-input';
}

/** Counts the runs and events of a database, attached as `name` or itself, that are older than their retention. */
export async function countFacts(
  database: Database,
  { runs_before, events_before }: Pick<RetentionRecord, 'runs_before' | 'events_before'>,
  name = '',
): Promise<{ runs: number; events: number }> {
  const tables = { runs: `${name}run_parts`, events: `${name}webhook_events` };
  const params = { ...tables, runs_before, events_before };
  const { rows } = await database.query(await readSql('rebuild/taken_over.sql'), params);
  return { runs: Number(rows[0]?.[0]), events: Number(rows[0]?.[1]) };
}

/**
 * Checks that the warehouse has what `maintain` has removed from the raw store.
 * @param database null where there is none
 * @param name what it is attached as, with a dot
 * @throws FactsLostError
 */
export async function requireTakenOver(
  { dataDir, warehouse }: Pick<Config, 'dataDir' | 'warehouse'>,
  database: Database | null,
  name = '',
): Promise<void> {
  // a lake is shared, and no machine knows what the others have removed
  if (typeof warehouse !== 'string') return;
  const retention = await readRetention(dataDir);
  if (retention.runs_before === null && retention.events_before === null) return;
  const { runs, events } = database
    ? await countFacts(database, retention, name)
    : { runs: -1, events: -1 };
  if (runs >= retention.runs && events >= retention.events) return;
  throw new FactsLostError(
    `${warehouse} lacks what it alone had: \`maintain\` removed raw data that are older than their retention, and ${dataDir}/retention.json is the record of it. Restore the warehouse from a backup; to do without these posts, move retention.json and the warehouse away, and run \`postledger load\``,
  );
}

/**
 * Takes over from the published warehouse the facts whose raw data were removed after their time, so that a rebuild
 * keeps them. What was erased since is left out.
 * @returns true if there may be any
 * @throws FactsLostError if the published file is missing, cannot be read, or does not have them
 */
export async function carryFacts(
  staging: StagingDatabase,
  warehouse: string,
  dataDir: string,
): Promise<boolean> {
  const { database } = staging;
  const retention = await readRetention(dataDir);
  if (retention.runs_before === null && retention.events_before === null) return false;
  const runs: string[] = [];
  for await (const { workspace, runId } of listRunNames(dataDir))
    runs.push(`${workspace}/${runId}`);
  const isAttached = await attachPublished(staging, warehouse);
  await requireTakenOver({ dataDir, warehouse }, isAttached ? database : null, 'published.');
  const params = { ...retention, runs, events: await listEventKeys(dataDir) };
  await database.run(await readSql('rebuild/carried.sql'), params);
  const erasures = await readErasures(dataDir);
  const { rows } = await database.query(await readSql('rebuild/carried_tables.sql'));
  for (const [table = '', target = '', keys = ''] of rows.map((row) => row.map(String))) {
    const source = `from published.${table} semi join ${keys}`;
    const kept =
      erasures.erasures.length === 0 ? source : await writeKept(staging, source, erasures);
    // what becomes of an event is decided again, as of one that is new
    const again = table === 'webhook_events' ? resetOutcome : '*';
    await database.run(`insert into ${target} by name select ${again} ${kept}`);
  }
  await database.run(await readSql('rebuild/carry_responses.sql'));
  await staging.commitSoFar();
  return true;
}

const resetOutcome =
  "* replace ('' as outcome, null::varchar as workspace, null::varchar as reason)";

async function attachPublished(staging: StagingDatabase, warehouse: string): Promise<boolean> {
  const path = await resolveLinks(warehouse);
  if ((await fileIdentity(path)) === null) return false;
  await staging.commitSoFar();
  try {
    await staging.database.run(`attach ${quoteText(path)} as published (read_only)`);
    return true;
  } catch (error) {
    if (!(error instanceof QueryError) && !(error instanceof WarehouseFileError)) throw error;
    await staging.rollBack();
    return false;
  }
}

/** Writes rows as JSON, in which what was erased is recognised as in raw data. @returns SQL that reads what is left */
async function writeKept(
  { database, folder }: StagingDatabase,
  source: string,
  erasures: ErasureRecord,
): Promise<string> {
  const [whole, kept] = [join(folder, 'carried.ndjson'), join(folder, 'kept.ndjson')];
  // JSON stays the text that it was, and JSON.parse has no room for a reading_id
  const columns = (await database.queryObjects(`describe ${source}`)).map(
    ({ column_name: name, column_type: type }) => {
      const isText = type === 'JSON' || name === 'reading_id';
      return { name: String(name), type: isText ? 'VARCHAR' : String(type) };
    },
  );
  const shown = columns.map(({ name, type }) =>
    type === 'VARCHAR' ? `${name}::varchar as ${name}` : name,
  );
  await database.run(
    `copy (select ${shown.join(', ')} ${source}) to ${quoteText(whole)} (format json)`,
  );
  const lines = createInterface({ input: createReadStream(whole), crlfDelay: Infinity });
  await pipeline(keptLines(lines, erasures), createWriteStream(kept));
  const types = columns.map(({ name, type }) => [name, type].map(quoteText).join(': '));
  return `from read_json(${quoteText(kept)}, format = 'newline_delimited', columns = {${types.join(', ')}})`;
}

async function* keptLines(
  lines: AsyncIterable<string>,
  record: ErasureRecord,
): AsyncGenerator<string> {
  const eraser = new Eraser(record);
  for await (const line of lines) {
    const row = JSON.parse(line) as Record<string, unknown>;
    const kept = 'event_key' in row ? keptEvent(row, eraser) : keptRow(row, eraser);
    // a payload that was cut off cannot be searched for people
    const isBlanked = 'payload_sha256' in row && isUnfinished(record);
    const changed = kept && isBlanked ? { ...kept, payload: '' } : kept;
    if (changed !== null) yield `${changed === row ? line : JSON.stringify(changed)}\n`;
  }
}

type FactRow = Readonly<Record<string, unknown>>;

/** @returns null for what was read of an erased profile or post; else the same row where nobody erased is in it */
function keptRow(row: FactRow, eraser: Eraser): FactRow | null {
  const workspace = String(row['workspace']);
  const isErased = (id: unknown) => typeof id === 'string' && eraser.hasProfile(workspace, id);
  if (isErased(row['profile_id'])) return null;
  if (!('profile_id' in row) && eraser.hasPost(row['post_id'])) return null;
  const profiles = itemsOf(row['profiles']);
  if (profiles.some((profile) => isErased(fieldOf(profile, 'profile_id'))))
    return { ...row, profiles: profiles.filter((each) => !isErased(fieldOf(each, 'profile_id'))) };
  const redacted = eraser.redactText(JSON.stringify(row));
  return redacted === null ? row : (JSON.parse(redacted) as FactRow);
}

function keptEvent(row: FactRow, eraser: Eraser): FactRow {
  const bodyText = eraser.redactEvent(String(row['payload']));
  if (bodyText === null) return row;
  const { event_key: key, created_at, received_at } = row;
  const event = { key: String(key), receivedAt: String(received_at), via: 'ingest' } as const;
  const staged = parseStoredEvent({ ...event, bodyText, body: JSON.parse(bodyText) as unknown });
  return { ...row, post: null, invite: null, problem: null, ...staged, created_at };
}
