import type { Log } from '../core/log.ts';
import type { Failure } from './failure.ts';

/** So many calls in a row failed though each was tried again: the service is down, more buy nothing. */
const unansweredLimit = 5;

/** Decides which of the remaining calls are pointless after a failure. */
export class StopRules {
  readonly #log: Log;
  readonly #profiles = new Set<string>();
  #isWorkspaceStopped = false;
  #unanswered = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Whether a call for this profile (null: for none in particular) is pointless by now. */
  covers(profileId: string | null): boolean {
    return this.#isWorkspaceStopped || (profileId !== null && this.#profiles.has(profileId));
  }

  sawSuccess(): void {
    this.#unanswered = 0;
  }

  sawFailure(failure: Failure, call: { readonly profileId: string | null }): void {
    const isDown = failure.httpStatus === null || failure.httpStatus >= 500;
    this.#unanswered = isDown ? this.#unanswered + 1 : 0;
    if (failure.reach === 'workspace') {
      const isLimit = failure.httpStatus === 429;
      this.#stopWorkspace(isLimit ? 'its rate limit stays exceeded' : 'the key is refused');
    } else if (this.#unanswered >= unansweredLimit) this.#stopWorkspace('the service is down');
    else if (failure.reach === 'profile' && call.profileId !== null) {
      this.#profiles.add(call.profileId);
    }
  }

  #stopWorkspace(reason: string): void {
    if (this.#isWorkspaceStopped) return;
    this.#isWorkspaceStopped = true;
    this.#log.warn({}, `${reason}: what is left of this workspace is not asked for in this run`);
  }
}
