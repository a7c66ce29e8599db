import { tz } from '@date-fns/tz';
import { format } from 'date-fns/format';
import type { EventOutcomes } from '../load/load-events.ts';
import type { LoadSummary } from '../load/load.ts';

/** A run without an answer, another name of a profile, another copy of an event. */
const changedElsewhere = 'What is known of runs, profiles or earlier events was brought up to date';

/** One line that says what a load did. */
export function loadSentence(summary: LoadSummary): string {
  const { posts, events } = summary;
  const parts: string[] = [];
  if (summary.responses > 0) {
    parts.push(
      `${plural(summary.responses, 'response')} loaded`,
      `posts: ${posts.new} new, ${posts.changed} changed, ${posts.unchanged} unchanged`,
    );
  }
  if (events.applied + events.kept + events.rejected > 0) parts.push(eventsClause(events));
  if (parts.length === 0)
    parts.push(summary.isPublished ? changedElsewhere : 'Nothing new to load');
  if (summary.rejected > 0) parts.push(`${plural(summary.rejected, 'record')} rejected`);
  if (summary.rejectedDeletions > 0)
    parts.push(`${plural(summary.rejectedDeletions, 'deletion')} rejected and not applied`);
  if (summary.damaged > 0) parts.push(`${plural(summary.damaged, 'damaged file')} skipped`);
  if (summary.inProgress > 0) parts.push('a run under way was left alone');
  return `${parts.join(' · ')}.`;
}

/** `3 events applied, 1 kept`. */
export function eventsClause({ applied, kept, rejected }: EventOutcomes): string {
  const counts = [
    [applied, 'applied'],
    [kept, 'kept'],
    [rejected, 'rejected'],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, outcome], index) =>
      index === 0 ? `${plural(count, 'event')} ${outcome}` : `${thousands(count)} ${outcome}`,
    )
    .join(', ');
}

/** `1 window`, `2 windows`. */
export function plural(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1,234`. */
export function thousands(count: number): string {
  return count.toLocaleString('en-US');
}

/** `219 bytes`, `1.2 kB`, `37.5 MB`, in steps of a thousand. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return plural(bytes, 'byte');
  const units = ['kB', 'MB', 'GB', 'TB'];
  let size = bytes / 1000;
  let unit = units.shift();
  while (Number(size.toFixed(1)) >= 1000 && units.length > 0) {
    size /= 1000;
    unit = units.shift();
  }
  return `${size.toFixed(1)} ${unit}`;
}

/** To the minute by the clocks of the zone, as in `2026-01-15 13:00 +01:00`; of null `never`. */
export function shortTime(iso: string | null, timezone: string): string {
  if (iso === null) return 'never';
  return format(new Date(iso), 'yyyy-MM-dd HH:mm xxx', { in: tz(timezone) });
}
