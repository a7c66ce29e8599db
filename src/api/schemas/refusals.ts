/** The status, code and message of an answer that refuses a request. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 429;
  readonly code: string;
  readonly message: string;
}

interface Rate {
  readonly requests: number;
  readonly perSeconds: number;
}

/** All refusals that the specification lists ("Errors", "Authentication failures", "Rate limit"). */
export const refusals = {
  /** The answer also names the invalid fields. */
  badRequest: { status: 400, code: 'BAD_REQUEST', message: 'Bad Request' },
  missingKey: { status: 401, code: 'UNAUTHORIZED', message: 'Missing bearer token' },
  unknownKey: { status: 401, code: 'UNAUTHORIZED', message: 'Invalid or unauthorized API key' },
  revokedKey: (duration: string) => forbidden(`API key was revoked ${duration} ago`),
  expiredKey: forbidden('API key is expired'),
  disabledKey: forbidden('Invalid or unauthorized API key'),
  insufficientPermissions: forbidden('Insufficient permissions'),
  insufficientCredits: forbidden('Insufficient credits'),
  usageExceeded: forbidden('Usage exceeded'),
  engagementProfile: forbidden('Engagement profiles cannot be used for analytics'),
  notFound: (message: string) => ({ status: 404, code: 'NOT_FOUND', message }),
  rateExceeded: ({ requests, perSeconds }: Rate, seconds: number) => ({
    status: 429,
    code: 'TOO_MANY_REQUESTS',
    message: `Rate limit of ${requests} requests per ${perSeconds}s exceeded. Quota resets in ${seconds} seconds`,
  }),
} as const satisfies Record<string, Refusal | ((...parts: never[]) => Refusal)>;

function forbidden(message: string): Refusal {
  return { status: 403, code: 'FORBIDDEN', message };
}

type Reason = readonly [name: string, summary: string, refusal: Refusal, data?: object];

const wrongField = { errors: { startDate: ['Invalid date, expected YYYY-MM-DD'] } };
/** The refusals of a key (specification, "Authentication failures"). */
const keyReasons: readonly Reason[] = [
  ['revoked', 'The key was revoked', refusals.revokedKey('3 days')],
  ['expired', 'The key is expired', refusals.expiredKey],
  ['disabled', 'The key is disabled', refusals.disabledKey],
  ['insufficientPermissions', 'The key may not do this', refusals.insufficientPermissions],
  ['insufficientCredits', 'The API credits are used up', refusals.insufficientCredits],
  ['usageExceeded', 'The usage quota is exceeded', refusals.usageExceeded],
];
const noAnalytics: Reason = [
  'engagementProfile',
  'The profile only engages with posts',
  refusals.engagementProfile,
];
const exceeded = refusals.rateExceeded({ requests: 100, perSeconds: 60 }, 42);

/** The refusals that operations share, for `components.responses`, with an example for each reason. */
export const sharedRefusals = {
  BadRequest: refusalResponse('A field is invalid; `data.errors` names each and says why.', [
    ['field', 'A parameter or a field of the body', refusals.badRequest, wrongField],
  ]),
  Unauthorized: refusalResponse('The key is missing or unknown.', [
    ['missing', 'There is no Authorization header', refusals.missingKey],
    ['unknown', 'The key does not exist', refusals.unknownKey],
  ]),
  Forbidden: refusalResponse('The key is known but may not be used.', keyReasons),
  NotFound: refusalResponse("The object does not exist in the key's workspace.", [
    ['unknown', 'An unknown id', refusals.notFound('Post not found')],
  ]),
  TooManyRequests: refusalResponse(
    'More than 100 requests in 60 seconds, by all keys of the workspace together.',
    [['exceeded', 'The rate limit is exceeded; the message says for how long', exceeded]],
  ),
} as const;

const componentNames: Readonly<Record<Refusal['status'], keyof typeof sharedRefusals>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
};

/** Returns the refusals of an operation by status: its own, and those that every request can get. */
export function refusalResponses(own: readonly (400 | 403 | 404)[]): Record<string, object> {
  const statuses = [...new Set([...own, 401, 403, 429] as const)].sort();
  const entries = statuses.map((status): [string, object] => {
    // Analytics is the only operation that answers 403 for a reason other than the key.
    if (status !== 403 || !own.includes(403)) {
      return [String(status), { $ref: `#/components/responses/${componentNames[status]}` }];
    }
    const description = 'The key is known but may not be used, or the profile has no analytics.';
    return ['403', refusalResponse(description, [...keyReasons, noAnalytics])];
  });
  return Object.fromEntries(entries);
}

function refusalResponse(description: string, reasons: readonly Reason[]): object {
  const examples = reasons.map(([name, summary, { code, message }, data]) => {
    return [name, { summary, value: data ? { code, message, data } : { code, message } }];
  });
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
