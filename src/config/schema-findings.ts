import type { z } from 'zod';
import type { ConfigPath, Finding } from './config-error.ts';
import { jobsJsonSchema } from './jobs-schema.ts';
import { hasCredentials } from './value-kinds.ts';
import { didYouMean, hintAmong } from './nearest.ts';
import { fieldOf, isRecord, itemsOf } from '../core/json.ts';
import { isSecretPath } from './variables.ts';

type Issue = z.core.$ZodIssue;

/** What the schema finds wrong, in words. @param root the file as written, variables not expanded */
export function schemaFindings(issues: readonly Issue[], root: unknown): Finding[] {
  return issues.flatMap((issue) => findingsOf(issue, [], root));
}

function findingsOf(issue: Issue, base: ConfigPath, root: unknown): Finding[] {
  const path = [...base, ...issue.path.map(toSegment)];
  if (issue.code === 'unrecognized_keys') return unknownKeyFindings(issue.keys, path);
  const value = valueAt(root, path);
  if (isSecretPath(path) && value !== undefined) return [{ path, message: secretMessage }];
  if (issue.code === 'invalid_union') {
    // choices are between a word, which comes first, and a mapping or a list
    const [ofWord = [], ofWhole = []] = issue.errors;
    const inner = isRecord(value) || Array.isArray(value) ? ofWhole : ofWord;
    return inner.flatMap((each) => findingsOf(each, path, root));
  }
  return [{ path, message: messageOf(issue, value) }];
}

function unknownKeyFindings(keys: readonly string[], path: ConfigPath): Finding[] {
  const known = knownKeysAt(path);
  return keys.map((key) => ({
    path: [...path, key],
    message: sentence('unknown key', hintAmong(key, known)),
  }));
}

/** Follows the path through the JSON Schema, which is plain data. */
function knownKeysAt(path: ConfigPath): readonly string[] {
  let node: unknown = jobsJsonSchema();
  for (const segment of path) {
    node =
      typeof segment === 'number'
        ? fieldOf(node, 'items')
        : (fieldOf(fieldOf(node, 'properties'), segment) ?? fieldOf(node, 'additionalProperties'));
  }
  const kinds = [node, ...itemsOf(fieldOf(node, 'anyOf'))];
  return kinds.flatMap((kind) => Object.keys(fieldOf(kind, 'properties') ?? {}));
}

const secretMessage =
  'must name an environment variable, as ${NAME} and nothing else; a secret itself is refused';

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
  if (value === undefined) return 'is missing';
  const must = `must be ${kinds[expected] ?? expected}`;
  if (value === null) return sentence(`${must}, got nothing`, emptyHint);
  // Text in the place of a mapping is most likely a slip of indentation, and can be anything.
  if (expected === 'object' || expected === 'record') return `${must}, got ${kindOf(value)}`;
  return sentence(`${must}${got(value)}`, quotingHint(expected, value));
}

const emptyHint = 'leave the key out, or put a text that has a # into quotes';

function quotingHint(expected: string, value: unknown): string {
  if (expected === 'string' && !isRecord(value) && !Array.isArray(value)) return 'put it in quotes';
  if (expected === 'string' || typeof value !== 'string') return '';
  if (value.includes('${')) return 'a variable gives text only';
  return /^(?:-?[\d.]+|true|false)$/.test(value) ? 'take it out of its quotes' : '';
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

const longestShown = 60;

function got(value: unknown): string {
  if (typeof value === 'string') {
    if (hasCredentials(value)) return '';
    const isLong = value.length > longestShown;
    return `, got ${JSON.stringify(isLong ? `${value.slice(0, longestShown)}…` : value)}`;
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
