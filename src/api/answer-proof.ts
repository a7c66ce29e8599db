import { addDays, type Day } from '../core/calendar.ts';
import { fieldOf } from '../core/json.ts';
import { readIsoTime } from '../core/iso-time.ts';
import { hasReadableId } from './schemas/analytics.ts';

/** Headers of an answer, by their names in small letters. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Why an answer proves less than it was asked for:
 *
 *     not_whole      it says itself that there is more of it
 *     unreadable_id  it has a record that does not name its post
 *     other_dates    its posts are of other days, so the service ignored the dates
 *
 * Or something of one that proves its days:
 *
 *     round_count    it may be cut off, since it has a round number of records: its halves tell
 *     ends_today     the service refuses dates to come, so that its last date counts
 */
export const proofReasons = [
  'not_whole',
  'unreadable_id',
  'other_dates',
  'round_count',
  'ends_today',
] as const;
export type ProofReason = (typeof proofReasons)[number];

/** What an analytics answer proves: that these are all posts of these days. */
export interface AnswerProof {
  /** Null if it proves nothing of any day. Its posts are loaded all the same. */
  readonly days: { readonly first: Day; readonly last: Day } | null;
  readonly reason: ProofReason | null;
  /** The problem and its remedy; null if the answer proves what it was asked for. */
  readonly problem: string | null;
  /** The number of records that are dated more than a day outside of the dates that were asked for. */
  readonly outside: number;
  /** True if there are records, and none of them can be loaded. */
  readonly isUnreadable: boolean;
}

/** An answer whose status is 200. */
interface JudgedAnswer {
  /** The dates that were asked for, both inclusive. */
  readonly start: Day;
  readonly end: Day;
  /** The last day that the answer is to prove: `end`, or the day before it, since nobody says that `end` is inclusive. */
  readonly lastDay: Day;
  /** True if no later date was asked for because the service refuses dates to come. */
  readonly endsToday: boolean;
  readonly headers: AnswerHeaders;
  readonly records: readonly unknown[];
}

/**
 * Judges what an answer proves, by the request, the headers and the records alone. Nothing else in this program doubts an
 * answer: the result is stored with it, and every statement about completeness rests on it.
 */
export function judgeAnswer({
  start,
  end,
  lastDay,
  endsToday,
  headers,
  records,
}: JudgedAnswer): AnswerProof {
  const unreadable = records.filter((record) => !hasReadableId(record)).length;
  const dates = records.flatMap(dateOf);
  const [dayBefore, dayAfter] = [addDays(start, -1), addDays(end, 1)];
  const early = dates.filter((date) => date < dayBefore);
  const late = dates.filter((date) => date > dayAfter);
  const outside = early.length + late.length;
  const isUnreadable = records.length > 0 && unreadable === records.length;
  const nothing = (reason: ProofReason, problem: string): AnswerProof => ({
    days: null,
    reason,
    problem,
    outside,
    isUnreadable,
  });
  const sign = signOfMore(headers, records.length);
  if (outside >= 2 && outside > dates.length / 10) {
    const example = late.at(-1) ?? early[0] ?? '';
    return nothing(
      'other_dates',
      `${outside} of ${records.length} posts are dated more than a day outside of these dates, for example ${example}, so the service ignored the dates; the posts are loaded and the days count as not read, until a later run gets an answer to what it asks for`,
    );
  }
  if (sign !== null)
    return nothing(
      'not_whole',
      `the answer says that it is not whole (${sign}); its ${records.length} posts are loaded, and its days count as not read until they are answered whole`,
    );
  if (unreadable > 0)
    return nothing(
      'unreadable_id',
      `${unreadable} of ${records.length} records have no id that can be read${isUnreadable ? '' : '; the others are loaded'}, and the days count as not read; see: postledger sql "select reason, payload from rejected_records where field is null"`,
    );
  const days = { first: start, last: lastDay };
  const reason = isRoundCount(records.length) ? 'round_count' : endsToday ? 'ends_today' : null;
  return { days, reason, problem: null, outside, isUnreadable };
}

/** Returns the date of a record in UTC. A record without one that can be read has none. */
function dateOf(record: unknown): Day[] {
  const time = fieldOf(record, 'publishedAt');
  const date = typeof time === 'string' ? readIsoTime(time) : null;
  return date === null ? [] : [date.toISOString().slice(0, 10)];
}

/** Services set their limits to round numbers, and most windows have fewer posts. */
function isRoundCount(records: number): boolean {
  return records >= 100 && records % 50 === 0;
}

/** Returns the header by which an answer with so many records says that there are more; null if none does. */
export function signOfMore(headers: AnswerHeaders, records: number): string | null {
  const valueOf = (name: string) => [headers[name] ?? ''].flat().join(', ').trim();
  const shown = (name: string) => `${name}: ${valueOf(name).slice(0, 80)}`;
  if (/;\s*rel\s*=\s*("[^"]*\bnext\b[^"]*"|next\b)/i.test(valueOf('link'))) return shown('link');
  for (const name of ['x-total-count', 'x-total'])
    if (Number(valueOf(name)) > records) return shown(name);
  for (const name of ['x-next-page', 'x-next-cursor']) if (valueOf(name) !== '') return shown(name);
  return isPartOfRange(valueOf('content-range')) ? shown('content-range') : null;
}

/** Reads Content-Range, such as `items 0-19/31`; a total that is not known (`*`) is no sign of more. */
function isPartOfRange(range: string): boolean {
  const [, first, last, total] = /^\S*\s*(\d+)-(\d+)\/(\d+|\*)$/.exec(range) ?? [];
  if (first === undefined || last === undefined) return false;
  return Number(first) > 0 || (total !== '*' && Number(last) + 1 < Number(total));
}
