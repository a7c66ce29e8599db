import { errorBodySchema } from './error.ts';
import { inviteCreatedEventSchema, postDeletedEventSchema } from './events.ts';
import { makeJsonSchemas, type JsonSchema } from './json-schemas.ts';
import { jsonBody, makePaths, operationSchemas, type Paths } from './open-api-paths.ts';
import { sharedRefusals } from './open-api-refusals.ts';

/** An OpenAPI 3.1 document, as far as its readers here must know it. */
interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: object;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly object[];
  readonly security: readonly object[];
  readonly paths: Paths;
  readonly webhooks: object;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: object;
    readonly securitySchemes: object;
  };
}

const info = {
  title: 'Social publishing workspace API',
  version: '1.0.0',
  description: `Posts, approvals, ideas, auto-engagements and inline comments of a workspace, and analytics of its LinkedIn profiles.

All bodies are JSON. Times are ISO 8601 in UTC, a date is YYYY-MM-DD, identifiers are UUIDs unless a field says otherwise. A service may add fields to every object, and words to every list of words in an answer.

Limits: 100 requests in any 60 seconds for the whole workspace, then 429 with the seconds until the quota resets. Uploaded images have up to 10 MB (JPEG, PNG, GIF, WebP), videos up to 350 MB (MP4, MOV). What is in the trash is deleted for good after 30 days.

Only operations that the API's specification shows are here. Answers to other failures, such as those of a server, are not specified.`,
};

const tags = [
  { name: 'Analytics', description: 'What LinkedIn counted for posts.' },
  { name: 'Posts', description: 'Planned, scheduled and published posts.' },
  { name: 'Approvals', description: 'Who was asked to approve a post, and who did.' },
  { name: 'Ideas', description: 'What might become a post.' },
  {
    name: 'Engagements',
    description: 'Likes, comments and reposts that are made by themselves once a post is out.',
  },
  { name: 'Inline Comments', description: "Threads on parts of a post's text." },
  { name: 'Webhooks', description: 'What the service tells by itself.' },
];

const apiKey = {
  type: 'http',
  scheme: 'bearer',
  description:
    'An API key of one workspace, made in its settings (plan Pro or higher) and shown only once. It gives access to everything in the workspace. Revoking it is permanent and takes effect at once.',
};

const events = {
  'post.permanently_deleted': {
    operationId: 'receivePostPermanentlyDeleted',
    summary: 'A post was deleted for good',
    description: 'By a person, or because its 30 days in the trash were over.',
  },
  'invite.created': {
    operationId: 'receiveInviteCreated',
    summary: 'Someone was invited to the workspace',
    description:
      'Whoever has an account already is added to the workspace at once, and gets no email.',
  },
} as const;

/**
 * The workspace API as an OpenAPI 3.1 document, from the schemas that the client and the sandbox use.
 * @param baseUrl of the service, which ends in /api/v1
 */
export function openApiDocument({ baseUrl }: { baseUrl: string }): OpenApiDocument {
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
    paths: makePaths(asked),
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
        // the key is for requests to the service; how a service signs its own is not specified
        security: [],
        requestBody: jsonBody(schemas[type as keyof typeof events]),
        responses: { '2XX': { description: 'The event was received.' } },
      },
    },
  ]);
  return Object.fromEntries(entries) as object;
}
