import type { z } from 'zod';
import { fieldErrorsOf, type FieldErrors } from './schemas/error.ts';
import type { Operation } from './schemas/operations.ts';

type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

/** The values of one call of an operation, typed as the API documents them. */
export interface RequestOf<Asked extends Operation> {
  readonly parameters: InputOf<Asked['parameters']>;
  readonly query?: InputOf<Asked['query']>;
  readonly body?: InputOf<Asked['body']>;
}

/** A request of any operation. */
interface Request {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/**
 * What a URL would take for a step along its path, however it is encoded (RFC 3986, section 5.2.4); null
 * when nothing is.
 */
export function dotSegments(parameters: Readonly<Record<string, unknown>>): FieldErrors | null {
  const wrong = Object.entries(parameters).filter(([, value]) => value === '.' || value === '..');
  if (wrong.length === 0) return null;
  return Object.fromEntries(wrong.map(([name]) => [name, ['Invalid id']]));
}

/** The path with its parameters filled in, and the query, without values that are undefined. */
export function requestPath({ path }: Operation, { parameters, query = {} }: Request): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters[name]).replace(/\p{Cs}/gu, '\ufffd')),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams();
  for (const [name, value] of given) search.append(name, String(value));
  return given.length === 0 ? filled : `${filled}?${search.toString()}`;
}

export function requestBody({ body }: Request): string | null {
  return body === undefined ? null : JSON.stringify(body);
}

/** What does not fit the API's documentation, by field; null when all does. */
export function invalidFields(operation: Operation, request: Request): FieldErrors | null {
  const parts = ['parameters', 'query', 'body'] as const;
  const issues = parts.flatMap(
    (part) => operation[part]?.safeParse(request[part] ?? {}).error?.issues ?? [],
  );
  return issues.length === 0 ? dotSegments(request.parameters) : fieldErrorsOf(issues);
}
