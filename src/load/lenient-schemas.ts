import { z } from 'zod';
import { isCount, isTooDeep, maxDepth, repairJsonText } from '../core/json.ts';
import { readIsoTime } from '../core/iso-time.ts';
import { shownValue } from '../core/shown-value.ts';

/*
 * Schemas of what a load takes from events and post details. Their errors are what was expected, in words. A field
 * that may be missing may be null too: nothing is lost by either.
 */
export const text = z.string({ error: 'text' });
export const name = text.refine((written) => written !== '', {
  error: 'text that is not empty',
});
export const optionalText = text.nullish();
const timeProblem = { error: 'an ISO 8601 time' };
/** ISO 8601; without an offset it is UTC, as in answers. */
export const time = z.string(timeProblem).refine((written) => readIsoTime(written), timeProblem);
export const day = z.iso.date({ error: 'a date, YYYY-MM-DD' });
const number = z.number({ error: 'a number' });
const count = number.refine(isCount, { error: 'an integer of 64 bits' });
export const flag = z.boolean({ error: 'true or false' });
/**
 * A day, or a time of which the day is used as written. Null for a text that is neither: its form is not
 * documented, and no event is rejected for it.
 */
export const optionalDay = text.transform(dayOf).nullish();

function dayOf(written: string): string | null {
  const isDay = day.safeParse(written).success || readIsoTime(written) !== null;
  return isDay ? written.slice(0, 'YYYY-MM-DD'.length) : null;
}

/** Fields that the shape does not name are let through. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject(shape, { error: 'an object' });
}

export function list<Element extends z.ZodType>(element: Element) {
  return z.array(element, { error: 'a list' });
}

const assetSchema = object({
  id: optionalText,
  name: optionalText,
  url: optionalText,
  mimetype: optionalText,
  size: count.nullish(),
  width: count.nullish(),
  height: count.nullish(),
  duration: number.nullish(),
});

const profile = object({
  id: optionalText,
  name: optionalText,
  detail: optionalText,
}).nullish();
const assets = list(assetSchema).nullish();
const tweets = list(object({ copy: optionalText, assets })).nullish();

/** A post's content by channel. Anything in it may be missing; it is kept as it is. */
export const contentSchemas = {
  linkedIn: object({ profile, copy: optionalText, assets }).nullish(),
  x: object({ profile, tweets }).nullish(),
};

/** A label of a post. */
export const labelSchema = object({
  id: name,
  name: optionalText,
  color: optionalText,
  backgroundColor: optionalText,
});

/** Returns the label as the statements of sql/load take it. */
export function stageLabel(label: z.infer<typeof labelSchema>) {
  return {
    label_id: label.id,
    name: label.name ?? null,
    color: label.color ?? null,
    background_color: label.backgroundColor ?? null,
  };
}

/** JSON of the fields that the schema does not name; null when there are none. */
export function unknownFields(value: object, { shape }: { shape: object }): string | null {
  const unknown = Object.entries(value).filter(([key]) => !Object.hasOwn(shape, key));
  return unknown.length === 0 ? null : JSON.stringify(Object.fromEntries(unknown));
}

export const personSchema = object({
  id: optionalText,
  firstName: optionalText,
  lastName: optionalText,
  email: optionalText,
});

interface Person {
  readonly id?: string | null | undefined;
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** First and last name, else the email address, else the id. */
export function personName({ id, firstName, lastName, email }: Person): string {
  const fullName = [firstName, lastName]
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(' ');
  return [fullName, email, id].find((text) => text) ?? '(unknown)';
}

/** The workspace that every event of a known type has to name. */
export const workspaceSchema = object({ id: optionalText, slug: name, name: optionalText });

/** The parsed body of an answer, or the reason why nothing of it can be loaded. */
export function parseAnswer(
  body: string,
): { readonly answer: unknown } | { readonly problem: string } {
  let answer: unknown;
  try {
    answer = JSON.parse(repairJsonText(body));
  } catch {
    return { problem: 'the answer is not JSON' };
  }
  return isTooDeep(answer)
    ? { problem: `the answer is nested more than ${maxDepth} deep` }
    : { answer };
}

const maxProblems = 5;

/**
 * Describes what is wrong with a value: each field, with what was expected and what was found. The length is
 * bounded, whatever the value.
 */
export function problemsOf(error: z.ZodError, value: unknown): string {
  const { issues } = error;
  const problems = issues.slice(0, maxProblems).map((issue) => problemOf(issue, value));
  if (issues.length > maxProblems) problems.push(`and ${issues.length - maxProblems} more`);
  return problems.join('; ');
}

function problemOf({ path, message }: z.core.$ZodIssue, value: unknown): string {
  const field = path.join('.');
  const found = path.reduce<unknown>((within, key) => Reflect.get(Object(within), key), value);
  if (found === undefined) return `${field}: missing`;
  return `${field}: expected ${message}, got ${shownValue(found)}`;
}
