import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { openApiDocument } from '../../../src/api/schemas/open-api.ts';

/** Says what is wrong with a value by the schema at a pointer into the document; nothing when all is well. */
type Reading = (pointer: string, value: unknown) => string[];

export const document = openApiDocument({ baseUrl: 'https://social.example.com/api/v1' });

const isA = (schema: z.ZodType) => (text: string) => schema.safeParse(text).success;

/** What the document's formats mean, since ajv comes without them. */
const formats = {
  date: isA(z.iso.date()),
  'date-time': isA(z.iso.datetime({ offset: true })),
  uuid: isA(z.guid()),
  uri: isA(z.url()),
};

/** As it is written and not a word more: what the sandbox has to hold. */
export const readStrictly = readingOf(close(document));

function readingOf(read: object): Reading {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, formats });
  // what stands around the schemas: to ajv, which is strict, the document is one large schema
  ajv.addVocabulary(Object.keys(read));
  ajv.addSchema(read, 'openapi.json');
  return (pointer, value) => {
    const validate = ajv.getSchema(`openapi.json${pointer}`);
    if (!validate) throw new Error(`the document has nothing at ${pointer}`);
    return validate(value) === true ? [] : (validate.errors ?? []).map(errorText);
  };
}

function errorText({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '/'} ${message ?? ''} ${JSON.stringify(params)}`;
}

/** Refuses fields that are not named, and words that are not in a list. */
function close<Node>(node: Node): Node {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(close) as Node;
  const closed = Object.entries(node).map(([key, child]) => [key, close(child as unknown)]);
  const schema = Object.fromEntries(closed) as Record<string, unknown>;
  const { anyOf, ...others } = schema;
  if (isOpenList(anyOf)) return { ...others, ...anyOf[0] } as Node;
  const isObject = schema['type'] === 'object' && 'properties' in schema;
  return (isObject ? { ...schema, additionalProperties: false } : schema) as Node;
}

function isOpenList(choice: unknown): choice is object[] {
  return Array.isArray(choice) && JSON.stringify(choice.at(-1)) === '{"type":"string"}';
}
