import { fieldOf, itemsOf } from '../core/json.ts';
import { plural, thousands } from '../core/wording.ts';
import type { DataWarning } from './data-warnings.ts';
import { noEvents, type EventOutcomes } from './load-events.ts';
import type { LoadedRuns } from './load-runs.ts';

export interface LoadSummary extends Omit<LoadedRuns, 'mayHaveWarnings'> {
  readonly warnings: readonly DataWarning[];
  readonly events: EventOutcomes;
  /** Deletions that were rejected now: their posts stay in the figures. */
  readonly rejectedDeletions: number;
  /** Files of the raw store that are missing, cannot be read, or are not what was written. */
  readonly damaged: number;
  /** Run folders left alone because another live process is writing them. */
  readonly inProgress: number;
  /** False if there was nothing new to publish. */
  readonly isPublished: boolean;
}

export const nothingNew: LoadSummary = {
  responses: 0,
  postsRead: 0,
  posts: { new: 0, changed: 0, unchanged: 0 },
  rejected: 0,
  unreadable: 0,
  textNumbers: [],
  unknownTypes: [],
  warnings: [],
  events: noEvents.outcomes,
  rejectedDeletions: 0,
  damaged: 0,
  inProgress: 0,
  isPublished: false,
};

/** Adds two summaries field by field: numbers are added, lists joined, and a flag holds if one has it. */
export function addSummaries<Summary extends object>(a: Summary, b: Summary): Summary {
  const add = (one: unknown, other: unknown): unknown => {
    if (typeof one === 'number') return one + Number(other);
    if (typeof one === 'boolean') return one || other;
    if (Array.isArray(one)) return [...new Set([...(one as unknown[]), ...itemsOf(other)])];
    return addSummaries(one as object, other as object);
  };
  const entries = Object.entries(a).map(([name, value]) => [name, add(value, fieldOf(b, name))]);
  return Object.fromEntries(entries) as Summary;
}

/** A run without an answer, another name of a profile, another copy of an event. */
const changedElsewhere =
  'No new answers or events; the records of runs, profiles and earlier events were updated';

/** One line that says what a load did. */
export function loadSentence(summary: LoadSummary): string {
  const { posts, events } = summary;
  const parts: string[] = [];
  if (summary.responses > 0) {
    parts.push(`${plural(summary.responses, 'response')} loaded`);
    const counts = countsOf({ ...posts });
    if (counts.length > 0) parts.push(`posts: ${counts.join(', ')}`);
  }
  if (events.applied + events.kept + events.rejected > 0) parts.push(eventsClause(events));
  if (parts.length === 0)
    parts.push(summary.isPublished ? changedElsewhere : 'Nothing new to load');
  if (summary.rejected > 0) parts.push(`${plural(summary.rejected, 'record')} rejected`);
  if (summary.unreadable > 0)
    parts.push(`${plural(summary.unreadable, 'value')} could not be read`);
  if (summary.rejectedDeletions > 0)
    parts.push(`${plural(summary.rejectedDeletions, 'deletion')} rejected and not applied`);
  if (summary.damaged > 0) parts.push(`${plural(summary.damaged, 'damaged file')} skipped`);
  if (summary.inProgress > 0) parts.push('a run under way was left alone');
  return `${parts.join(' · ')}.`;
}

/** `3 events applied, 1 kept`. */
export function eventsClause({ applied, kept, rejected }: EventOutcomes): string {
  return countsOf({ applied, kept, rejected })
    .join(', ')
    .replace(/^\S+/, (count) => `${count} ${count === '1' ? 'event' : 'events'}`);
}

/** `3 new`, for each count that is not zero. */
function countsOf(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${thousands(count)} ${name}`);
}
