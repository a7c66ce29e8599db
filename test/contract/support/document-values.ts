import fc, { type Arbitrary } from 'fast-check';
import { document } from './document-readings.ts';
import type { Schema } from './field-notation.ts';

const texts: Readonly<Record<string, Arbitrary<string>>> = {
  uuid: fc.uuid(),
  uri: fc.webUrl(),
  date: dateText(),
  'date-time': fc
    .tuple(
      dateText(),
      fc.constantFrom('T00:00:00Z', 'T23:59:59.999Z', 'T12:30:00+05:30', 'T07:00:00.1-11:00'),
    )
    .map((parts) => parts.join('')),
};

/** Without the one name that zod leaves out of every map, whatever stands there. */
const fieldNames = fc.string().filter((name) => name !== '__proto__');

/** Values that a schema of the document describes, with and without what is optional. */
export function valuesBy(schema: Schema): Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valuesBy(namedSchema(schema.$ref));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesBy));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  return fc.oneof(...[schema.type ?? []].flat().map((type) => valuesOfType(type, schema)));
}

function valuesOfType(type: string, schema: Schema): Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectsBy(schema);
    case 'array':
      return fc.array(valuesBy(schema.items ?? {}), { maxLength: 2 });
    case 'string':
      return texts[schema.format ?? ''] ?? fc.string({ minLength: 1 });
    case 'integer':
      return fc.integer();
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      throw new Error(`no values are known for the type ${type}`);
  }
}

function objectsBy({ properties, required, additionalProperties }: Schema): Arbitrary<unknown> {
  if (!properties) return fc.dictionary(fieldNames, valuesBy(additionalProperties ?? {}));
  const fields = Object.entries(properties).map(([name, field]) => [name, valuesBy(field)]);
  return fc.record(Object.fromEntries(fields) as Record<string, Arbitrary<unknown>>, {
    requiredKeys: [...(required ?? [])],
    noNullPrototype: true,
  });
}

function namedSchema($ref: string): Schema {
  const name = $ref.replace('#/components/schemas/', '');
  const schema = document.components.schemas[name];
  if (!schema) throw new Error(`the document has no schema ${$ref}`);
  return schema as Schema;
}

function dateText(): Arbitrary<string> {
  return fc
    .date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
}
