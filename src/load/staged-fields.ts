import type { Lenient } from '../api/schemas/lenient-schema.ts';
import type { Label } from '../api/schemas/posts.ts';
import type { Account } from '../api/schemas/vocabulary.ts';
import { isTooDeep, maxDepth, repairJsonText } from '../core/json.ts';

/** Returns the label as the statements of sql/load take it. */
export function stageLabel({ id, name, color, backgroundColor }: Lenient<Label>) {
  return {
    label_id: id ?? null,
    name: name ?? null,
    color: color ?? null,
    background_color: backgroundColor ?? null,
  };
}

/** JSON of the fields that the schema does not name; null when there are none. */
export function unknownFields(value: object, { shape }: { shape: object }): string | null {
  const unknown = Object.entries(value).filter(([key]) => !Object.hasOwn(shape, key));
  return unknown.length === 0 ? null : JSON.stringify(Object.fromEntries(unknown));
}

/** First and last name, else the email address, else the id. */
export function personName({ id, firstName, lastName, email }: Lenient<Account>): string {
  const fullName = [firstName, lastName]
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(' ');
  return [fullName, email, id].find((text) => text) ?? '(unknown)';
}

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
