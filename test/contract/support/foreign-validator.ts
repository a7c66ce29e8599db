import {
  registerSchema,
  setShouldValidateFormat,
  unregisterSchema,
  validate,
  type Output,
  type SchemaObject,
  type Validator,
} from '@hyperjump/json-schema/openapi-3-1';
import '@hyperjump/json-schema/formats';
import { onTestFinished } from 'vitest';

type Json = Parameters<Validator>[0];

const dialect = 'https://spec.openapis.org/oas/3.1/schema-base';

/** What the schema of the OpenAPI Initiative, its schemas for JSON Schemas included, says against a document. */
export async function faultsOfDocument(document: unknown): Promise<string[]> {
  return faultsIn(await validate(dialect, document as Json, 'BASIC'));
}

/**
 * A validator of values by the schemas of a document, formats included, for the rest of the test.
 * @param address where the document would be found
 */
export function validatorOf(document: unknown, address: string) {
  setShouldValidateFormat(true);
  registerSchema(document as SchemaObject, address, dialect);
  onTestFinished(() => unregisterSchema(address));
  return async (pointer: string, value: unknown): Promise<string[]> =>
    faultsIn(await validate(`${address}${pointer}`, value as Json, 'BASIC'));
}

function faultsIn(output: Output): string[] {
  if (output.valid) return [];
  return (output.errors ?? []).map(
    ({ instanceLocation, absoluteKeywordLocation }) =>
      `${instanceLocation} does not fit ${absoluteKeywordLocation}`,
  );
}
