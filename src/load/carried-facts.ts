import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { resolveLinks } from '../core/destination.ts';
import { fieldOf, itemsOf } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import { Eraser, readErasures } from '../store/erasure.ts';
import { listEventKeys } from '../store/event-store.ts';
import { readRetention } from '../store/retention.ts';
import { listRunNames } from '../store/run-folder.ts';
import { fileIdentity } from '../warehouse/published-file.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { quoteText } from '../warehouse/sql-text.ts';
import { QueryError, WarehouseFileError } from '../warehouse/warehouse-errors.ts';
import type { StagingDatabase } from '../warehouse/work-file.ts';
import { parseStoredEvent } from './stored-event.ts';

/**
 * Takes over from the published warehouse the facts whose raw data were removed after their time, so that a rebuild
 * keeps them. What was erased since is left out. A published file that is missing or cannot be read has none.
 * @returns true if there may be any
 */
export async function carryFacts(
  staging: StagingDatabase,
  warehouse: string,
  { dataDir, log }: { readonly dataDir: string; readonly log: Log },
): Promise<boolean> {
  const { database } = staging;
  const retention = await readRetention(dataDir);
  if (retention.runs_before === null && retention.events_before === null) return false;
  const runs: string[] = [];
  for await (const { workspace, runId } of listRunNames(dataDir))
    runs.push(`${workspace}/${runId}`);
  if (!(await attachPublished(staging, warehouse))) {
    log.warn({}, 'what raw data that were removed after their time held is in no warehouse');
    return false;
  }
  const params = { ...retention, runs, events: await listEventKeys(dataDir) };
  await database.run(await readSql('rebuild/carried.sql'), params);
  const eraser = new Eraser(await readErasures(dataDir));
  const { rows } = await database.query(await readSql('rebuild/carried_tables.sql'));
  for (const [table = '', target = '', keys = ''] of rows.map((row) => row.map(String))) {
    const source = `from published.${table} semi join ${keys}`;
    const kept = eraser.isEmpty ? source : await writeKept(staging, source, eraser);
    await database.run(`insert into ${target} by name ${kept}`);
  }
  await database.run(await readSql('rebuild/carry_responses.sql'));
  await staging.commitSoFar();
  return true;
}

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
  eraser: Eraser,
): Promise<string> {
  const [whole, kept] = [join(folder, 'carried.ndjson'), join(folder, 'kept.ndjson')];
  const columns = await database.queryObjects(`describe ${source}`);
  // JSON.parse has no room for a reading_id
  const shown = columns.map(({ column_name: name }) =>
    name === 'reading_id' ? 'reading_id::varchar as reading_id' : String(name),
  );
  await database.run(
    `copy (select ${shown.join(', ')} ${source}) to ${quoteText(whole)} (format json)`,
  );
  const lines = createInterface({ input: createReadStream(whole), crlfDelay: Infinity });
  await pipeline(keptLines(lines, eraser), createWriteStream(kept));
  const types = columns.map(({ column_name: name, column_type: type }) =>
    [name, type].map((text) => quoteText(String(text))).join(': '),
  );
  return `from read_json(${quoteText(kept)}, format = 'newline_delimited', columns = {${types.join(', ')}})`;
}

async function* keptLines(lines: AsyncIterable<string>, eraser: Eraser): AsyncGenerator<string> {
  for await (const line of lines) {
    const row = JSON.parse(line) as Record<string, unknown>;
    const kept = 'event_key' in row ? keptEvent(row, eraser) : keptRow(row, eraser);
    if (kept !== null) yield `${kept === row ? line : JSON.stringify(kept)}\n`;
  }
}

type FactRow = Readonly<Record<string, unknown>>;

/** @returns null for what was read of an erased profile or post; else the same row where nobody erased is in it */
function keptRow(row: FactRow, eraser: Eraser): FactRow | null {
  const workspace = String(row['workspace']);
  const isErased = (id: unknown) => typeof id === 'string' && eraser.hasProfile(workspace, id);
  if (isErased(row['profile_id'])) return null;
  if (!('profile_id' in row) && eraser.hasPost(row['post_id'])) return null;
  // a payload that was cut off cannot be searched for people
  if ('payload_sha256' in row) return { ...row, payload: '' };
  const profiles = itemsOf(row['profiles']);
  if (profiles.some((profile) => isErased(fieldOf(profile, 'profile_id'))))
    return { ...row, profiles: profiles.filter((each) => !isErased(fieldOf(each, 'profile_id'))) };
  const redacted = eraser.redactText(JSON.stringify(row));
  return redacted === null ? row : (JSON.parse(redacted) as FactRow);
}

/** An event of an erased post stays without its content, so that it is known to have been loaded. */
function keptEvent(row: FactRow, eraser: Eraser): FactRow {
  const isErased = eraser.hasPost(fieldOf(row['post'], 'post_id'));
  const payload = JSON.stringify(row['payload']);
  const redacted = isErased ? '{"type":"erased"}' : eraser.redactText(payload);
  if (redacted === null) return row;
  const event = { key: String(row['event_key']), receivedAt: String(row['received_at']) };
  const body: unknown = JSON.parse(redacted);
  const staged = parseStoredEvent({ ...event, via: 'ingest', bodyText: redacted, body });
  return { ...row, post: null, invite: null, problem: null, ...staged, payload: body };
}
