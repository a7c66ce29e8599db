import type { z } from 'zod';
import { integerBetween, pick, sample, type Random } from '../made-up/random.ts';
import { listFields, listListsOfObjects, listObjects, type JsonField } from './json-parts.ts';

export type AnswerChange =
  | 'duplicated_members'
  | 'unknown_fields'
  | 'unknown_enum_values'
  | 'nulled_optional'
  | 'nulled_required';

/** Words that no version of the API has in these fields. */
const unknownWords: Readonly<Record<string, string>> = {
  type: 'Newsletter',
  status: 'UnderReview',
  channel: 'Mastodon',
};

/**
 * Changes a JSON answer in place, so that it is still JSON but not quite what the API documents.
 *
 * @param schema of what the operation answers; null where the path is none of the API's
 * @returns whether the answer had something that could be changed so
 */
export function changeAnswer(
  change: AnswerChange,
  answer: unknown,
  schema: z.ZodType | null,
  random: Random,
): boolean {
  switch (change) {
    case 'duplicated_members':
      return duplicateMembers(answer, random);
    case 'unknown_fields':
      return addFields(answer);
    case 'unknown_enum_values':
      return changeWord(answer, random);
    case 'nulled_optional':
      return nullField(answer, schema, true, random);
    case 'nulled_required':
      return nullField(answer, schema, false, random);
  }
}

/** Of the outermost list, up to three members, each to some other place. */
function duplicateMembers(answer: unknown, random: Random): boolean {
  const [list] = listListsOfObjects(answer);
  if (!list) return false;
  for (const member of sample(list, integerBetween(1, 3, random), random)) {
    list.splice(integerBetween(0, list.length, random), 0, member);
  }
  return true;
}

/** To every object, as a newer version of the service does. */
function addFields(answer: unknown): boolean {
  const objects = listObjects(answer);
  for (const object of objects) object['addedLater'] = { since: '1.1.0', values: [1, null] };
  return objects.length > 0;
}

function changeWord(answer: unknown, random: Random): boolean {
  const fields = listFields(answer).filter(
    ({ holder, name }) => Object.hasOwn(unknownWords, name) && typeof holder[name] === 'string',
  );
  if (fields.length === 0) return false;
  const { holder, name } = pick(fields, random);
  holder[name] = unknownWords[name];
  return true;
}

/** What may be null is what the schema lets be null: each sort of field is tried once. */
function nullField(
  answer: unknown,
  schema: z.ZodType | null,
  isOptional: boolean,
  random: Random,
): boolean {
  if (!schema?.safeParse(answer).success) return false;
  for (const { holder, name } of oneOfEachSort(answer, random)) {
    const value = holder[name];
    holder[name] = null;
    if (schema.safeParse(answer).success === isOptional) return true;
    holder[name] = value;
  }
  return false;
}

/** Fields that are not null, one for each place in the shape of the answer, in a random order. */
function oneOfEachSort(answer: unknown, random: Random): JsonField[] {
  const known = listFields(answer).filter(({ holder, name }) => holder[name] !== null);
  const shuffled = sample(known, known.length, random);
  return [...new Map(shuffled.map((field) => [field.path, field])).values()];
}
