import type { LinkedInPostAnalytics } from '../../api/schemas/analytics.ts';
import type { Approval } from '../../api/schemas/approvals.ts';
import type { InviteCreatedEvent, WebhookEvent } from '../../api/schemas/events.ts';
import type { ArchivedIdea } from '../../api/schemas/ideas.ts';
import type { InlineComment } from '../../api/schemas/inline-comments.ts';
import type { ApprovalRequest } from '../../api/schemas/operations.ts';
import type { PostDetails } from '../../api/schemas/posts.ts';
import {
  postStatuses,
  type Account,
  type CommentChannel,
  type PostStatus,
} from '../../api/schemas/vocabulary.ts';
import { dayMs } from '../../core/calendar.ts';
import { defaultSandbox, sandboxUuid, type SandboxProfile } from '../identity.ts';
import { makeUpThreads } from '../made-up/comment-threads.ts';
import { accountOf, engagementsOf, sandboxTeam, type Engagement } from '../made-up/people.ts';
import type { DayRange, WorkspaceContent } from '../made-up/made-up-content.ts';
import { detailsAt, stageAt, type PlannedPost } from '../made-up/planned-post.ts';
import { badRequest, notFound } from '../request.ts';
import type { SandboxClock } from '../sandbox-clock.ts';
import { createApproval, membersAsked, reviewApprovals, withoutEmails } from './approvals.ts';

interface StateParts {
  readonly seed: number;
  readonly content: WorkspaceContent;
  readonly clock: SandboxClock;
  /** Sends an event, which is complete and does not change. */
  readonly emit: (event: WebhookEvent) => void;
}

/** A post after everything that was done to it. */
interface PostState {
  readonly plan: PlannedPost;
  readonly isInTrash: boolean;
  /** The time until which its plan was followed, which is now unless the plan was stopped. */
  readonly followedUntil: Date;
  readonly status: PostStatus;
  details(): PostDetails;
}

export type Examples = ReturnType<WorkspaceState['examples']>;

/** Values of metrics by their names in the API. */
type Metrics = Readonly<Record<string, number | null | undefined>>;

interface CommentFilter {
  readonly channel?: CommentChannel | undefined;
  readonly resolved?: boolean | undefined;
}

const ideaCount = 24;
/** The time after which the trash is emptied (the API's specification, "Limits"). */
const retentionMs = 30 * dayMs;
const allDays: DayRange = { from: '0000-01-01', to: '9999-12-31' };

/**
 * The workspace with everything that was done to it, at the time of the sandbox's clock. Methods that take an id throw an
 * HTTPException with status 404 when nothing with this id exists.
 */
export class WorkspaceState {
  readonly #parts: StateParts;
  /** The workspace as events describe it. */
  readonly #reference: { readonly id: string; readonly slug: string; readonly name: string };
  readonly #team: ReturnType<typeof sandboxTeam>;
  /** The times from which posts stay as they are, since their plans were cancelled. */
  readonly #stops = new Map<string, { readonly at: Date; readonly status: PostStatus }>();
  /** The posts in the trash, with the time when each came there. */
  readonly #trash = new Map<string, Date>();
  readonly #deletedAt = new Map<string, Date>();
  /** Approvals that were created over the API, by post. */
  readonly #approvals = new Map<string, readonly Approval[]>();
  /** Figures of LinkedIn posts that were set by hand. They hold from then on, however the posts grow. */
  readonly #metrics = new Map<string, Metrics>();
  readonly #removedEngagements = new Set<string>();
  readonly #ideas: Set<string>;
  /** The archived ideas, with the time of each archiving. */
  readonly #ideaTrash = new Map<string, Date>();
  #inviteCount = 0;

  constructor(parts: StateParts) {
    const { seed } = parts;
    const { slug, name } = defaultSandbox.workspace;
    this.#parts = parts;
    this.#reference = { id: sandboxUuid(seed, 'workspace', slug), slug, name };
    this.#team = sandboxTeam(seed);
    this.#ideas = new Set(
      Array.from({ length: ideaCount }, (_, index) => sandboxUuid(seed, 'idea', index)),
    );
  }

  get profiles(): readonly SandboxProfile[] {
    return this.#parts.content.profiles;
  }

  now(): Date {
    return this.#parts.clock.now();
  }

  /** Brings the state up to the clock: posts and ideas that have been in the trash for 30 days are deleted for good, in order. */
  settle(): void {
    for (const { id } of this.#overdue(this.#ideaTrash)) {
      this.#ideaTrash.delete(id);
      this.#ideas.delete(id);
    }
    for (const { id, deletedAt } of this.#overdue(this.#trash)) this.#delete(id, deletedAt, null);
  }

  /** Lists the analytics of a profile's posts, newest first. */
  listAnalytics(profileId: string, range: DayRange): LinkedInPostAnalytics[] {
    return [...this.#publishedBy(profileId, range)];
  }

  /** Sets figures of a LinkedIn post by hand. @returns the record as it is from now on */
  changeMetrics(linkedInPostId: string, metrics: Metrics): LinkedInPostAnalytics {
    const id = linkedInPostId.toLowerCase();
    const all = this.profiles.flatMap((profile) => this.listAnalytics(profile.id, allDays));
    const record = all.find((each) => each.id === id);
    if (!record) throw notFound('LinkedIn post not found');
    this.#metrics.set(id, { ...this.#metrics.get(id), ...metrics });
    return { ...record, ...metrics };
  }

  getPost(id: string): PostDetails {
    return this.#post(id).details();
  }

  /** @throws HTTPException 400 for any status but Scheduled */
  unschedulePost(id: string): PostDetails {
    const { status } = this.#post(id);
    if (status !== 'Scheduled') {
      const problem = `The status is ${status}: only a Scheduled post can be unscheduled`;
      throw badRequest({ status: [problem] });
    }
    this.#stops.set(id, { at: this.now(), status: 'Finalized' });
    return this.getPost(id);
  }

  /**
   * Moves a post to the trash and cancels its publication.
   * @returns the time when it came into the trash, also if that was earlier
   */
  trashPost(id: string): Date {
    const { status } = this.#post(id);
    if (status !== 'Posted' && !this.#stops.has(id)) {
      const left = status === 'Scheduled' ? 'Finalized' : status;
      this.#stops.set(id, { at: this.now(), status: left });
    }
    return firstPut(this.#trash, id, this.now());
  }

  /** Deletes a post for good, as the owner of the workspace. */
  deletePost(id: string): Date {
    const now = this.now();
    this.#delete(id, now, accountOf(this.#team.owner));
    return now;
  }

  /** Lists approvals with the addresses of the people, in the order in which they were created. */
  listApprovals(postId: string): Approval[] {
    return this.#approvalsOf(this.#post(postId));
  }

  /**
   * Creates at most one approval for each person and post; the first one counts, also within one request.
   * @returns those that were created before, unchanged, among `existingApprovals`
   * @throws HTTPException 400 for people who are not users of the workspace
   */
  createApprovals(postId: string, requests: readonly ApprovalRequest[]) {
    const asked = membersAsked(requests, this.#team);
    const before = this.listApprovals(postId);
    const [seed, now, { owner }] = [this.#parts.seed, this.now(), this.#team];
    const known = new Map(before.map((approval) => [approval.user.id, approval]));
    const created = new Map<string, Approval>();
    for (const { person, request } of asked)
      if (!known.has(person.id) && !created.has(person.id))
        created.set(person.id, createApproval(seed, postId, { person, owner, request, now }));
    const existing = before.filter(({ user }) => asked.some(({ person }) => person.id === user.id));
    const earlier = this.#approvals.get(postId) ?? [];
    this.#approvals.set(postId, [...earlier, ...created.values()]);
    return {
      createdApprovals: [...created.values()].map(withoutEmails),
      existingApprovals: existing.map(withoutEmails),
    };
  }

  /** Archives an idea. An idea that is archived already keeps its time. */
  archiveIdea(id: string): ArchivedIdea {
    if (!this.#ideas.has(id)) throw notFound('Idea not found');
    const archivedAt = firstPut(this.#ideaTrash, id, this.now()).toISOString();
    return { id, workspaceId: this.#reference.id, archivedAt };
  }

  removeEngagement(id: string): void {
    // the id alone does not name the post
    for (const engagement of this.#engagementsOf(this.#listPosts())) {
      if (engagement.id !== id) continue;
      this.#removedEngagements.add(id);
      return;
    }
    throw notFound('Engagement not found');
  }

  listInlineComments(postId: string, { channel, resolved }: CommentFilter): InlineComment[] {
    return this.#threadsOf(this.#post(postId)).filter(
      (thread) =>
        (channel === undefined || thread.channel === channel) &&
        (resolved === undefined || thread.resolved === resolved),
    );
  }

  /** @param hasAccount the default is true if a user of the workspace has this address */
  invite(email: string, hasAccount = this.#hasUser(email)): InviteCreatedEvent['data'] {
    const createdAt = this.now().toISOString();
    const invite = {
      id: sandboxUuid(this.#parts.seed, 'invite', this.#inviteCount),
      email,
      createdAt,
      invitedBy: accountOf(this.#team.owner),
      workspace: { ...this.#reference },
      sentEmail: !hasAccount,
    };
    this.#inviteCount += 1;
    this.#parts.emit({ type: 'invite.created', data: { invite }, createdAt });
    return { invite };
  }

  /**
   * Lists a few ids of each kind to try things with. They are the same for the same seed, clock and requests. Posts are
   * by status, without those in the trash: those for LinkedIn first, then by publication, latest first.
   */
  examples() {
    const all = this.#listPosts();
    const isLinkedIn = ({ plan }: PostState) => plan.channels.includes('LinkedIn');
    const posts = [...all.filter(isLinkedIn), ...all.filter((post) => !isLinkedIn(post))];
    const withStatus = postStatuses.map((status) => [
      status,
      fewIds(posts, (post) => post.status === status && !post.isInTrash),
    ]);
    return {
      posts: Object.fromEntries(withStatus) as Record<PostStatus, string[]>,
      posts_with_approvals: fewIds(posts, (post) => this.#approvalsOf(post).length > 0),
      posts_with_comments: fewIds(posts, (post) => this.#threadsOf(post).length > 0),
      linkedin_posts: few(this.#linkedInIds()),
      engagements: few(this.#engagementsOf(posts)).map(({ id, postId, kind }) => ({
        id,
        post_id: postId,
        kind,
      })),
      ideas: few([...this.#ideas].filter((id) => !this.#ideaTrash.has(id))),
      users: this.#team.members.map(({ id, firstName, lastName, email }) => ({
        id,
        name: `${firstName} ${lastName}`,
        email,
      })),
      in_trash: { posts: few(this.#trash.keys()), ideas: few(this.#ideaTrash.keys()) },
      deleted_posts: few(this.#deletedAt.keys()),
    };
  }

  #post(id: string): PostState {
    const plan = this.#deletedAt.has(id) ? null : this.#parts.content.findPost(id, this.now());
    if (!plan) throw notFound('Post not found');
    return this.#postOf(plan, this.now());
  }

  #postOf(plan: PlannedPost, now: Date): PostState {
    const stop = this.#stops.get(plan.id);
    const isInTrash = this.#trash.has(plan.id);
    if (!stop) {
      const { status } = stageAt(plan, now);
      return { plan, isInTrash, followedUntil: now, status, details: () => detailsAt(plan, now) };
    }
    // the stop holds even when the clock was moved back to before it
    const followedUntil = stop.at < now ? stop.at : now;
    const { status } = stop;
    const stopped = { status, publishAt: null, updatedAt: followedUntil.toISOString() };
    const details = () => ({ ...detailsAt(plan, stop.at), ...stopped });
    return { plan, isInTrash, followedUntil, status, details };
  }

  /** Lists all posts, the latest planned publication first. */
  #listPosts(): PostState[] {
    const now = this.now();
    return this.#parts.content
      .listPosts(now)
      .filter(({ id }) => !this.#deletedAt.has(id))
      .sort((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime())
      .map((plan) => this.#postOf(plan, now));
  }

  *#publishedBy(profileId: string, range: DayRange): Iterable<LinkedInPostAnalytics> {
    for (const record of this.#parts.content.analyticsOf(profileId, range, this.now())) {
      const published = this.#publishedForm(record);
      if (published) yield { ...published, ...this.#metrics.get(published.id) };
    }
  }

  /** Yields the ids of the LinkedIn posts of all profiles, each found when the caller takes it. */
  *#linkedInIds(): Iterable<string> {
    for (const profile of this.profiles) {
      for (const { id } of this.#publishedBy(profile.id, allDays)) yield id;
    }
  }

  /**
   * Gives a record as LinkedIn and the service know it after everything that was done. A post whose publication was
   * cancelled does not exist (null), and one whose workspace post was deleted later has no link.
   */
  #publishedForm(record: LinkedInPostAnalytics): LinkedInPostAnalytics | null {
    const id = record.servicePost?.id;
    if (id === undefined) return record;
    const deletedAt = this.#deletedAt.get(id);
    const cancelledAt = this.#stops.get(id)?.at ?? deletedAt;
    if (cancelledAt && new Date(record.publishedAt ?? NaN) > cancelledAt) return null;
    return deletedAt ? { ...record, servicePost: null } : record;
  }

  /** @param deletedBy null when the post was deleted by its time in the trash */
  #delete(id: string, deletedAt: Date, deletedBy: Account | null): void {
    const plan = this.#deletedAt.has(id) ? null : this.#parts.content.findPost(id, deletedAt);
    if (!plan) throw notFound('Post not found');
    const details = this.#postOf(plan, deletedAt).details();
    const at = deletedAt.toISOString();
    const post = {
      id,
      title: details.title,
      status: this.#trash.delete(id) ? 'archived' : details.status,
      channels: details.channels,
      campaign: plan.campaign && { ...plan.campaign },
      url: details.url,
      labels: details.labels,
      workspace: { ...this.#reference },
      deletedBy,
      deletedAt: at,
      linkedIn: details.linkedIn ?? null,
      x: details.x ?? null,
    };
    this.#deletedAt.set(id, deletedAt);
    this.#parts.emit({ type: 'post.permanently_deleted', data: { post }, createdAt: at });
  }

  /** Lists what has been in the trash for long enough, the earliest first. */
  #overdue(trash: ReadonlyMap<string, Date>): { id: string; deletedAt: Date }[] {
    const now = this.now();
    return [...trash]
      .map(([id, since]) => ({ id, deletedAt: new Date(since.getTime() + retentionMs) }))
      .filter(({ deletedAt }) => deletedAt <= now)
      .sort((one, other) => one.deletedAt.getTime() - other.deletedAt.getTime());
  }

  #approvalsOf({ plan, followedUntil }: PostState): Approval[] {
    const asked = this.#approvals.get(plan.id) ?? [];
    const isAsked = (id: string) => asked.some(({ user }) => user.id === id);
    const reviews = reviewApprovals(this.#parts.seed, plan, this.#team, followedUntil);
    return [...reviews.filter(({ user }) => !isAsked(user.id)), ...asked];
  }

  *#engagementsOf(posts: readonly PostState[]): Iterable<Engagement> {
    for (const { plan } of posts) {
      const all = engagementsOf(this.#parts.seed, plan.id);
      yield* all.filter(({ id }) => !this.#removedEngagements.has(id));
    }
  }

  #threadsOf(post: PostState): InlineComment[] {
    const { plan, followedUntil: now } = post;
    const people = this.#team.members.map(accountOf);
    const { seed } = this.#parts;
    return makeUpThreads({ seed, details: post.details(), plan, people, now });
  }

  #hasUser(email: string): boolean {
    return this.#team.members.some((each) => each.email.toLowerCase() === email.toLowerCase());
  }
}

/** @returns the time when it was put there first */
function firstPut(trash: Map<string, Date>, id: string, now: Date): Date {
  const since = trash.get(id) ?? now;
  trash.set(id, since);
  return since;
}

const fewCount = 5;

/** Takes the first few and then stops, since most posts have to be made up to be examined. */
function few<Item>(items: Iterable<Item>): Item[] {
  const chosen: Item[] = [];
  for (const item of items) {
    chosen.push(item);
    if (chosen.length === fewCount) break;
  }
  return chosen;
}

/** Takes the ids of the first few posts that match. */
function fewIds(posts: readonly PostState[], matches: (post: PostState) => boolean): string[] {
  return few(
    (function* () {
      for (const post of posts) if (matches(post)) yield post.plan.id;
    })(),
  );
}
