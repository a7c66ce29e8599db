import { z } from 'zod';
import { isCount } from '../../core/json.ts';
import { readIsoTime } from '../../core/iso-time.ts';
import { shownValue } from '../../core/shown-value.ts';

/** A value of a documented type in which any field, at any depth, may be missing or null. */
export type Lenient<T> = T extends readonly (infer Element)[]
  ? readonly Lenient<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Lenient<T[Key]> | null | undefined }
    : T;

const text = z.string(expected('text'));
const requiredText = text.min(1, expected('text that is not empty'));
/** ISO 8601; without an offset it is UTC, as in answers. */
const time = ofForm('an ISO 8601 time', (written) => readIsoTime(written) !== null);
const day = ofForm('a date, YYYY-MM-DD', (written) => z.iso.date().safeParse(written).success);
const flag = z.boolean(expected('true or false'));
const number = z.number(expected('a number'));
const count = number.refine(isCount, expected('an integer of 64 bits'));

/**
 * Returns the schema of what is read of a documented resource wherever nothing may be lost by a field that a service
 * leaves out: types hold, times are any of ISO 8601 and counts any of 64 bits, and all fields but the required ones may
 * be missing or null. Its errors are whole, so that a field's name goes before them.
 * @param required paths such as `data.post.labels.id`, without the indexes of lists; a required text is not empty
 */
export function lenient<Schema extends z.ZodType>(
  schema: Schema,
  required: readonly string[],
): z.ZodType<Lenient<z.output<Schema>>> {
  return relax(schema, '', new Set(required)) as z.ZodType<Lenient<z.output<Schema>>>;
}

function relax(schema: unknown, path: string, required: ReadonlySet<string>): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return relax(schema.unwrap(), path, required);
  if (schema instanceof z.ZodArray)
    return z.array(relax(schema.element, path, required), expected('a list'));
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => {
      const fieldPath = path === '' ? name : `${path}.${name}`;
      const relaxed = relax(field, fieldPath, required);
      return [name, required.has(fieldPath) ? relaxed : relaxed.nullish()] as const;
    });
    return z.looseObject(Object.fromEntries(fields), expected('an object'));
  }
  if (schema instanceof z.ZodISODateTime) return time;
  if (schema instanceof z.ZodISODate) return day;
  if (schema instanceof z.ZodBoolean) return flag;
  if (schema instanceof z.ZodNumberFormat) return count;
  if (schema instanceof z.ZodNumber) return number;
  return required.has(path) ? requiredText : text;
}

function ofForm(what: string, isOfForm: (written: string) => boolean): z.ZodType {
  return z.string(expected(what)).refine(isOfForm, expected(what));
}

function expected(what: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      input === undefined ? 'missing' : `expected ${what}, got ${shownValue(input)}`,
  };
}

const maxProblems = 5;

/** Describes what is wrong with a value: each field, and its error. The length is bounded, whatever the value. */
export function problemsOf({ issues }: z.ZodError): string {
  const problems = issues
    .slice(0, maxProblems)
    .map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (issues.length > maxProblems) problems.push(`and ${issues.length - maxProblems} more`);
  return problems.join('; ');
}
