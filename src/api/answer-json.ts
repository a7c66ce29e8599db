import { z } from 'zod';
import type { Call } from './api-error.ts';
import type { Answer } from './connection.ts';
import { cutBody, notJson, UnexpectedBodyError } from './transport-errors.ts';

/** The list that an answer is. Its members are as they came. */
export function readList(call: Call, answer: Answer): unknown[] {
  const value = readJson(call, answer);
  if (Array.isArray(value)) return value;
  const problem = `the answer should be a list, and is ${describeForm(value)}`;
  throw new UnexpectedBodyError(call, answer, problem);
}

/** The object that an answer holds under `name`, as it came. */
export function readMember(call: Call, answer: Answer, name: string): Record<string, unknown> {
  const value = readJson(call, answer);
  const member = isRecord(value) ? value[name] : undefined;
  if (isRecord(member)) return member;
  const found = isRecord(value) ? `one with ${describeForm(member)} there` : describeForm(value);
  const problem = `the answer should be an object with an object ${name}, and is ${found}`;
  throw new UnexpectedBodyError(call, answer, problem);
}

/** An answer of the documented form; what is not documented is kept in it. */
export function readAnswer<Schema extends z.ZodType>(
  call: Call,
  answer: Answer,
  schema: Schema,
): z.output<Schema> {
  const result = schema.safeParse(readJson(call, answer));
  if (result.success) return result.data;
  const mismatch = describeIssue(result.error.issues[0]);
  throw new UnexpectedBodyError(
    call,
    answer,
    `the answer has another form than documented${mismatch}`,
  );
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return '';
  const place = z.core.toDotPath(issue.path);
  return ` (${place === '' ? '' : `${place}: `}${issue.message})`;
}

function readJson(call: Call, { status, body, beginning }: Answer): unknown {
  const text = body.toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // without the parser's error as its cause: that quotes the text, and with it the key, should it be there
    if (isCut(text.trim())) throw cutBody(call, status);
    throw notJson(call, status, beginning);
  }
}

/** Whether it began as JSON and did not end so; an answer without a body was cut at its start. */
function isCut(text: string): boolean {
  if (text === '') return true;
  return (
    (text.startsWith('[') && !text.endsWith(']')) || (text.startsWith('{') && !text.endsWith('}'))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describeForm(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
