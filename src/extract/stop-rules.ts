import type { Failure } from './extract-outcome.ts';

/** So many calls in a row failed though each was tried again: the service is down, more buy nothing. */
const unansweredLimit = 5;

/** Decides which of the remaining calls are pointless after a failure. */
export class StopRules {
  readonly #profiles = new Set<string>();
  #isWorkspaceStopped = false;
  #unanswered = 0;

  /** Whether a call for this profile (null: for none in particular) is pointless by now. */
  covers(profileId: string | null): boolean {
    return this.#isWorkspaceStopped || (profileId !== null && this.#profiles.has(profileId));
  }

  sawSuccess(): void {
    this.#unanswered = 0;
  }

  /** @returns what it keeps from being asked, in words; null when it stops no more than its own profile */
  sawFailure(failure: Failure, call: { readonly profileId: string | null }): string | null {
    const isDown = failure.httpStatus === null || failure.httpStatus >= 500;
    this.#unanswered = isDown ? this.#unanswered + 1 : 0;
    const isOutage = this.#unanswered >= unansweredLimit;
    if (failure.reach === 'workspace' || isOutage) {
      if (this.#isWorkspaceStopped) return null;
      this.#isWorkspaceStopped = true;
      const reason = isOutage ? `${unansweredLimit} calls in a row have failed: ` : '';
      return `${reason}nothing more is asked of this workspace in this run`;
    }
    if (failure.reach === 'profile' && call.profileId !== null) this.#profiles.add(call.profileId);
    return null;
  }
}
