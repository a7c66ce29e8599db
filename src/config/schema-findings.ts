import { z } from 'zod';
import type { ConfigPath, Finding } from './config-error.ts';
import { isSecretPath, schemasAt } from './jobs-schema.ts';
import { hasCredentials } from './value-kinds.ts';
import { didYouMean, hintAmong } from '../core/nearest.ts';
import { fieldOf, isRecord, itemsOf } from '../core/json.ts';

type Issue = z.core.$ZodIssue;

/** Describes the schema's issues in words. @param root the file's values, before variables are expanded */
export function schemaFindings(issues: readonly Issue[], root: unknown): Finding[] {
  return issues.flatMap((issue) => findingsOf(issue, [], root));
}

function findingsOf(issue: Issue, base: ConfigPath, root: unknown): Finding[] {
  const path = [...base, ...issue.path.map(toSegment)];
  if (issue.code === 'unrecognized_keys') return unknownKeyFindings(issue.keys, path);
  const value = valueAt(root, path);
  if (value === undefined && ['invalid_type', 'invalid_union'].includes(issue.code))
    return [{ path, message: missingMessage(path) }];
  if (issue.code === 'invalid_union') {
    const isOfParts = isRecord(value) || Array.isArray(value);
    // a word comes before what has parts
    const inner = isOfParts ? issue.errors.findLast((each) => !isOtherKind(each)) : issue.errors[0];
    return (inner ?? []).flatMap((each) => findingsOf(each, path, root));
  }
  // rules do not show secrets
  const isForm = issue.code !== 'custom' && isSecretPath(path);
  return [{ path, message: isForm ? secretMessage : messageOf(issue, value) }];
}

/** True for an alternative of a union to which a value is of another kind, such as a mapping in place of a word. */
function isOtherKind(issues: readonly Issue[]): boolean {
  return issues.some(
    ({ code, path }) => path.length === 0 && ['invalid_type', 'invalid_value'].includes(code),
  );
}

function unknownKeyFindings(keys: readonly string[], path: ConfigPath): Finding[] {
  const known = knownKeysAt(path);
  return keys.map((key) => ({
    path: [...path, key],
    message:
      refusedKeys[[...path, key].join('.')] ?? sentence('unknown key', hintAmong(key, known)),
  }));
}

const keptForGood =
  'raw answers and events are kept: a rebuild reads them; take a person or profile out with `postledger erase`';
/** The keys that one might expect, and why there are none. */
const refusedKeys: Readonly<Record<string, string>> = {
  'retention.raw_days': keptForGood,
  'retention.events_days': keptForGood,
};

/** Returns the known keys of the value at a path. */
function knownKeysAt(path: ConfigPath): readonly string[] {
  return schemasAt(path).flatMap(({ _zod: { def } }) =>
    def.type === 'object' ? Object.keys(def.shape) : [],
  );
}

function missingMessage(path: ConfigPath): string {
  const [description] = schemasAt(path).flatMap(
    (schema) => z.globalRegistry.get(schema)?.description ?? [],
  );
  if (description === undefined) return 'is missing';
  return `is missing; give ${description.charAt(0).toLowerCase()}${description.slice(1)}`;
}

const secretMessage =
  'must be ${NAME}, the name of an environment variable; the secret itself must not be in the file';

function messageOf(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(issue.expected, value);
    case 'too_small':
      return smallMessage(issue, value);
    case 'too_big':
      return `must be at most ${String(issue.maximum)}${got(value)}`;
    case 'invalid_value':
      return choiceMessage(issue.values.map(String), value);
    case 'custom':
      if (issue.params?.['isWhole']) return issue.message;
      return sentence(`${issue.message}${got(value)}`, hintOf(issue));
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'unrecognized_keys':
      return `${issue.message}${got(value)}`;
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

function typeMessage(expected: string, value: unknown): string {
  const must = `must be ${kinds[expected] ?? expected}`;
  if (value === null) return sentence(`${must}, got nothing`, emptyHint);
  // Text in place of a mapping is usually an indentation mistake, and may be anything, so it is not shown.
  if (expected === 'object' || expected === 'record') return `${must}, got ${kindOf(value)}`;
  return sentence(`${must}${got(value)}`, quotingHint(expected, value));
}

const emptyHint = 'remove the key, or put a text that contains # in quotes';

function quotingHint(expected: string, value: unknown): string {
  if (expected === 'string' && !isRecord(value) && !Array.isArray(value)) return 'put it in quotes';
  if (expected === 'string' || typeof value !== 'string') return '';
  if (value.includes('${')) return 'a variable is always text';
  return /^(?:-?[\d.]+|true|false)$/.test(value) ? 'remove the quotes' : '';
}

function smallMessage(issue: z.core.$ZodIssueTooSmall, value: unknown): string {
  if (issue.origin === 'string') return 'must not be empty';
  if (issue.origin === 'array') return 'must have at least one entry';
  const bound = issue.inclusive === false ? 'more than' : 'at least';
  return `must be ${bound} ${String(issue.minimum)}${got(value)}`;
}

function choiceMessage(choices: readonly string[], value: unknown): string {
  const hint = typeof value === 'string' ? didYouMean(value, choices) : '';
  return sentence(`must be one of ${choices.join(', ')}${got(value)}`, hint);
}

function hintOf(issue: z.core.$ZodIssueCustom): string {
  const hint: unknown = issue.params?.['hint'];
  return typeof hint === 'string' ? hint : '';
}

function sentence(statement: string, hint: string): string {
  return hint === '' ? statement : `${statement}; ${hint}`;
}

const maxShownLength = 60;

function got(value: unknown): string {
  if (typeof value === 'string') {
    if (hasCredentials(value)) return '';
    const isLong = value.length > maxShownLength;
    return `, got ${JSON.stringify(isLong ? `${value.slice(0, maxShownLength)}…` : value)}`;
  }
  return `, got ${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? 'text' : 'a mapping';
}

function valueAt(root: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>(
    (value, segment) =>
      typeof segment === 'number' ? itemsOf(value)[segment] : fieldOf(value, segment),
    root,
  );
}

function toSegment(segment: PropertyKey): string | number {
  return typeof segment === 'symbol' ? String(segment) : segment;
}
