import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { operations, type Operation } from '../../src/api/schemas/operations.ts';
import {
  document,
  readAnswersTolerantly,
  readRequests,
  type Reading,
} from './support/document-readings.ts';
import { valuesBy } from './support/document-values.ts';
import { pointerTo } from './support/documented-answers.ts';
import type { Schema } from './support/field-notation.ts';
import { mutate, mutations } from './support/mutations.ts';
import { answerSchemas, requestSchemas } from './support/named-schemas.ts';

interface Described {
  /** Where the document describes it. */
  readonly pointer: string;
  readonly schema: Schema;
  readonly read: Reading;
}

/** Holds that both say the same of values, right and wrong ones, and that there are some of each. */
function expectAgreement(checked: z.ZodType, { pointer, schema, read }: Described): void {
  const verdicts = new Set<boolean>();
  const values = fc
    .tuple(valuesBy(schema), fc.array(mutations, { maxLength: 3 }))
    .map(([value, changes]) => changes.reduce(mutate, value));
  fc.assert(
    fc.property(values, (value) => {
      const result = checked.safeParse(value);
      const wrong = read(pointer, value);
      verdicts.add(result.success);
      expect(wrong.length === 0, wrong.join('; ') || result.error?.message).toBe(result.success);
    }),
    { numRuns: 300 },
  );
  expect(verdicts.size).toBe(2);
}

function component(name: string, read: Reading): Described {
  const pointer = `#/components/schemas/${name}`;
  return { pointer, schema: { $ref: pointer }, read };
}

/** Every parameter of every operation: its name, what checks it, and where it is described. */
const parameters = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, parameters: described }]) =>
    (described as { name: string; schema: Schema }[]).map(({ name, schema }, index) => {
      const { parameters: inPath, query }: Operation = operations[operationId];
      const pointer = pointerTo('paths', path, method, 'parameters', String(index), 'schema');
      const checked = { ...inPath.shape, ...query?.shape }[name] as z.ZodType;
      return { operationId, name, checked, described: { pointer, schema, read: readRequests } };
    }),
  ),
);

describe('the schemas and the document', () => {
  it('have the same names', () => {
    expect([...answerSchemas.keys(), ...requestSchemas.keys()].sort()).toEqual(
      Object.keys(document.components.schemas).sort(),
    );
  });

  it.each([...answerSchemas])('accept and refuse the same values as %s', (name, schema) => {
    expectAgreement(schema, component(name, readAnswersTolerantly));
  });

  it.each([...requestSchemas])('accept and refuse the same requests as %s', (name, schema) => {
    expectAgreement(schema, component(name, readRequests));
  });

  it.each(parameters)(
    'accept and refuse the same values as $name of $operationId',
    ({ checked, described }) => expectAgreement(checked, described),
  );
});
