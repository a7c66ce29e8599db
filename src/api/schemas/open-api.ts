import { z } from 'zod';
import { errorBodySchema } from './error.ts';
import { inviteCreatedEventSchema, postDeletedEventSchema } from './events.ts';
import { operations, type Operation, type OperationName } from './operations.ts';
import { refusalResponses, sharedRefusals } from './refusals.ts';

/** A JSON Schema of draft 2020-12, which OpenAPI 3.1 uses. */
type JsonSchema = z.core.JSONSchema.BaseSchema;

const info = {
  title: 'Social publishing workspace API',
  version: '1.0.0',
  // these two are about this document; the service has terms of its own
  contact: { name: 'The maintainers of postledger' },
  license: { name: 'MIT', identifier: 'MIT' },
  description: `Posts, approvals, ideas, auto-engagements and inline comments of a workspace, and analytics of its LinkedIn profiles.

All bodies are JSON. Times are ISO 8601 in UTC, a date is YYYY-MM-DD, identifiers are UUIDs unless a field says otherwise. A service may add fields to every object, and words to every list of words in an answer.

Limits: 100 requests in any 60 seconds for the whole workspace, then 429 with the seconds until the quota resets. Uploaded images have up to 10 MB (JPEG, PNG, GIF, WebP), videos up to 350 MB (MP4, MOV). What is in the trash is deleted for good after 30 days.

Only operations that the API's specification shows are here. Answers to other failures, such as those of a server, are not specified.`,
};

const tags = [
  { name: 'Analytics', description: "LinkedIn's figures for posts." },
  { name: 'Posts', description: 'Planned, scheduled and published posts.' },
  { name: 'Approvals', description: 'Requests for approval of a post, and their state.' },
  { name: 'Ideas', description: 'Ideas that may become posts.' },
  {
    name: 'Engagements',
    description: 'Likes, comments and reposts made automatically once a post is published.',
  },
  { name: 'Inline Comments', description: "Threads on parts of a post's text." },
  { name: 'Webhooks', description: 'Events that the service sends.' },
];

const apiKey = {
  type: 'http',
  scheme: 'bearer',
  description:
    'An API key of one workspace, created in its settings (plan Pro or higher) and shown only once. It gives access to everything in the workspace. Revoking it is permanent and takes effect at once.',
};

const events = {
  'post.permanently_deleted': {
    operationId: 'receivePostPermanentlyDeleted',
    summary: 'A post was deleted for good',
    description: 'A person deleted it, or its 30 days in the trash were over.',
  },
  'invite.created': {
    operationId: 'receiveInviteCreated',
    summary: 'Someone was invited to the workspace',
    description:
      'A person who already has an account is added to the workspace at once and gets no email.',
  },
} as const;

/**
 * Returns the workspace API as an OpenAPI 3.1 document, made from the schemas that the client and the sandbox use.
 * @param baseUrl the service's base URL, which ends in /api/v1
 */
export function openApiDocument({ baseUrl }: { baseUrl: string }) {
  const { asked, named } = makeJsonSchemas({
    ...operationSchemas(),
    Error: errorBodySchema,
    'post.permanently_deleted': postDeletedEventSchema,
    'invite.created': inviteCreatedEventSchema,
  });
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: baseUrl, description: 'The versioned root of the API.' }],
    tags,
    security: [{ apiKey: [] }],
    paths: makePaths(asked, named),
    webhooks: makeWebhooks(asked),
    components: { schemas: named, responses: sharedRefusals, securitySchemes: { apiKey } },
  };
}

function makeWebhooks(schemas: Readonly<Record<keyof typeof events, JsonSchema>>): object {
  const entries = Object.entries(events).map(([type, event]) => [
    type,
    {
      post: {
        ...event,
        tags: ['Webhooks'],
        // The key is for requests to the service. The specification does not say how a service signs its own.
        security: [],
        requestBody: { required: true, ...jsonContent(schemas[type as keyof typeof events]) },
        responses: { '2XX': { description: 'The event was received.' } },
      },
    },
  ]);
  return Object.fromEntries(entries) as object;
}

/** The name of an operation's schema among those of all operations. */
type SchemaName = `${OperationName} ${'parameters' | 'query' | 'body' | 'answer'}`;

const named = Object.entries(operations) as [OperationName, Operation][];
const nothing = z.object({});

function operationSchemas(): Record<SchemaName, z.ZodType> {
  const entries = named.flatMap(([name, { parameters, query, body, answer }]) => [
    [`${name} parameters`, parameters],
    [`${name} query`, query ?? nothing],
    [`${name} body`, body ?? nothing],
    [`${name} answer`, answer],
  ]);
  return Object.fromEntries(entries) as Record<SchemaName, z.ZodType>;
}

/** @returns operations by path and by method in lower case */
function makePaths(schemas: Readonly<Record<SchemaName, JsonSchema>>, shared: Components) {
  const paths: Record<string, Record<string, ReturnType<typeof makeOperation>>> = {};
  for (const [name, { path, method }] of named) {
    (paths[path] ??= {})[method.toLowerCase()] = makeOperation(name, schemas, shared);
  }
  return paths;
}

function makeOperation(
  name: OperationName,
  schemas: Readonly<Record<SchemaName, JsonSchema>>,
  shared: Components,
) {
  const { summary, description, tag, body, status, answer, refusals }: Operation = operations[name];
  return {
    operationId: name,
    summary,
    description,
    tags: [tag],
    parameters: [
      ...makeParameters('path', schemas[`${name} parameters`], shared),
      ...makeParameters('query', schemas[`${name} query`], shared),
    ],
    ...(body ? { requestBody: jsonBody(schemas[`${name} body`], shared) } : {}),
    responses: {
      [status]: {
        description: answer.description ?? summary,
        ...jsonContent(schemas[`${name} answer`]),
      },
      ...refusalResponses(refusals),
    },
  };
}

function makeParameters(
  location: 'path' | 'query',
  { properties, required }: JsonSchema,
  shared: Components,
): object[] {
  return Object.entries(properties ?? {}).map(([name, property]) => {
    const { description, ...schema } = property as JsonSchema;
    const isRequired = required?.includes(name) ?? false;
    const example = exampleOf(schema, shared);
    return { name, in: location, required: isRequired, description, schema, example };
  });
}

function jsonBody(schema: JsonSchema, shared: Components): object {
  return { required: true, ...jsonContent(schema, { example: exampleOf(schema, shared) }) };
}

function jsonContent(schema: JsonSchema, more: object = {}): object {
  return { content: { 'application/json': { schema, ...more } } };
}

type Components = Readonly<Record<string, JsonSchema>>;

const textExamples: Readonly<Record<string, string>> = {
  uuid: '6f1c0d5e-1c8b-4a57-9d7e-3f1f2f0b9a11',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00.000Z',
  uri: 'https://example.com/',
  email: 'ada@example.com',
};

/** Makes a value that a schema allows, with the required fields alone, so that other tools can send a request. */
function exampleOf(schema: JsonSchema, shared: Components): unknown {
  const { $ref, anyOf, format, properties = {}, required = [], items } = schema;
  if ($ref !== undefined) return exampleOf(shared[$ref.split('/').at(-1) ?? ''] ?? {}, shared);
  const [choice] = anyOf ?? [];
  if (choice !== undefined) return exampleOf(choice, shared);
  const given = schema.const ?? schema.enum?.[0] ?? schema.examples?.[0];
  if (given !== undefined) return given;
  const isOf = (type: string) => [schema.type].flat().includes(type as never);
  if (isOf('object')) {
    const fields = required.map((name) => [
      name,
      exampleOf(properties[name] as JsonSchema, shared),
    ]);
    return Object.fromEntries(fields) as object;
  }
  if (isOf('array')) return [exampleOf(items as JsonSchema, shared)];
  if (isOf('boolean')) return true;
  if (isOf('integer') || isOf('number')) return schema.minimum ?? 1;
  return textExamples[format ?? ''] ?? 'text';
}

interface JsonSchemas<Name extends string> {
  /** The schemas that were asked for, by their names in the request. */
  readonly asked: Readonly<Record<Name, JsonSchema>>;
  /** The schemas that have an `id` in their meta; everything else refers to them. */
  readonly named: Readonly<Record<string, JsonSchema>>;
}

/** Converts schemas of sent values into JSON Schemas, as OpenAPI components with references among them. */
function makeJsonSchemas<Name extends string>(
  schemas: Readonly<Record<Name, z.ZodType>>,
): JsonSchemas<Name> {
  const { properties, $defs } = z.toJSONSchema(z.object(schemas), {
    io: 'input',
    override: ({ jsonSchema }) => removeChecks(jsonSchema),
  });
  const text = JSON.stringify({ asked: properties, named: $defs ?? {} });
  return JSON.parse(text, (_key, value: unknown) => toComponent(value)) as JsonSchemas<Name>;
}

/**
 * Removes keywords that only show how zod checks: the bounds of integers that JavaScript holds exactly, the
 * regular expression behind a `format` (hundreds of characters for a date), and the permission of unknown
 * fields and of any key of a map, which is the default.
 */
function removeChecks(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format !== undefined) delete schema.pattern;
  if (JSON.stringify(schema.additionalProperties) === '{}') delete schema.additionalProperties;
  delete schema.propertyNames;
}

function toComponent(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^#\/\$defs\//, '#/components/schemas/');
  return isTypeOrNull(value) ? foldNull(value) : value;
}

interface TypeOrNull extends JsonSchema {
  anyOf: [JsonSchema, JsonSchema];
}

function isTypeOrNull(value: unknown): value is TypeOrNull {
  const [first, second, ...more] = (value as JsonSchema | null)?.anyOf ?? [];
  const isPlain = typeof first?.type === 'string' && first.type !== 'object';
  return isPlain && second?.type === 'null' && more.length === 0;
}

/** Writes `type: [integer, "null"]`, which more tools understand than a choice of two schemas. */
function foldNull({ anyOf: [plain], ...rest }: TypeOrNull): JsonSchema {
  return { ...rest, ...plain, type: [plain.type, 'null'] } as JsonSchema;
}
