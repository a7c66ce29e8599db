import { describe, expect, it } from 'vitest';
import { document } from './support/document-readings.ts';
import { documentedAnswers } from './support/documented-answers.ts';
import { noteOf, notesOfFields, type Schema } from './support/field-notation.ts';
import {
  specifiedEventFields,
  specifiedFields,
  specifiedKeyRefusals,
  specifiedOperations,
} from './support/specified-fields.ts';

const schemas = document.components.schemas as Readonly<Record<string, Schema>>;

/** The one object within the payload of an event. */
function payloadOf(event: Schema | undefined): Schema {
  const [payload] = Object.values(event?.properties?.['data']?.properties ?? {});
  if (!payload) throw new Error('the event has no payload');
  return payload;
}

function inWords(method: string, path: string, operation: Operation): string {
  const query = operation.parameters.filter((each) => each.in === 'query');
  const asked = query.map(({ name, schema }) => ` ?${name}=${noteOf(schema)}`).join('');
  return `${method.toUpperCase()} ${path}${asked}: ${Object.keys(operation.responses).sort().join(' ')}`;
}

interface Operation {
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: Schema;
  }[];
  readonly responses: object;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
}

describe('the document, held against the specification', () => {
  it.each(Object.entries(specifiedFields))('has the fields of %s, and no other', (name, fields) => {
    expect(notesOfFields(schemas[name] ?? {})).toEqual(fields);
  });

  it.each(Object.entries(specifiedEventFields))(
    'has the fields of the event %s, and no other',
    (name, fields) => {
      const { type, data, createdAt } = schemas[name]?.properties ?? {};
      expect(schemas[name]?.required).toEqual(['type', 'data', 'createdAt']);
      expect([type?.type, data?.required?.length, createdAt?.format]).toEqual([
        'string',
        1,
        'date-time',
      ]);
      expect(notesOfFields(payloadOf(schemas[name]))).toEqual(fields);
    },
  );

  it('has no resource beside those', () => {
    expect(Object.keys(schemas).sort()).toEqual(
      [...Object.keys(specifiedFields), ...Object.keys(specifiedEventFields)].sort(),
    );
  });

  it('names both events', () => {
    const types = Object.keys(specifiedEventFields).map(
      (name) => schemas[name]?.properties?.['type']?.const,
    );
    expect(types).toEqual(['post.permanently_deleted', 'invite.created']);
    expect(Object.keys(document.webhooks)).toEqual(types);
  });

  it('has every operation with its query and its statuses, and no other', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        inWords(method, path, operation as unknown as Operation),
      ),
    );
    expect(documented.sort()).toEqual([...specifiedOperations].sort());
  });

  it('tells of every operation what is answered to each key, to the letter', () => {
    for (const operation of new Set(documentedAnswers.map((each) => each.operation))) {
      const refusals = documentedAnswers
        .filter((each) => each.operation === operation && /401|403|429/.test(each.status))
        .flatMap(({ status, examples }) =>
          Object.entries(examples)
            .filter(([name]) => name !== 'engagementProfile')
            .map(([, { value }]) => [status, value as Refusal] as const),
        )
        .map(([status, { code, message }]) => `${status} ${code} ${message}`);
      const specified = specifiedKeyRefusals.map((text) =>
        text.replace('<duration>', '3 days').replace('<seconds>', '42'),
      );
      expect(refusals, operation).toEqual(specified);
    }
  });

  it('has one code for each status of a refusal', () => {
    const codes = documentedAnswers.flatMap(({ status, examples }) =>
      Object.values(examples).map(({ value }) => `${status} ${(value as Refusal).code}`),
    );
    expect([...new Set(codes)].sort()).toEqual([
      '400 BAD_REQUEST',
      '401 UNAUTHORIZED',
      '403 FORBIDDEN',
      '404 NOT_FOUND',
      '429 TOO_MANY_REQUESTS',
    ]);
  });

  it('carries the version of the interface, 1.0.0, and a base URL that ends in /api/v1', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
    expect(document.servers.map(({ url }) => url.endsWith('/api/v1'))).toEqual([true]);
  });
});
