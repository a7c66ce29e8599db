import type { PostStatus } from '../../api/schemas/vocabulary.ts';
import type { KnownDetails, PostPlan } from '../workspace-content.ts';

/** From `at` on a post stays as it is: what was planned for it is cancelled. */
export interface Stop {
  readonly at: Date;
  readonly status: PostStatus;
}

interface Booking {
  readonly plan: PostPlan;
  readonly stop: Stop | null;
  readonly isInTrash: boolean;
  readonly now: Date;
}

/** A post as it is, after what was done to it. */
export class BookedPost {
  readonly plan: PostPlan;
  readonly isInTrash: boolean;
  /** Until when its plan was followed: now, or when it was stopped. */
  readonly followedUntil: Date;
  readonly #stop: Stop | null;
  #details: KnownDetails | null = null;

  constructor({ plan, stop, isInTrash, now }: Booking) {
    this.plan = plan;
    this.isInTrash = isInTrash;
    this.#stop = stop;
    // The clock can have been moved back to before the stop, which holds all the same.
    this.followedUntil = stop && stop.at < now ? stop.at : now;
  }

  get status(): string | undefined {
    return this.#stop ? this.#stop.status : this.plan.statusAt(this.followedUntil);
  }

  /** Made when they are first asked for: most posts are only looked at from outside. */
  get details(): KnownDetails {
    return (this.#details ??= this.#makeDetails());
  }

  #makeDetails(): KnownDetails {
    if (!this.#stop) return this.plan.detailsAt(this.followedUntil);
    const { at, status } = this.#stop;
    const updatedAt = this.followedUntil.toISOString();
    return { ...this.plan.detailsAt(at), status, publishAt: null, updatedAt };
  }
}
