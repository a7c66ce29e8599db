import type { Context } from 'hono';
import { operations, type Operation } from '../../api/schemas/operations.ts';
import { integerBetween, pick, sample, type Random } from '../made-up/random.ts';

/*
 * Changes that leave an answer valid JSON but not quite what the API documents. Each changes the body in place, and
 * returns whether it could.
 */

interface Chance {
  readonly random: Random;
}

type JsonObject = Record<string, unknown>;

/** Values that no version of the API has in these fields. */
const unknownWords: Readonly<Record<string, string>> = {
  type: 'Newsletter',
  status: 'UnderReview',
  channel: 'Mastodon',
};

/** Copies up to three members of the outermost list of objects to other places in it. */
export function duplicateMembers(body: unknown, { random }: Chance): boolean {
  const list = listParts(body)
    .map(({ part }) => part)
    .find((part) => Array.isArray(part) && part.length > 0 && part.every(isObject));
  if (!Array.isArray(list)) return false;
  for (const member of sample(list, integerBetween(1, 3, random), random)) {
    list.splice(integerBetween(0, list.length, random), 0, member);
  }
  return true;
}

/** Adds fields to every object, as a newer version of the service would. */
export function withUnknownFields(body: unknown): boolean {
  const objects = listParts(body).flatMap(({ part }) => (isObject(part) ? [part] : []));
  for (const object of objects) object['addedLater'] = { since: '1.1.0', values: [1, null] };
  return objects.length > 0;
}

export function putUnknownWord(body: unknown, { random }: Chance): boolean {
  const fields = listFields(body).filter(
    ({ holder, name }) => Object.hasOwn(unknownWords, name) && typeof holder[name] === 'string',
  );
  if (fields.length === 0) return false;
  const { holder, name } = pick(fields, random);
  holder[name] = unknownWords[name];
  return true;
}

interface AnsweredRequest extends Chance {
  readonly context: Context;
  readonly apiPath: string;
  readonly answer: Response;
}

/** Sets a field to null that the schema allows to be null, or one that it does not. Tries each kind of field once. */
export function nullOneField(isOptional: boolean) {
  return (body: unknown, { answer, random, context: { req }, apiPath }: AnsweredRequest) => {
    const schema = answer.ok ? findOperation(req.method, apiPath)?.answer : undefined;
    if (!schema?.safeParse(body).success) return false;
    const known = listFields(body).filter(({ holder, name }) => holder[name] !== null);
    const shuffled = sample(known, known.length, random);
    for (const { holder, name } of new Map(shuffled.map((field) => [field.path, field])).values()) {
      const value = holder[name];
      holder[name] = null;
      if (schema.safeParse(body).success === isOptional) return true;
      holder[name] = value;
    }
    return false;
  };
}

function findOperation(asked: string, apiPath: string): Operation | undefined {
  const all: readonly Operation[] = Object.values(operations);
  return all.find(({ method, path }) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return method === asked && pattern.test(apiPath);
  });
}

/** Lists every list and object of a JSON value, outer ones first. Paths do not name positions in lists: `.approvals[].user`. */
function listParts(root: unknown): { part: unknown[] | JsonObject; path: string }[] {
  const parts: { part: unknown[] | JsonObject; path: string }[] = [];
  const add = (value: unknown, path: string) => {
    if (Array.isArray(value) || isObject(value)) parts.push({ part: value, path });
  };
  add(root, '');
  for (const { part, path } of parts) {
    if (Array.isArray(part)) for (const member of part) add(member, `${path}[]`);
    else for (const [name, field] of Object.entries(part)) add(field, `${path}.${name}`);
  }
  return parts;
}

/** Lists every field of every object. */
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
