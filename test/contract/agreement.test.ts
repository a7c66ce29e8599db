import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  document,
  readAnswersTolerantly,
  readRequests,
  type Reading,
} from './support/document-readings.ts';
import { valuesOf } from './support/document-values.ts';
import { mutate, mutations } from './support/mutations.ts';
import { answerSchemas, requestSchemas } from './support/named-schemas.ts';

/** Holds that both say the same of values, right and wrong ones, and that there are some of each. */
function expectAgreement(name: string, schema: z.ZodType, read: Reading): void {
  const verdicts = new Set<boolean>();
  const values = fc
    .tuple(valuesOf(name), fc.array(mutations, { maxLength: 3 }))
    .map(([value, changes]) => changes.reduce(mutate, value));
  fc.assert(
    fc.property(values, (value) => {
      const result = schema.safeParse(value);
      const wrong = read(`#/components/schemas/${name}`, value);
      verdicts.add(result.success);
      expect(wrong.length === 0, wrong.join('; ') || result.error?.message).toBe(result.success);
    }),
    { numRuns: 300 },
  );
  expect(verdicts.size).toBe(2);
}

describe('the schemas and the document', () => {
  it('have the same names', () => {
    expect([...answerSchemas.keys(), ...requestSchemas.keys()].sort()).toEqual(
      Object.keys(document.components.schemas).sort(),
    );
  });

  it.each([...answerSchemas])('accept and refuse the same values as %s', (name, schema) => {
    expectAgreement(name, schema, readAnswersTolerantly);
  });

  it.each([...requestSchemas])('accept and refuse the same requests as %s', (name, schema) => {
    expectAgreement(name, schema, readRequests);
  });
});
