import type { LinkedInPostAnalytics } from '../../api/schemas/analytics.ts';
import { postStatuses, type PostStatus } from '../../api/schemas/vocabulary.ts';
import { dayMs } from '../../core/calendar.ts';
import { badRequest, notFound } from '../refusal.ts';
import type { KnownDetails, PostPlan, WorkspaceContent } from '../workspace-content.ts';

/** A post as it is, after what was done to it. */
export interface Post {
  readonly plan: PostPlan;
  readonly isInTrash: boolean;
  /** Until when its plan was followed: now, or when it was stopped. */
  readonly followedUntil: Date;
  readonly status: string | undefined;
  details(): KnownDetails;
}

export interface DeletedPost {
  /** As it was before. */
  readonly post: Post;
  readonly wasInTrash: boolean;
  readonly deletedAt: Date;
}

/** From `at` on a post stays as it is: what was planned for it is cancelled. */
interface Stop {
  readonly at: Date;
  readonly status: PostStatus;
}

/** The posts of the workspace, and what was done to them beyond what was planned. */
export class Posts {
  readonly #content: WorkspaceContent;
  readonly #stops = new Map<string, Stop>();
  readonly #trash = new Trash();
  readonly #deletedAt = new Map<string, Date>();

  constructor(content: WorkspaceContent) {
    this.#content = content;
  }

  get idsInTrash(): string[] {
    return this.#trash.ids;
  }

  get deletedIds(): string[] {
    return [...this.#deletedAt.keys()];
  }

  find(id: string, now: Date): Post | null {
    if (this.#deletedAt.has(id)) return null;
    const plan = this.#content.findPost(id, now);
    return plan && this.#postOf(plan, now);
  }

  /** @throws HTTPException 404 for a post that does not exist, or not any more */
  get(id: string, now: Date): Post {
    const post = this.find(id, now);
    if (!post) throw notFound('Post not found');
    return post;
  }

  /** All posts; the latest planned publication first. */
  list(now: Date): Post[] {
    return this.#content
      .listPosts(now)
      .filter(({ id }) => !this.#deletedAt.has(id))
      .sort(byPublicationLatestFirst)
      .map((plan) => this.#postOf(plan, now));
  }

  /** @throws HTTPException 400 for any status but Scheduled */
  unschedule(id: string, now: Date): KnownDetails {
    const { status = 'not known' } = this.get(id, now);
    if (status !== 'Scheduled') {
      const problem = `The status is ${status}: only a Scheduled post can be unscheduled`;
      throw badRequest({ status: [problem] });
    }
    this.#stops.set(id, { at: now, status: 'Finalized' });
    return this.get(id, now).details();
  }

  /**
   * Cancels what is planned, too: nothing is published from the trash, and whoever takes the post out
   * again has to schedule it again.
   * @returns when it came into the trash
   */
  putIntoTrash(id: string, now: Date): Date {
    const { status } = this.get(id, now);
    if (isUnpublished(status) && !this.#stops.has(id)) {
      this.#stops.set(id, { at: now, status: status === 'Scheduled' ? 'Finalized' : status });
    }
    return this.#trash.put(id, now);
  }

  takeOutOfTrash(id: string, now: Date): void {
    this.get(id, now);
    this.#trash.takeOut(id);
  }

  delete(id: string, now: Date): DeletedPost {
    const post = this.get(id, now);
    this.#trash.takeOut(id);
    this.#deletedAt.set(id, now);
    return { post, wasInTrash: post.isInTrash, deletedAt: now };
  }

  /** Deletes what has been in the trash for long enough, the earliest first. */
  deleteOverdue(now: Date): DeletedPost[] {
    return this.#trash
      .takeOverdue(now)
      .map(({ id, deletedAt }) => ({ ...this.delete(id, deletedAt), wasInTrash: true }));
  }

  /**
   * What LinkedIn and the service know after all that: a post whose publication was cancelled is not
   * there (null), and one whose post was deleted later stays without a link to it.
   */
  publishedForm(record: LinkedInPostAnalytics): LinkedInPostAnalytics | null {
    const id = record.servicePost?.id;
    if (id === undefined) return record;
    const deletedAt = this.#deletedAt.get(id);
    const cancelledAt = this.#stops.get(id)?.at ?? deletedAt;
    if (cancelledAt && new Date(record.publishedAt ?? NaN) > cancelledAt) return null;
    return deletedAt ? { ...record, servicePost: null } : record;
  }

  #postOf(plan: PostPlan, now: Date): Post {
    const stop = this.#stops.get(plan.id);
    const isInTrash = this.#trash.has(plan.id);
    if (!stop) {
      const status = plan.statusAt(now);
      return { plan, isInTrash, followedUntil: now, status, details: () => plan.detailsAt(now) };
    }
    // the clock can have been moved back to before the stop, which holds all the same
    const followedUntil = stop.at < now ? stop.at : now;
    const stopped = {
      status: stop.status,
      publishAt: null,
      updatedAt: followedUntil.toISOString(),
    };
    const details = () => ({ ...plan.detailsAt(stop.at), ...stopped });
    return { plan, isInTrash, followedUntil, status: stop.status, details };
  }
}

function byPublicationLatestFirst(one: PostPlan, other: PostPlan): number {
  return (other.work?.to.getTime() ?? 0) - (one.work?.to.getTime() ?? 0);
}

function isUnpublished(status: string | undefined): status is PostStatus {
  return status !== 'Posted' && (postStatuses as readonly (string | undefined)[]).includes(status);
}

/** How long what is in the trash stays there (the API's specification, "Limits"). */
const retentionMs = 30 * dayMs;

interface Overdue {
  readonly id: string;
  /** When its time in the trash was over. */
  readonly deletedAt: Date;
}

/** What is deleted for good when its time is over; each thing at most once. */
export class Trash {
  readonly #archivedAt = new Map<string, Date>();

  get ids(): string[] {
    return [...this.#archivedAt.keys()];
  }

  has(id: string): boolean {
    return this.#archivedAt.has(id);
  }

  /** @returns when it came here first */
  put(id: string, now: Date): Date {
    const archivedAt = this.#archivedAt.get(id) ?? now;
    this.#archivedAt.set(id, archivedAt);
    return archivedAt;
  }

  takeOut(id: string): void {
    this.#archivedAt.delete(id);
  }

  /** What has been here long enough leaves, the earliest first. */
  takeOverdue(now: Date): Overdue[] {
    const overdue = [...this.#archivedAt]
      .map(([id, archivedAt]) => ({ id, deletedAt: new Date(archivedAt.getTime() + retentionMs) }))
      .filter(({ deletedAt }) => deletedAt <= now)
      .sort((one, other) => one.deletedAt.getTime() - other.deletedAt.getTime());
    for (const { id } of overdue) this.takeOut(id);
    return overdue;
  }
}
