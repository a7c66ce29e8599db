import { refusals, type Refusal } from './refusals.ts';

/** An answer that refuses a request, with an example for each reason that the specification gives. */
interface RefusalResponse {
  readonly description: string;
  readonly content: object;
}

interface Reason {
  readonly summary: string;
  readonly refusal: Refusal;
  readonly data?: object;
}

/** Whatever is wrong with a key: the specification's "Authentication failures". */
const keyRefusals = {
  revoked: { summary: 'The key was revoked', refusal: refusals.revokedKey('3 days') },
  expired: { summary: 'The key is expired', refusal: refusals.expiredKey },
  disabled: { summary: 'The key is disabled', refusal: refusals.disabledKey },
  insufficientPermissions: {
    summary: 'The key may not do this',
    refusal: refusals.insufficientPermissions,
  },
  insufficientCredits: {
    summary: 'The API credits are used up',
    refusal: refusals.insufficientCredits,
  },
  usageExceeded: { summary: 'The usage quota is exceeded', refusal: refusals.usageExceeded },
};

const componentNames = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
} as const satisfies Record<Refusal['status'], string>;

/** What operations share, for `components.responses`. */
export const sharedRefusals = {
  BadRequest: refusalResponse('A field does not fit; `data.errors` names each and says why.', {
    field: {
      summary: 'A parameter or a field of the body',
      refusal: refusals.badRequest,
      data: { errors: { startDate: ['Invalid date, expected YYYY-MM-DD'] } },
    },
  }),
  Unauthorized: refusalResponse('There is no key, or none that the service knows.', {
    missing: {
      summary: 'There is no Authorization header',
      refusal: refusals.missingKey,
    },
    unknown: {
      summary: 'The key does not exist',
      refusal: refusals.unknownKey,
    },
  }),
  Forbidden: refusalResponse('The key is known, and may not be used.', keyRefusals),
  NotFound: refusalResponse('It does not exist, or not in the workspace of the key.', {
    unknown: { summary: 'An unknown id', refusal: refusals.notFound('Post not found') },
  }),
  TooManyRequests: refusalResponse(
    'More than 100 requests in 60 seconds, by all keys of the workspace together.',
    {
      exceeded: {
        summary: 'The rate limit is exceeded; it says for how long',
        refusal: refusals.rateExceeded({ requests: 100, perSeconds: 60 }, 42),
      },
    },
  ),
} as const satisfies Record<(typeof componentNames)[Refusal['status']], RefusalResponse>;

/** Of analytics, the only operation that refuses with 403 for another reason than the key. */
const analyticsForbidden = refusalResponse(
  'The key is known, and may not be used; or the profile has no analytics.',
  {
    ...keyRefusals,
    engagementProfile: {
      summary: 'The profile only engages with posts',
      refusal: refusals.engagementProfile,
    },
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
  const examples = Object.entries(reasons).map(([name, { summary, refusal, data }]) => {
    const { code, message } = refusal;
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
