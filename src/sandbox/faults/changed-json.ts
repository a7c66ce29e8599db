import type { z } from 'zod';
import { operations, type Operation } from '../../api/schemas/operations.ts';
import { integerBetween, pick, sample } from '../made-up/random.ts';
import { withBody, type AnsweredCase } from './answers.ts';

/*
 * Answers that are still JSON but not quite what the API documents. Each is null where the answer has
 * nothing that could be changed so.
 */

/** Words that no version of the API has in these fields. */
const unknownWords: Readonly<Record<string, string>> = {
  type: 'Newsletter',
  status: 'UnderReview',
  channel: 'Mastodon',
};

/** Of the outermost list of objects, up to three members, each to some other place. */
export function withDuplicates({ answer, text, random }: AnsweredCase): Response | null {
  const body: unknown = JSON.parse(text);
  const list = listParts(body)
    .map(({ part }) => part)
    .find((part) => Array.isArray(part) && part.length > 0 && part.every(isObject));
  if (!Array.isArray(list)) return null;
  for (const member of sample(list, integerBetween(1, 3, random), random)) {
    list.splice(integerBetween(0, list.length, random), 0, member);
  }
  return withBody(answer, JSON.stringify(body));
}

/** In every object, as a newer version of the service does. */
export function withUnknownFields({ answer, text }: AnsweredCase): Response | null {
  const body: unknown = JSON.parse(text);
  const objects = listParts(body).flatMap(({ part }) => (isObject(part) ? [part] : []));
  for (const object of objects) object['addedLater'] = { since: '1.1.0', values: [1, null] };
  return objects.length > 0 ? withBody(answer, JSON.stringify(body)) : null;
}

export function withUnknownWord({ answer, text, random }: AnsweredCase): Response | null {
  const body: unknown = JSON.parse(text);
  const fields = listFields(body).filter(
    ({ holder, name }) => Object.hasOwn(unknownWords, name) && typeof holder[name] === 'string',
  );
  if (fields.length === 0) return null;
  const { holder, name } = pick(fields, random);
  holder[name] = unknownWords[name];
  return withBody(answer, JSON.stringify(body));
}

/** What may be null is what the schema lets be null: each sort of field is tried once. */
export function withNull(isOptional: boolean, fault: AnsweredCase): Response | null {
  const { answer, text, random } = fault;
  const body: unknown = JSON.parse(text);
  const schema = answer.ok ? answerSchemaOf(fault) : null;
  if (!schema?.safeParse(body).success) return null;
  const known = listFields(body).filter(({ holder, name }) => holder[name] !== null);
  const shuffled = sample(known, known.length, random);
  for (const { holder, name } of new Map(shuffled.map((field) => [field.path, field])).values()) {
    const value = holder[name];
    holder[name] = null;
    if (schema.safeParse(body).success === isOptional)
      return withBody(answer, JSON.stringify(body));
    holder[name] = value;
  }
  return null;
}

/** Null where the path is none of the API's. */
function answerSchemaOf({ context: { req }, apiPath }: AnsweredCase): z.ZodType | null {
  const all: readonly Operation[] = Object.values(operations);
  const operation = all.find(({ method, path }) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return method === req.method && pattern.test(apiPath);
  });
  return operation?.answer ?? null;
}

type JsonObject = Record<string, unknown>;

/** A list or an object of a JSON value. */
interface JsonPart {
  readonly part: unknown[] | JsonObject;
  /** Its path, without places in lists: `.approvals[].user`. */
  readonly path: string;
}

/** Every list and object, the outer ones first. */
function listParts(root: unknown): JsonPart[] {
  const parts: JsonPart[] = [];
  const queue: { value: unknown; path: string }[] = [{ value: root, path: '' }];
  for (const { value, path } of queue) {
    if (Array.isArray(value)) {
      parts.push({ part: value, path });
      queue.push(...value.map((member: unknown) => ({ value: member, path: `${path}[]` })));
    } else if (isObject(value)) {
      parts.push({ part: value, path });
      for (const [name, field] of Object.entries(value)) {
        queue.push({ value: field, path: `${path}.${name}` });
      }
    }
  }
  return parts;
}

/** Every field of every object. */
function listFields(root: unknown) {
  return listParts(root).flatMap(({ part, path }) =>
    isObject(part)
      ? Object.keys(part).map((name) => ({ holder: part, name, path: `${path}.${name}` }))
      : [],
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
