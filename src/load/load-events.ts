import { open } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Config } from '../config/config.ts';
import type { Log } from '../core/log.ts';
import { beginningOf } from '../core/shown-value.ts';
import { readEvent as readStored } from '../store/event-store.ts';
import { DamagedFileError } from '../store/stored-file.ts';
import { readSql } from '../warehouse/sql-file.ts';
import type { StagingDatabase } from '../warehouse/access.ts';
import { parseStoredEvent, type StagedEvent } from './stored-event.ts';

/** Counts events by their outcomes. */
export interface EventOutcomes {
  readonly applied: number;
  /** Events of an unknown type, or of a workspace that is not configured. */
  readonly kept: number;
  readonly rejected: number;
}

interface AppendEventsOptions {
  readonly config: Pick<Config, 'dataDir'>;
  readonly onDamage: (error: Error) => void;
  readonly onProgress?: ((count: number) => void) | undefined;
}

interface DecideEventsOptions {
  readonly log: Log;
  /** JSON: the workspace's key by its slug. */
  readonly slugs: string;
  /** True if all events are decided upon again; else those that are new, or whose posts this load has made known. */
  readonly areAllDecided: boolean;
}

const filesAtOnce = 16;
const eventsPerBatch = 2_000;
/** DuckDB reserves at least this much for a line. */
const defaultLineBytes = 1024 * 1024;

/** The events that a load changed, by outcome. */
export interface LoadedEvents {
  /** Counts of events that are new or have another outcome than before. */
  readonly outcomes: EventOutcomes;
  /** The rejected deletions among them, whose posts stay in the figures. */
  readonly rejectedDeletions: number;
}

export const noEvents: LoadedEvents = {
  outcomes: { applied: 0, kept: 0, rejected: 0 },
  rejectedDeletions: 0,
};

/** Appends events. What becomes of them is decided when all facts of the load are appended. */
export async function appendEvents(
  { database, folder }: StagingDatabase,
  keys: readonly string[],
  { config, onDamage, onProgress }: AppendEventsOptions,
): Promise<void> {
  for (let first = 0; first < keys.length; first += eventsPerBatch) {
    const batch = keys.slice(first, first + eventsPerBatch);
    const events = await readEvents(config.dataDir, batch, onDamage);
    const file = join(folder, 'events.ndjson');
    const longestLine = await writeLines(file, events);
    const params = { file, longest_line: Math.max(longestLine, defaultLineBytes) };
    if (events.length > 0) await database.run(await readSql('load/webhook_events.sql'), params);
    onProgress?.(batch.length);
  }
}

/** Decides by today's slugs, and by the workspaces in which posts are known, what becomes of events. */
export async function decideEvents(
  { database }: StagingDatabase,
  { log, slugs, areAllDecided }: DecideEventsOptions,
): Promise<LoadedEvents> {
  const params = { slugs, all: areAllDecided };
  const rows = await database.queryObjects(await readSql('load/event_outcomes.sql'), params);
  const outcomes = { ...noEvents.outcomes };
  let rejectedDeletions = 0;
  for (const { outcome, events, deletions, foreign_slugs: foreign, example } of rows) {
    outcomes[outcome as keyof EventOutcomes] = Number(events);
    if (outcome === 'rejected') {
      rejectedDeletions = Number(deletions);
      warnOfRejected(log, Number(events), rejectedDeletions, example);
    }
    warnOfForeign(log, foreign);
  }
  return { outcomes, rejectedDeletions };
}

function warnOfRejected(log: Log, events: number, deletions: number, example: unknown): void {
  const rejected =
    deletions > 0
      ? `${deletions} ${deletions === 1 ? 'deletion was' : 'deletions were'} rejected and not applied`
      : `${events} ${events === 1 ? 'event was' : 'events were'} rejected`;
  log.warn(
    { rejected: events, deletions, for_example: example },
    `${rejected}; \`postledger webhooks list --outcome rejected\` says why, \`postledger webhooks replay --rejected\` tries again after an upgrade, \`postledger webhooks discard\` ends it`,
  );
}

function warnOfForeign(log: Log, foreignSlugs: unknown): void {
  if (Array.isArray(foreignSlugs))
    log.warn(
      { slugs: foreignSlugs.map((slug) => beginningOf(String(slug))) },
      'events of workspaces that are not configured were kept; to apply them, add that slug to those of the workspace in jobs.yaml (workspaces.<key>.slug) and run `postledger load`',
    );
}

/** Damaged ones are skipped. */
export async function readEvents(
  dataDir: string,
  keys: readonly string[],
  onDamage: (error: Error) => void,
): Promise<StagedEvent[]> {
  const limit = pLimit(filesAtOnce);
  const read = async (key: string): Promise<StagedEvent[]> => {
    try {
      return [parseStoredEvent(await readStored(dataDir, key))];
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      onDamage(error);
      return [];
    }
  };
  return (await limit.map(keys, read)).flat();
}

/** @returns the bytes of the longest line */
async function writeLines(file: string, events: readonly StagedEvent[]): Promise<number> {
  let longest = 0;
  const handle = await open(file, 'w');
  try {
    for (const event of events) {
      const line = Buffer.from(`${JSON.stringify(event)}\n`);
      longest = Math.max(longest, line.length);
      await handle.write(line);
    }
  } finally {
    await handle.close();
  }
  return longest;
}
