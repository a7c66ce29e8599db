/** How the service says no: in every answer that refuses a request. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 429;
  readonly code: string;
  readonly message: string;
}

interface Rate {
  readonly requests: number;
  readonly perSeconds: number;
}

/** Every reason that the specification gives ("Errors", "Authentication failures", "Rate limit"). */
export const refusals = {
  /** Of fields that do not fit; the answer names them beside this. */
  badRequest: { status: 400, code: 'BAD_REQUEST', message: 'Bad Request' },
  missingKey: unauthorized('Missing bearer token'),
  unknownKey: unauthorized('Invalid or unauthorized API key'),
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

function unauthorized(message: string): Refusal {
  return { status: 401, code: 'UNAUTHORIZED', message };
}

function forbidden(message: string): Refusal {
  return { status: 403, code: 'FORBIDDEN', message };
}
