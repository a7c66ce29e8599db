import { exitCodes } from '../../core/errors.ts';
import { ApiError, type Call, type Reach } from './api-error.ts';

/** An answer that refuses the key or what it asks for: asking again gives the same. */
abstract class AccessError extends ApiError {
  readonly recovery = 'fix-input';
  readonly isRetryable = false;

  /** @param said the service's own message */
  constructor(call: Call, status: number, said: string, advice: string) {
    super(call, status, `${said} (${status})`, advice);
  }
}

/** An answer that every call of the workspace will get. */
abstract class KeyError extends AccessError {
  override readonly reach: Reach = 'workspace';
}

/** Before any request: what the variable holds cannot be a key, and would break the header. */
export class UnusableKeyError extends ApiError {
  override readonly exitCode = exitCodes.usage;
  readonly code = 'API_KEY_UNUSABLE';
  readonly recovery = 'fix-input';
  readonly isRetryable = false;
  override readonly reach: Reach = 'workspace';

  constructor(call: Call) {
    super(
      call,
      null,
      `${call.keyVariable} holds a blank, a line break or another character that no key has`,
      'set it to the key alone',
    );
  }
}

/** 401: no bearer token arrived, though one was sent. */
export class MissingKeyError extends KeyError {
  readonly code = 'API_KEY_MISSING';

  constructor(call: Call, status: number, said: string) {
    super(
      call,
      status,
      said,
      `the key was sent, so something on the way takes the Authorization header away: check ${call.place}.base_url and the proxy`,
    );
  }
}

/** 401: the key is wrong. */
export class InvalidKeyError extends KeyError {
  readonly code = 'API_KEY_INVALID';

  constructor(call: Call, status: number, said: string) {
    super(
      call,
      status,
      said,
      `check ${call.keyVariable}: it must be a key of the workspace at ${call.place}.base_url, whole and without blanks`,
    );
  }
}

/** 403: the key was revoked, for good. */
export class RevokedKeyError extends KeyError {
  readonly code = 'API_KEY_REVOKED';

  constructor(call: Call, status: number, said: string) {
    super(call, status, said, newKey(call));
  }
}

/** 403: the key's time is over. */
export class ExpiredKeyError extends KeyError {
  readonly code = 'API_KEY_EXPIRED';

  constructor(call: Call, status: number, said: string) {
    super(call, status, said, newKey(call));
  }
}

/** 403 with the words of a wrong key: the key is known, but disabled. */
export class DisabledKeyError extends KeyError {
  readonly code = 'API_KEY_DISABLED';

  constructor(call: Call, status: number, said: string) {
    const advice = `the key in ${call.keyVariable} is disabled: enable it in the workspace's settings (API Keys), or set another`;
    super(call, status, said, advice);
  }
}

/** 403: the key may not do this. */
export class InsufficientPermissionsError extends AccessError {
  readonly code = 'API_INSUFFICIENT_PERMISSIONS';
  override readonly reach: Reach = 'profile';

  constructor(call: Call, status: number, said: string) {
    const advice = `give the key in ${call.keyVariable} the right to do this, or set another`;
    super(call, status, said, advice);
  }
}

/** 403: the workspace's API credits are used up. */
export class InsufficientCreditsError extends KeyError {
  readonly code = 'API_INSUFFICIENT_CREDITS';

  constructor(call: Call, status: number, said: string) {
    super(call, status, said, 'add credits in the workspace, then run again');
  }
}

/** 403: the workspace's usage is above its plan. */
export class UsageExceededError extends KeyError {
  readonly code = 'API_USAGE_EXCEEDED';

  constructor(call: Call, status: number, said: string) {
    super(call, status, said, "wait until the workspace's usage starts anew, or raise its plan");
  }
}

/** 403: the profile is one for engagement, which has no analytics. */
export class EngagementProfileError extends AccessError {
  readonly code = 'API_ENGAGEMENT_PROFILE';
  override readonly reach: Reach = 'profile';

  constructor(call: Call, status: number, said: string) {
    const advice = `engagement profiles have no analytics: take the profile out of ${call.place}.profiles`;
    super(call, status, said, advice);
  }
}

/** 403 for a reason that is not in the API's documentation. */
export class ForbiddenError extends AccessError {
  readonly code = 'API_FORBIDDEN';
  override readonly reach: Reach = 'profile';

  constructor(call: Call, status: number, said: string) {
    const advice = call.isWindow
      ? `see what the key in ${call.keyVariable} and this profile are allowed in the workspace (analytics need a profile that is not for engagement only)`
      : `see what the key in ${call.keyVariable} is allowed in the workspace`;
    super(call, status, said, advice);
  }
}

function newKey(call: Call): string {
  return `create a new key in the workspace's settings (API Keys) and set it as ${call.keyVariable}`;
}
