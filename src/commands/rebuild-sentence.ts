import { sealCommand, type Finding } from '../archive/finding.ts';
import type { Losses } from '../load/rebuild/losses.ts';
import type { RebuildSummary } from '../load/rebuild.ts';
import { eventsClause, plural, thousands } from './load-sentence.ts';

const damagesTold = 3;

/** What a rebuild did, or why it did not. */
export function rebuildSentence(summary: RebuildSummary): string {
  if (!summary.isPublished) return refusalSentence(summary);
  const { runs, responses, posts, events, damages, losses, prunedUnseen, setAsideTo } = summary;
  const parts = [
    `Rebuilt from ${plural(runs, 'run')} with ${plural(responses, 'response')}`,
    plural(posts, 'LinkedIn post'),
  ];
  if (events.applied + events.kept + events.rejected > 0) parts.push(eventsClause(events));
  const notes = [...lossNotes(damages.length, losses)];
  if (prunedUnseen > 0) notes.push(unseenSentence(prunedUnseen));
  if (setAsideTo !== null) {
    notes.push(`What stood in its place is no warehouse, and was kept as ${setAsideTo}.`);
  }
  return [`${parts.join(' · ')}.`, ...notes].join(' ');
}

function unseenSentence(pruned: number): string {
  return `${plural(pruned, 'response')} of the archive ${pruned === 1 ? 'was' : 'were'} pruned: the daily snapshots that the warehouse alone had of them are gone with it.`;
}

function refusalSentence({ refusal, damages, losses }: RebuildSummary): string {
  if (!isAnyLost(losses)) return damageRefusal(damages);
  const remedy =
    refusal === 'pruned'
      ? 'give --without-pruned to do without these snapshots'
      : damageRemedy(damages.length, losses);
  const notes = lossNotes(damages.length, losses).join(' ');
  return `Nothing was published: the warehouse that is there has more than a rebuild would give. ${notes} To go on, ${remedy}.`;
}

function damageRemedy(damages: number, { responses, events, moved }: Losses): string {
  const ways = ['give --accept-damage to do without it'];
  if (damages + responses + events > 0) ways.unshift('put back what is missing from a backup');
  if (moved > 0) {
    ways.unshift(`run ${sealCommand}, which learns from the warehouse what slugs stood for`);
  }
  return ways.join(', or ');
}

/** Of what is damaged the warehouse may have nothing more, as of a line of the ledger. */
function damageRefusal(damages: readonly Finding[]): string {
  const told = damages
    .slice(0, damagesTold)
    .map(({ path, problem, remedy }) => `${path}: ${onOneLine(problem)}; ${remedy}.`);
  const more = damages.length > told.length ? ['…'] : [];
  return [
    `Nothing was published: ${damageSentence(damages.length)}`,
    ...told,
    ...more,
    '--accept-damage does without it.',
  ].join(' ');
}

function onOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

function isAnyLost({ responses, events, moved, snapshots }: Losses): boolean {
  return responses + events + moved + snapshots > 0;
}

function lossNotes(damages: number, losses: Losses): string[] {
  const { responses, runs, events, moved, snapshots, days } = losses;
  const notes: string[] = [];
  if (damages > 0) notes.push(damageSentence(damages));
  if (responses > 0) {
    const more = runs.length > 0 ? ` (of ${runs.join(', ')}, …)` : '';
    notes.push(`${plural(responses, 'loaded response')}${more} cannot be read from the archive.`);
  }
  if (events > 0) notes.push(`${plural(events, 'loaded event')} cannot be read from the archive.`);
  if (moved > 0) {
    notes.push(
      `${plural(moved, 'event')} ${moved === 1 ? 'does' : 'do'} not go to the workspace that the warehouse has ${moved === 1 ? 'it' : 'them'} in.`,
    );
  }
  if (days) {
    notes.push(
      `${thousands(snapshots)} snapshots from ${days.first} to ${days.last} are of responses that were pruned.`,
    );
  }
  return notes;
}

export function damageSentence(damages: number): string {
  return `${plural(damages, 'file')} of the archive ${damages === 1 ? 'is' : 'are'} damaged or gone.`;
}
