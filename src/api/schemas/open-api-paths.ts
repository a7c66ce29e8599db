import { z } from 'zod';
import type { JsonSchema } from './json-schemas.ts';
import { refusalResponses } from './open-api-refusals.ts';
import { operations, type Operation, type OperationName } from './operations.ts';

/** Operations by path and by method in lower case. */
export type Paths = Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;

interface OperationObject {
  readonly operationId: OperationName;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly object[];
  readonly requestBody?: object;
  /** By status, or `2XX`. */
  readonly responses: Readonly<Record<string, object>>;
}

/** Where a schema of an operation is kept among those of all operations. */
type Place = `${OperationName} ${'parameters' | 'query' | 'body' | 'answer'}`;

const named = Object.entries(operations) as [OperationName, Operation][];
const nothing = z.object({});

export function operationSchemas(): Record<Place, z.ZodType> {
  const entries = named.flatMap(([name, { parameters, query, body, answer }]) => [
    [`${name} parameters`, parameters],
    [`${name} query`, query ?? nothing],
    [`${name} body`, body ?? nothing],
    [`${name} answer`, answer],
  ]);
  return Object.fromEntries(entries) as Record<Place, z.ZodType>;
}

export function makePaths(schemas: Readonly<Record<Place, JsonSchema>>): Paths {
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const [name, { path, method }] of named) {
    (paths[path] ??= {})[method.toLowerCase()] = makeOperation(name, schemas);
  }
  return paths;
}

function makeOperation(
  name: OperationName,
  schemas: Readonly<Record<Place, JsonSchema>>,
): OperationObject {
  const { summary, description, tag, body, status, answer, refusals }: Operation = operations[name];
  return {
    operationId: name,
    summary,
    description,
    tags: [tag],
    parameters: [
      ...makeParameters('path', schemas[`${name} parameters`]),
      ...makeParameters('query', schemas[`${name} query`]),
    ],
    ...(body ? { requestBody: jsonBody(schemas[`${name} body`]) } : {}),
    responses: {
      [status]: {
        description: answer.description ?? summary,
        ...jsonContent(schemas[`${name} answer`]),
      },
      ...refusalResponses(refusals),
    },
  };
}

function makeParameters(place: 'path' | 'query', { properties, required }: JsonSchema): object[] {
  return Object.entries(properties ?? {}).map(([name, property]) => {
    const { description, ...schema } = property as JsonSchema;
    return { name, in: place, required: required?.includes(name) ?? false, description, schema };
  });
}

export function jsonBody(schema: JsonSchema): object {
  return { required: true, ...jsonContent(schema) };
}

function jsonContent(schema: JsonSchema): object {
  return { content: { 'application/json': { schema } } };
}
