import { columnName } from '../api/schemas/analytics.ts';
import type { Lenient } from '../api/schemas/lenient-schema.ts';
import { labelSchema, type Label } from '../api/schemas/posts.ts';
import type { Account } from '../api/schemas/vocabulary.ts';
import { fieldOf, isRecord, isTooDeep, maxDepth, repairJsonText } from '../core/json.ts';

/** What the statements of sql/load take of an answer, or the reason why none of it can be loaded. */
export type StagedAnswer =
  | { readonly fields: object; readonly rejects: readonly RejectedPart[] }
  | { readonly problem: string };

/** A part of an answer that cannot be loaded, as text, and the reason. It does not cost its siblings. */
interface RejectedPart {
  readonly reason: string;
  readonly payload: string;
}

/** The fields that the schema names and that are no objects, under the names of columns. */
export function columnsOf(value: object, { shape }: { shape: object }): object {
  const fields = Object.keys(shape).map((name) => [columnName(name), fieldOf(value, name) ?? null]);
  return Object.fromEntries(fields.filter(([, field]) => !isRecord(field))) as object;
}

/** Returns the label as the statements of sql/load take it. */
export function stageLabel(label: Lenient<Label>) {
  return { label_id: label.id ?? null, ...columnsOf(label, labelSchema) };
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
