import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { isPeriodName, periodList, type PeriodName } from '../config/period-names.ts';
import { addressRule } from '../config/value-kinds.ts';
import { endOfDay, isDay, type Day } from '../core/calendar.ts';

/* Values of flags. A wrong one becomes commander's usage error, which names the flag. */

export function parseNumber(text: string, rule: string, holds: (value: number) => boolean): number {
  const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value) || !holds(value)) throw new InvalidArgumentError(rule);
  return value;
}

/** A whole number from `least`, up to `most` where there is such. */
export function wholeNumber(least: number, most?: number): (text: string) => number {
  const range =
    most === undefined ? `, ${least} or more` : `, ${least} to ${most.toLocaleString('en-US')}`;
  const isWithin = (value: number) =>
    Number.isSafeInteger(value) && value >= least && value <= (most ?? value);
  return (text) => parseNumber(text, `Give a whole number${range}.`, isWithin);
}

export function parseSeconds(text: string): number {
  return parseNumber(text, 'Give seconds, 0 or more.', (value) => value >= 0);
}

export function parseCpm(text: string): number {
  return parseNumber(text, 'Give a number, 0 or more.', (value) => value >= 0);
}

export function parsePort(text: string): number {
  const isPort = (value: number) => Number.isInteger(value) && value >= 0 && value <= 65_535;
  return parseNumber(text, 'Give a port from 0 (any that is free) to 65535.', isPort);
}

/** A text for which `holds` is true, else `rule` is the error. */
function checked(text: string, rule: string, holds: boolean): string {
  if (!holds) throw new InvalidArgumentError(rule);
  return text;
}

export function parseDay(text: string): Day {
  return checked(text, 'Give a day as YYYY-MM-DD.', isDay(text));
}

export function parsePeriod(text: string): PeriodName {
  if (isPeriodName(text)) return text;
  throw new InvalidArgumentError(`Give one of ${periodList}; for other days give --from and --to.`);
}

/** Returns true for a time in ISO 8601 with an offset or Z. */
function isTime(text: string): boolean {
  return z.iso.datetime({ offset: true }).safeParse(text).success;
}

/** Parses a time of this century. */
export function parseTime(text: string): Date {
  const rule = 'Give a time such as 2026-01-15T12:00:00Z, in 2000 to 2099.';
  return new Date(checked(text, rule, isTime(text) && text >= '2000' && text < '2100'));
}

/** @returns it in lower case, as the API writes them */
export function parseUuid(text: string): string {
  const rule = 'Give a UUID, for example 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11.';
  return checked(text, rule, z.guid().safeParse(text).success).toLowerCase();
}

export function parseYesOrNo(text: string): boolean {
  return checked(text, 'Give true or false.', text === 'true' || text === 'false') === 'true';
}

export function parseAddress(text: string): string {
  return checked(text, 'Give a mail address.', addressRule(text) === null);
}

/** One of `words`, in whatever letter case it is typed. */
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const found = words.find((word) => word.toLowerCase() === text.trim().toLowerCase());
    if (found === undefined) throw new InvalidArgumentError(`Give one of ${words.join(', ')}.`);
    return found;
  };
}

/** Some of `words`, with commas between them. */
export function listOf<Word extends string>(words: readonly Word[]): (text: string) => Word[] {
  return (text) => text.split(',').map(oneOf(words));
}

/** The values of a flag that may be repeated. */
export function repeated<Value>(parse: (text: string) => Value) {
  return (text: string, before: Value[] | undefined): Value[] => [...(before ?? []), parse(text)];
}

export const collect = repeated(String);

/** A day, which has its end in the config's time zone, or an instant. */
export type Deadline = { readonly day: Day } | { readonly instant: Date };

export function parseDeadline(text: string): Deadline {
  if (isDay(text)) return { day: text };
  const rule =
    'Give a day as YYYY-MM-DD, or a time with its offset, for example 2026-12-01T17:00:00+01:00.';
  return { instant: new Date(checked(text, rule, isTime(text))) };
}

/** Returns the deadline in UTC, as ISO 8601. */
export function deadlineTime(deadline: Deadline, timezone: string): string {
  const instant = 'day' in deadline ? endOfDay(deadline.day, timezone) : deadline.instant;
  return instant.toISOString();
}

/** `--wait`, of commands that load. */
export function waitOption() {
  return new Option('--wait <seconds>', 'how long to wait while another process loads')
    .argParser(parseSeconds)
    .default(0);
}
