import { join, resolve } from 'node:path';
import { validate } from '@hyperjump/json-schema/openapi-3-1';
import { format } from 'prettier';
import { describe, expect, it } from 'vitest';
import { operations, type Operation } from '../../src/api/schemas/operations.ts';
import { openApiDocument } from '../../src/api/schemas/open-api.ts';

const root = resolve(import.meta.dirname, '..', '..');
const document = openApiDocument({ baseUrl: 'https://social.example.com/api/v1' });
const everyOperation = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** Every object of the document with its JSON pointer. */
function objectsOf(node: unknown, pointer = '#'): [string, Record<string, unknown>][] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node).flatMap(([key, child]) =>
    objectsOf(child, `${pointer}/${key}`),
  );
  return [[pointer, node as Record<string, unknown>], ...inner];
}

/** Those objects that are JSON Schemas, not maps of them by the names of fields. */
function schemasOf(node: unknown) {
  return objectsOf(node).filter(([pointer]) => !/\/(properties|examples|schemas)$/.test(pointer));
}

describe('the document of the API', () => {
  it('stands in the repository as it is generated', async () => {
    const text = await format(JSON.stringify(document), { parser: 'json', printWidth: 100 });
    await expect(text).toMatchFileSnapshot(join(root, 'docs', 'openapi.json'));
  });

  it('is valid by the schema of the OpenAPI Initiative', async () => {
    const dialect = 'https://spec.openapis.org/oas/3.1/schema-base';
    const output = await validate(dialect, document as never, 'BASIC');
    expect(output).toMatchObject({ valid: true });
  });

  it('refers to nothing that is not there, and has no schema that nothing refers to', () => {
    const components = Object.entries(document.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, map]) => Object.keys(map).map((name) => `#/components/${kind}/${name}`));
    const references = objectsOf(document).flatMap(([, { $ref }]) =>
      typeof $ref === 'string' ? [$ref] : [],
    );
    expect([...new Set(references)].sort()).toEqual(components.sort());
  });

  it('has an example of every request, which its operation takes', () => {
    for (const { operationId, parameters, requestBody } of everyOperation) {
      const { parameters: path, query, body }: Operation = operations[operationId];
      const examplesIn = (location: string) =>
        Object.fromEntries(
          (parameters as { name: string; in: string; example: unknown }[])
            .filter((parameter) => parameter.in === location)
            .map(({ name, example }) => [name, example]),
        );
      expect(path.safeParse(examplesIn('path')).error, operationId).toBeUndefined();
      expect(query?.safeParse(examplesIn('query')).error, operationId).toBeUndefined();
      const { content } = (requestBody ?? {}) as { content?: Record<string, { example: unknown }> };
      expect(body?.safeParse(content?.['application/json']?.example).error).toBeUndefined();
    }
  });

  it('describes every named schema, operation, parameter and answer', () => {
    const { schemas, responses } = document.components;
    const described = [
      ...Object.entries(schemas),
      ...Object.entries(responses),
      ...everyOperation.flatMap(({ operationId, parameters, responses: answers, description }) => [
        [operationId, { description }],
        ...parameters.map((parameter) => [operationId, parameter]),
        ...Object.values(answers).flatMap((answer) =>
          '$ref' in answer ? [] : [[operationId, answer]],
        ),
      ]),
    ] as [string, { description?: unknown }][];
    for (const [name, { description }] of described) {
      expect(description, name).toEqual(expect.stringMatching(/^[A-Z].*[.?]$/s));
    }
  });

  it('closes the words of a request, and leaves those of an answer open', () => {
    const objects = new Map(objectsOf(document));
    const isOpen = (pointer: string) => {
      const { anyOf } = objects.get(pointer.replace(/\/anyOf\/0$/, '')) ?? {};
      return Array.isArray(anyOf) && JSON.stringify(anyOf.at(-1)) === '{"type":"string"}';
    };
    const pointers = schemasOf(document).flatMap(([pointer, { enum: words }]) =>
      words ? [pointer] : [],
    );
    const isOfRequest = (pointer: string) => /\/(?:parameters|requestBody)\//.test(pointer);
    expect(pointers.filter((pointer) => isOpen(pointer) === isOfRequest(pointer))).toEqual([]);
    expect(pointers.filter(isOpen)).not.toEqual([]);
    expect(pointers.filter(isOfRequest)).not.toEqual([]);
  });
});
