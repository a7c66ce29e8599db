import { z } from 'zod';
import { readIsoTime } from '../../core/iso-time.ts';
import { isCount } from '../exact-numbers.ts';

/*
 * Schemas of what a load takes from an event. Their errors are what was expected, in words. A field that
 * an event may lack may be null too: nothing is lost by either.
 */
export const text = z.string({ error: 'text' });
export const name = text.refine((written) => written !== '', {
  error: 'text that is not empty',
});
export const optionalText = text.nullish();
const timeProblem = { error: 'an ISO 8601 time' };
/** ISO 8601; without an offset it is UTC, as in answers. */
export const time = z.string(timeProblem).refine((written) => readIsoTime(written), timeProblem);
export const number = z.number({ error: 'a number' });
export const count = number.refine(isCount, { error: 'an integer of 64 bits' });
export const flag = z.boolean({ error: 'true or false' });
/**
 * A day, or a time of which the day is taken as it is written. Null for a text that is neither: no form of it
 * is documented, and an event is not lost for it.
 */
export const optionalDay = text.transform(dayOf).nullish();

function dayOf(written: string): string | null {
  const isDay = z.iso.date().safeParse(written).success || readIsoTime(written) !== null;
  return isDay ? written.slice(0, 'YYYY-MM-DD'.length) : null;
}

/** Fields that the shape does not name are let through. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject(shape, { error: 'an object' });
}

export function list<Element extends z.ZodType>(element: Element) {
  return z.array(element, { error: 'a list' });
}
