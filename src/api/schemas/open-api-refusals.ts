/** An answer that refuses a request, with an example for each reason that the specification gives. */
interface RefusalResponse {
  readonly description: string;
  readonly content: object;
}

interface Reason {
  readonly summary: string;
  readonly code: string;
  readonly message: string;
  readonly data?: object;
}

type RefusalStatus = 400 | 401 | 403 | 404 | 429;

const forbidden = (summary: string, message: string): Reason => ({
  summary,
  code: 'FORBIDDEN',
  message,
});

/** Whatever is wrong with a key: the specification's "Authentication failures". */
const keyRefusals = {
  revoked: forbidden('The key was revoked', 'API key was revoked 3 days ago'),
  expired: forbidden('The key is expired', 'API key is expired'),
  disabled: forbidden('The key is disabled', 'Invalid or unauthorized API key'),
  insufficientPermissions: forbidden('The key may not do this', 'Insufficient permissions'),
  insufficientCredits: forbidden('The API credits are used up', 'Insufficient credits'),
  usageExceeded: forbidden('The usage quota is exceeded', 'Usage exceeded'),
};

const componentNames = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
} as const satisfies Record<RefusalStatus, string>;

/** What operations share, for `components.responses`. */
export const sharedRefusals = {
  BadRequest: refusalResponse('A field does not fit; `data.errors` names each and says why.', {
    field: {
      summary: 'A parameter or a field of the body',
      code: 'BAD_REQUEST',
      message: 'Bad Request',
      data: { errors: { startDate: ['Invalid date, expected YYYY-MM-DD'] } },
    },
  }),
  Unauthorized: refusalResponse('There is no key, or none that the service knows.', {
    missing: {
      summary: 'There is no Authorization header',
      code: 'UNAUTHORIZED',
      message: 'Missing bearer token',
    },
    unknown: {
      summary: 'The key does not exist',
      code: 'UNAUTHORIZED',
      message: 'Invalid or unauthorized API key',
    },
  }),
  Forbidden: refusalResponse('The key is known, and may not be used.', keyRefusals),
  NotFound: refusalResponse('It does not exist, or not in the workspace of the key.', {
    unknown: { summary: 'An unknown id', code: 'NOT_FOUND', message: 'Post not found' },
  }),
  TooManyRequests: refusalResponse(
    'More than 100 requests in 60 seconds, by all keys of the workspace together.',
    {
      exceeded: {
        summary: 'The rate limit is exceeded; it says for how long',
        code: 'TOO_MANY_REQUESTS',
        message: 'Rate limit of 100 requests per 60s exceeded. Quota resets in 42 seconds',
      },
    },
  ),
} as const satisfies Record<(typeof componentNames)[RefusalStatus], RefusalResponse>;

/** Of analytics, the only operation that refuses with 403 for another reason than the key. */
const analyticsForbidden = refusalResponse(
  'The key is known, and may not be used; or the profile has no analytics.',
  {
    ...keyRefusals,
    engagementProfile: forbidden(
      'The profile only engages with posts',
      'Engagement profiles cannot be used for analytics',
    ),
  },
);

/** The refusals of an operation by status: its own, and those that every request can meet. */
export function refusalResponses(own: readonly (400 | 403 | 404)[]): Record<string, object> {
  const statuses = [...new Set([...own, 401, 403, 429] as const)].sort();
  const entries = statuses.map((status) => [
    String(status),
    status === 403 && own.includes(403)
      ? analyticsForbidden
      : { $ref: `#/components/responses/${componentNames[status]}` },
  ]);
  return Object.fromEntries(entries) as Record<string, object>;
}

function refusalResponse(
  description: string,
  reasons: Readonly<Record<string, Reason>>,
): RefusalResponse {
  const examples = Object.entries(reasons).map(([name, { summary, ...value }]) => [
    name,
    { summary, value },
  ]);
  return {
    description,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples) as object,
      },
    },
  };
}
