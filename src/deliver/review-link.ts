import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { ReviewConfig } from '../config/config.ts';
import { addDays, daysBetween, type Day } from '../core/calendar.ts';

/** What a link is for: a group of deliveries, one reader, and the last day on which it is valid. */
export interface LinkSubject {
  readonly group: string;
  /** The address, or the name of a chat, that the link was given to. */
  readonly reader: string;
  readonly end: Day;
}

/** The folder of all pages, below which nothing is logged. */
export const reviewPath = '/review';

/** @returns the whole address, which is a secret */
export function reviewLink(subject: LinkSubject, review: ReviewConfig): string {
  const base = review.url.replace(/\/+$/, '');
  return `${base}${reviewPath}/${subject.group}/${keyOf(subject, review)}`;
}

/** The signature of a link, in base64url. @throws UnsetSecretError */
function keyOf({ group, reader, end }: LinkSubject, { secret }: ReviewConfig): string {
  return createHmac('sha256', secret.reveal())
    .update(JSON.stringify([group, reader, end]))
    .digest('base64url');
}

/**
 * Finds the reader whose link has this key. All are compared in constant time, and as text: another spelling of the same
 * bytes is another key.
 * @returns null: it is the key of none
 */
export function readerOf(
  key: string,
  subjects: readonly LinkSubject[],
  review: ReviewConfig,
): string | null {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const given = digest(key);
  const [found] = subjects.filter((subject) =>
    timingSafeEqual(given, digest(keyOf(subject, review))),
  );
  return found?.reader ?? null;
}

/** The last day of the links that are valid today: they are valid for `days`, and then others are. */
export function linkEnd(heldOn: Day, today: Day, { days }: Pick<ReviewConfig, 'days'>): Day {
  const passed = Math.max(0, daysBetween(heldOn, today) - 1);
  return addDays(heldOn, days * (Math.floor(passed / days) + 1));
}
