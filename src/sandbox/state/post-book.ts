import type { LinkedInPostAnalytics } from '../../api/schemas/analytics.ts';
import { postStatuses, type PostStatus } from '../../api/schemas/vocabulary.ts';
import { badRequest, notFound } from '../refusal.ts';
import type { KnownDetails, PostPlan, WorkspaceContent } from '../workspace-content.ts';
import { BookedPost, type Stop } from './booked-post.ts';
import { Trash } from './trash.ts';

export interface DeletedPost {
  /** As it was before. */
  readonly post: BookedPost;
  readonly wasInTrash: boolean;
  readonly deletedAt: Date;
}

const unpublishedStatuses: readonly string[] = postStatuses.filter((status) => status !== 'Posted');

/** The posts of the workspace, and what was done to them beyond what was planned. */
export class PostBook {
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

  find(id: string, now: Date): BookedPost | null {
    if (this.#deletedAt.has(id)) return null;
    const plan = this.#content.findPost(id, now);
    return plan && this.#booked(plan, now);
  }

  /** @throws HTTPException 404 for a post that does not exist, or not any more */
  get(id: string, now: Date): BookedPost {
    const post = this.find(id, now);
    if (!post) throw notFound('Post not found');
    return post;
  }

  /** All posts; the latest planned publication first. */
  list(now: Date): BookedPost[] {
    return this.#listPlans(now)
      .sort(byPublicationLatestFirst)
      .map((plan) => this.#booked(plan, now));
  }

  idsAt(now: Date): string[] {
    return this.#listPlans(now).map(({ id }) => id);
  }

  /** @throws HTTPException 400 for any status but Scheduled */
  unschedule(id: string, now: Date): KnownDetails {
    const { status } = this.get(id, now);
    if (status !== 'Scheduled') {
      const present = status ?? 'not known';
      throw badRequest({
        status: [`The status is ${present}: only a Scheduled post can be unscheduled`],
      });
    }
    this.#stops.set(id, { at: now, status: 'Finalized' });
    return this.get(id, now).details;
  }

  /**
   * Cancels what is planned, too: nothing is published from the trash, and whoever takes the post out
   * again has to schedule it anew.
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

  /** What has been in the trash for long enough is deleted, the earliest first. */
  deleteOverdue(now: Date): DeletedPost[] {
    return this.#trash.takeOverdue(now).map(({ id, deletedAt }) => {
      const post = this.get(id, deletedAt);
      this.#deletedAt.set(id, deletedAt);
      return { post, wasInTrash: true, deletedAt };
    });
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

  #listPlans(now: Date): PostPlan[] {
    return this.#content.listPosts(now).filter(({ id }) => !this.#deletedAt.has(id));
  }

  #booked(plan: PostPlan, now: Date): BookedPost {
    const stop = this.#stops.get(plan.id) ?? null;
    return new BookedPost({ plan, stop, isInTrash: this.#trash.has(plan.id), now });
  }
}

function byPublicationLatestFirst(one: PostPlan, other: PostPlan): number {
  return (other.work?.to.getTime() ?? 0) - (one.work?.to.getTime() ?? 0);
}

function isUnpublished(status: string | undefined): status is PostStatus {
  return status !== undefined && unpublishedStatuses.includes(status);
}
