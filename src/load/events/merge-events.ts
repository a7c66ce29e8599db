import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cell } from '../../warehouse/cell.ts';
import { checkRules } from '../../warehouse/check-rules.ts';
import { readSql } from '../../warehouse/sql-file.ts';
import type { WorkSpace } from '../../warehouse/warehouse.ts';
import { batchEvents } from './event-batches.ts';
import { judgeEvent, type EventCopy } from './judge-event.ts';
import type { WorkspaceSlugs } from './workspace-slugs.ts';

/** What the events tell of posts is merged before the events themselves, which say that it was. */
const statements = [
  'stage_posts',
  'stage_events',
  'posts',
  'labels',
  'campaigns',
  'invites',
  'webhook_events',
];

/** What holds of the tables as long as the batch's own ones are there to be compared with them. */
const checks = ['checks/events', 'checks/batch'];

/** Events by what became of them. */
export interface Outcomes {
  readonly applied: number;
  readonly kept: number;
  readonly rejected: number;
}

export interface EventFigures {
  /** Events that are new, and those that have another outcome than they had. */
  readonly told: Outcomes;
  /** All events given, as they stand now. */
  readonly now: Outcomes;
  /** Slugs of workspaces that are not configured, of events told as kept for that; a few of them. */
  readonly foreignSlugs: readonly string[];
  /** Why one of those told as rejected was. */
  readonly rejectedReason: string | null;
  /** Whether any row of `webhook_events` changed. */
  readonly hasChanged: boolean;
}

const noEvents: EventFigures = {
  told: { applied: 0, kept: 0, rejected: 0 },
  now: { applied: 0, kept: 0, rejected: 0 },
  foreignSlugs: [],
  rejectedReason: null,
  hasChanged: false,
};

/** What DuckDB reserves for a line at least. */
const leastLineBytes = 1024 * 1024;
const eventsPerWrite = 200;
const maxSlugs = 5;

/** Merges events batch by batch, each in a transaction of its own. */
export async function mergeAllEvents(
  space: WorkSpace,
  sources: AsyncIterable<readonly EventCopy[]>,
  slugs: WorkspaceSlugs,
): Promise<EventFigures> {
  let figures = noEvents;
  for await (const batch of batchEvents(sources)) {
    figures = addFigures(figures, await mergeEvents(space, batch, slugs));
    await space.commitSoFar();
  }
  return figures;
}

/**
 * Judges events and merges them with what they tell into the tables, inside the caller's transaction.
 * Their order, and merging any of them again, makes no difference.
 */
export async function mergeEvents(
  { database, folder }: WorkSpace,
  events: readonly EventCopy[],
  slugs: WorkspaceSlugs,
): Promise<EventFigures> {
  const file = join(folder, 'events.ndjson');
  const longestLine = await writeVerdicts(file, events, slugs);
  const params = { file, longest_line: Math.max(leastLineBytes, longestLine) };
  for (const name of statements) await database.run(await readSql(`load/${name}.sql`), params);
  const event_keys = events.map(({ eventKey }) => eventKey);
  for (const folder of checks) await checkRules(database, folder, { event_keys });
  const [row] = await database.queryObjects(await readSql('load/events_summary.sql'));
  return row ? figuresOf(row) : noEvents;
}

/** @returns the bytes of the longest line */
async function writeVerdicts(
  file: string,
  events: readonly EventCopy[],
  slugs: WorkspaceSlugs,
): Promise<number> {
  const handle = await open(file, 'w');
  let longest = 0;
  try {
    for (let first = 0; first < events.length; first += eventsPerWrite) {
      const lines = events
        .slice(first, first + eventsPerWrite)
        .map((event) => Buffer.from(`${JSON.stringify(judgeEvent(event, slugs))}\n`));
      await handle.writeFile(Buffer.concat(lines));
      longest = lines.reduce((bytes, line) => Math.max(bytes, line.length), longest);
    }
  } finally {
    await handle.close();
  }
  return longest;
}

/** Of two batches, one after the other. */
export function addFigures(a: EventFigures, b: EventFigures): EventFigures {
  return {
    told: addOutcomes(a.told, b.told),
    now: addOutcomes(a.now, b.now),
    foreignSlugs: [...new Set([...a.foreignSlugs, ...b.foreignSlugs])].slice(0, maxSlugs),
    rejectedReason: a.rejectedReason ?? b.rejectedReason,
    hasChanged: a.hasChanged || b.hasChanged,
  };
}

function addOutcomes(a: Outcomes, b: Outcomes): Outcomes {
  return {
    applied: a.applied + b.applied,
    kept: a.kept + b.kept,
    rejected: a.rejected + b.rejected,
  };
}

function figuresOf(row: Record<string, Cell>): EventFigures {
  const count = (name: string) => Number(row[name] ?? 0);
  const slugs = row['foreign_slugs'];
  return {
    told: { applied: count('applied'), kept: count('kept'), rejected: count('rejected') },
    now: {
      applied: count('applied_now'),
      kept: count('kept_now'),
      rejected: count('rejected_now'),
    },
    foreignSlugs: Array.isArray(slugs) ? slugs.map(String).slice(0, maxSlugs) : [],
    rejectedReason: row['rejected_reason'] === null ? null : String(row['rejected_reason']),
    hasChanged: count('changed') > 0,
  };
}
