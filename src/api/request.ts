import { z } from 'zod';
import { isRecord, itemsOf } from '../core/json.ts';
import type { Call } from './api-error.ts';
import type { Answer } from './connection.ts';
import { fieldErrorsOf, type FieldErrors } from './schemas/error.ts';
import type { Operation } from './schemas/operations.ts';
import { cutBody, notJson, notWhole, unexpectedBody } from './transport-errors.ts';
import { signOfMore } from './answer-proof.ts';

type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

/** The values of one call of an operation, typed as the API documents them. */
export interface RequestOf<Asked extends Operation> {
  readonly parameters: InputOf<Asked['parameters']>;
  readonly query?: InputOf<Asked['query']>;
  readonly body?: InputOf<Asked['body']>;
}

/** A request of any operation. */
export interface AnyRequest {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/**
 * Returns errors for the parameters that a URL would treat as a step along its path, however they are encoded
 * (RFC 3986, section 5.2.4), or null if there are none.
 */
export function dotSegments(parameters: Readonly<Record<string, unknown>>): FieldErrors | null {
  const wrong = Object.entries(parameters).filter(([, value]) => value === '.' || value === '..');
  if (wrong.length === 0) return null;
  return Object.fromEntries(wrong.map(([name]) => [name, ['Invalid id']]));
}

/** Returns errors for the values that do not fit the API's documentation, or null if all of them do. */
export function invalidFields(operation: Operation, request: AnyRequest): FieldErrors | null {
  const parts = ['parameters', 'query', 'body'] as const;
  const issues = parts.flatMap(
    (part) => operation[part]?.safeParse(request[part] ?? {}).error?.issues ?? [],
  );
  return issues.length === 0 ? dotSegments(request.parameters) : fieldErrorsOf(issues);
}

/** Returns the path with its parameters filled in, and the query without undefined values. */
export function requestPath({ path }: Operation, { parameters, query = {} }: AnyRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters[name]).replace(/\p{Cs}/gu, '\ufffd')),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(
    given.map(([name, value]) => [name, String(value)] as [string, string]),
  );
  return given.length === 0 ? filled : `${filled}?${search.toString()}`;
}

/** Reads an answer that is a list. Its members are not checked. */
export function readList(call: Call, answer: Answer, encoding: BufferEncoding): unknown[] {
  const value = readJson(call, answer, encoding);
  if (Array.isArray(value)) return value;
  const problem = `the answer should be a list, but is ${describeForm(value)}`;
  throw unexpectedBody(call, answer, problem);
}

/** Reads the object or list that an answer has under `name`. What is in it is not checked. */
export function readMember(
  call: Call,
  answer: Answer,
  { name, form }: { readonly name: string; readonly form: 'object' | 'list' },
): unknown {
  const value = readJson(call, answer);
  const member = isRecord(value) ? value[name] : undefined;
  if (form === 'list' ? Array.isArray(member) : isRecord(member)) {
    const sign = form === 'list' ? signOfMore(answer.headers, itemsOf(member).length) : null;
    if (sign !== null) throw notWhole(call, answer.status, sign);
    return member;
  }
  const found = isRecord(value) ? `one with ${describeForm(member)} there` : describeForm(value);
  const article = form === 'list' ? 'a' : 'an';
  const problem = `the answer should be an object with ${article} ${form} ${name}, but is ${found}`;
  throw unexpectedBody(call, answer, problem);
}

/** Reads an answer of the documented form. Undocumented fields are kept. */
export function readAnswer<Schema extends z.ZodType>(
  call: Call,
  answer: Answer,
  schema: Schema,
): z.output<Schema> {
  const result = schema.safeParse(readJson(call, answer));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = z.core.toDotPath(issue?.path ?? []);
  const mismatch = `${field === '' ? '' : `${field}: `}${issue?.message ?? ''}`;
  const problem = `the answer does not have the documented form (${mismatch})`;
  throw unexpectedBody(call, answer, problem);
}

function readJson(
  call: Call,
  { status, body }: Answer,
  encoding: BufferEncoding = 'utf8',
): unknown {
  try {
    return JSON.parse(body.toString(encoding)) as unknown;
  } catch (error) {
    const text = body.toString(encoding);
    // The parser's error is not passed on as the cause: it quotes the text, which may contain the key.
    const at = indexOfError(error);
    const isCut = at === null || at >= text.length;
    if (text.trim() === '' || (/^\s*[[{]/.test(text) && isCut)) throw cutBody(call, status);
    const start = body.toString('utf8').trimStart().slice(0, 40);
    const ending = at === null || at === 0 ? '' : `, and is none from character ${at} on`;
    throw notJson(call, status, start, ending);
  }
}

/** Returns the index of the character that is no JSON; null if the text ends before the JSON does. */
function indexOfError(error: unknown): number | null {
  const message = error instanceof Error ? error.message : '';
  if (/end of JSON|unterminated/i.test(message)) return null;
  return Number(/position (\d+)/.exec(message)?.[1] ?? 0);
}

function describeForm(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
