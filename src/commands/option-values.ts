import { InvalidArgumentError } from '@commander-js/extra-typings';
import { z } from 'zod';
import { endOfDay, isDay, type Day } from '../core/calendar.ts';

/* Values of flags. A wrong one becomes commander's usage error, which names the flag. */

export function parseDay(text: string): Day {
  if (!isDay(text)) throw new InvalidArgumentError('Give a day as YYYY-MM-DD.');
  return text;
}

export function parseSeconds(text: string): number {
  return parseNumber(text, 'Give seconds, 0 or more.', (value) => value >= 0);
}

export function parsePort(text: string): number {
  const rule = 'Give a port from 0 (any that is free) to 65535.';
  return parseNumber(
    text,
    rule,
    (value) => Number.isInteger(value) && value >= 0 && value <= 65_535,
  );
}

/** A whole number from `least`, up to `most` where there is such. */
export function wholeNumber(least: number, most?: number): (text: string) => number {
  const range =
    most === undefined ? `, ${least} or more` : `, ${least} to ${most.toLocaleString('en-US')}`;
  return (text) =>
    parseNumber(
      text,
      `Give a whole number${range}.`,
      (value) =>
        Number.isSafeInteger(value) && value >= least && value <= (most ?? Number.MAX_SAFE_INTEGER),
    );
}

/** Of this century. */
export function parseTime(text: string): Date {
  const isTime = z.iso.datetime({ offset: true }).safeParse(text).success;
  if (isTime && text >= '2000' && text < '2100') return new Date(text);
  throw new InvalidArgumentError('Give a time such as 2026-01-15T12:00:00Z, in 2000 to 2099.');
}

export function parseCpm(text: string): number {
  return parseNumber(text, 'Give a number, 0 or more.', (value) => value >= 0);
}

/** @returns it in lower case, as the API writes them */
export function parseUuid(text: string): string {
  if (!z.guid().safeParse(text).success) {
    throw new InvalidArgumentError(
      'Give a UUID, for example 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11.',
    );
  }
  return text.toLowerCase();
}

/** Collects a flag that may be repeated; the same id twice is once. */
export function collectUuid(text: string, before: string[] | undefined): string[] {
  return [...new Set([...(before ?? []), parseUuid(text)])];
}

export function parseYesOrNo(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('Give true or false.');
  return text === 'true';
}

/** One of `words`, in whatever letter case it is typed. */
export function parseWord<Word extends string>(text: string, words: readonly Word[]): Word {
  const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
  if (found === undefined) throw new InvalidArgumentError(`Give one of ${words.join(', ')}.`);
  return found;
}

/** A day, which has its end in the config's time zone, or an instant. */
export type Deadline = { readonly day: Day } | { readonly instant: Date };

export function parseDeadline(text: string): Deadline {
  if (isDay(text)) return { day: text };
  if (z.iso.datetime({ offset: true }).safeParse(text).success) return { instant: new Date(text) };
  throw new InvalidArgumentError(
    'Give a day as YYYY-MM-DD, or a time with its offset, for example 2026-12-01T17:00:00+01:00.',
  );
}

/** In UTC, ISO 8601. */
export function deadlineTime(deadline: Deadline, timezone: string): string {
  const instant = 'day' in deadline ? endOfDay(deadline.day, timezone) : deadline.instant;
  return instant.toISOString();
}

/** Collects a flag that may be repeated. */
export function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

export function parseNumber(text: string, rule: string, holds: (value: number) => boolean): number {
  const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value) || !holds(value)) throw new InvalidArgumentError(rule);
  return value;
}
