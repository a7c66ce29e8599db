import { InvalidArgumentError } from '@commander-js/extra-typings';
import { isDay, type Day } from '../core/calendar.ts';

/** Values of flags. A wrong one becomes commander's usage error, which names the flag. */

export function parseDay(text: string): Day {
  if (!isDay(text)) throw new InvalidArgumentError('Give a day as YYYY-MM-DD.');
  return text;
}

export function parseSeconds(text: string): number {
  return parseNumber(text, 'Give seconds, 0 or more.', (value) => value >= 0);
}

export function parsePort(text: string): number {
  return parseNumber(
    text,
    'Give a port from 0 (any that is free) to 65535.',
    (value) => Number.isInteger(value) && value >= 0 && value <= 65_535,
  );
}

export function parseCount(text: string): number {
  return parseNumber(
    text,
    'Give a whole number, 1 or more.',
    (value) => Number.isSafeInteger(value) && value >= 1,
  );
}

export function parseSeed(text: string): number {
  return parseNumber(
    text,
    'Give a whole number, 0 or more.',
    (value) => Number.isSafeInteger(value) && value >= 0,
  );
}

export function parseCpm(text: string): number {
  return parseNumber(text, 'Give a number, 0 or more.', (value) => value >= 0);
}

/** Collects a flag that may be repeated. */
export function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

function parseNumber(text: string, rule: string, holds: (value: number) => boolean): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value) || !holds(value)) throw new InvalidArgumentError(rule);
  return value;
}
