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
  if (hasEvents(events)) parts.push(eventsClause(events));
  if (parts.length === 0)
    parts.push(summary.isPublished ? changedElsewhere : 'Nothing new to load');
  if (summary.rejected > 0) parts.push(`${plural(summary.rejected, 'record')} rejected`);
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

function hasEvents({ applied, kept, rejected }: EventOutcomes): boolean {
  return applied + kept + rejected > 0;
}

/** `1 window`, `2 windows`. */
export function plural(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1,234`. */
export function thousands(count: number): string {
  return count.toLocaleString('en-US');
}
