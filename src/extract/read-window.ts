import { ApiError } from '../api/api-error.ts';
import type { ProfileConfig } from '../config/config.ts';
import { addDays, dayOf, type Day } from '../core/calendar.ts';
import { isSingleDay, requestEnd } from '../plan/grid.ts';
import { halvesOf } from '../plan/parts.ts';
import type { PlannedWindow, ReadUntil, Window } from '../plan/plan.ts';
import type { ExtractContext, Failure } from './extraction.ts';
import { fetchAndStore, type AskedAnswer, type CallResult } from './fetch-and-store.ts';

export interface WindowContext extends ExtractContext {
  /** True if the service refuses dates to come: set once a range was refused that ended after today. */
  endsToday: boolean;
  /** What is known of the profiles, by id. */
  readonly readUntil: ReadonlyMap<string, ReadUntil>;
}

/** A range of days that is asked for: a planned window, or a part of one. */
export interface Range {
  readonly planned: PlannedWindow;
  readonly window: Window;
  /** True for a part of a window that failed or looked cut off, and for one that is asked again after an outage. */
  readonly isAgain: boolean;
  /** True if it only asks whether the service is down. */
  readonly isProbe?: boolean;
  /** The answer that may lack posts of this range. Null if the window that was asked for proved nothing. */
  readonly doubted: DoubtedAnswer | null;
}

/** An answer with a round number of records, which may be cut off. */
interface DoubtedAnswer {
  readonly subject: string;
  readonly postIds: ReadonlySet<string>;
  /** The posts of its parts that it lacks. */
  readonly missing: Set<string>;
}

/** A range of which the parts are to be asked for. */
export interface Divisible {
  readonly range: Range;
  readonly parts: readonly Window[];
  /** What its parts may make good; null if an answer came. */
  readonly failure: Failure | null;
  readonly doubted: DoubtedAnswer | null;
}

export function wholeRange(planned: PlannedWindow): Range {
  return { planned, window: planned.window, isAgain: false, doubted: null };
}

/**
 * Asks for a range once, stores the answer, and returns it if parts of it should be asked for: it failed, or says that it
 * is not whole, or may be cut off.
 */
export async function readRange(range: Range, context: WindowContext): Promise<Divisible | null> {
  const { planned, window, doubted } = range;
  const { profile } = planned;
  const known = context.readUntil.get(profile.id);
  const wholeStart = (planned.parentWindow ?? planned.window).start;
  const isWhole = planned.parentWindow === null && window === planned.window;
  const result = await fetchAndStore(
    {
      request: analyticsRequest(profile, { ...window, end: requestEnd(window) }),
      workspace: profile.workspace,
      subject: subjectOf(range),
      profileId: profile.id,
      isAgain: range.isAgain,
      isProbe: range.isProbe === true,
      mayBeGone: profile.until !== null && known?.isWhole === true,
      adviceIfGone: adviceIfGone(profile, known),
      // a part of an answer that lacks nothing of it shows that it was whole
      partOf: (postIds) =>
        isWhole || (doubted && missingOf(doubted, postIds).length === 0) ? null : wholeStart,
      ask: () => askRange(range, context),
    },
    context,
  );
  for (const id of doubted ? missingOf(doubted, result.postIds ?? []) : [])
    doubted?.missing.add(id);
  return divisible(range, result);
}

function missingOf({ postIds }: DoubtedAnswer, found: Iterable<string>): string[] {
  return [...found].filter((id) => !postIds.has(id));
}

function subjectOf({ planned: { profile }, window: { start, end } }: Range): string {
  return `${profile.workspace}/${profile.name} ${start} to ${end}`;
}

function divisible(
  range: Range,
  { postIds, proof, records, failure }: CallResult,
): Divisible | null {
  const { planned, window } = range;
  if (isSingleDay(window)) return null;
  const known = window === planned.window ? planned.parts : [];
  const parts = known.length > 1 ? known : halvesOf(window);
  if (failure?.mayBeDivided)
    return {
      range,
      parts,
      failure: postIds === null || proof?.isUnreadable ? failure : null,
      doubted: null,
    };
  const isConfirmed = window === planned.window && records === planned.confirmedRecords;
  if (proof?.reason !== 'round_count' || postIds === null || isConfirmed) return null;
  return {
    range,
    parts,
    failure: null,
    doubted: { subject: subjectOf(range), postIds, missing: new Set() },
  };
}

/** The advice for a profile that was read before and cannot be found any more. */
function adviceIfGone({ workspace, name, until }: ProfileConfig, known?: ReadUntil): string | null {
  if (!known?.lastDay) return null;
  const key = `workspaces.${workspace}.profiles, "${name}"`;
  if (until !== null)
    return `it was read to ${known.lastDay}, which is the last day that can count: correct its \`until: ${until}\` (${key})`;
  return `it was read to ${known.lastDay}: if the account is gone for good, add \`until: ${known.lastDay}\` to it (${key}), and nothing is missing after that day`;
}

/**
 * Asks for the window and the day after it. A service that refuses a range since it ends in the future is asked for it to
 * today in UTC, and from then on at once.
 */
async function askRange(range: Range, context: WindowContext): Promise<AskedAnswer> {
  const { planned, window } = range;
  const { profile } = planned;
  const attempts = planned.isTrial || range.isAgain ? 1 : undefined;
  const today = dayOf(context.clock.now(), 'UTC');
  const end = requestEnd(window);
  const canEndToday = end > today && window.start <= today;
  const ask = async (last: Day, endsToday: boolean): Promise<AskedAnswer> => {
    const asked = { start: window.start, end: last };
    // only ids and times are looked at, which have no character beyond ASCII
    const options = { signal: context.signal, encoding: 'latin1' as const, attempts };
    const { records, ...answer } = await context.reader.readAnalytics(profile.id, asked, options);
    const request = analyticsRequest(profile, asked);
    const lastDay = endsToday ? last : window.end;
    return { ...answer, analytics: { request, endsToday, lastDay, records } };
  };
  if (canEndToday && context.endsToday) return ask(today, true);
  try {
    return await ask(end, false);
  } catch (error) {
    if (!canEndToday || !(error instanceof ApiError) || !isRefused(error)) throw error;
    const answer = await ask(today, true).catch((again: unknown) => {
      if (!(again instanceof ApiError)) throw again;
      error.requests += again.requests;
      throw error;
    });
    context.endsToday = true;
    return { ...answer, requests: answer.requests + error.requests };
  }
}

function isRefused({ status }: ApiError): boolean {
  return status === 400 || status === 422;
}

export function analyticsRequest({ id }: ProfileConfig, { start, end }: Window) {
  return { kind: 'analytics' as const, profile_id: id, start_date: start, end_date: end };
}

/** Returns the last two days of the window, for which a service that is not down has an answer. */
export function lastDays({ start, end }: Window): Window {
  const first = addDays(end, -1);
  return { start: first > start ? first : start, end };
}
