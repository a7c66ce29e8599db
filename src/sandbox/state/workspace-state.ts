import type { LinkedInPostAnalytics } from '../../api/schemas/analytics.ts';
import type { Approval } from '../../api/schemas/approvals.ts';
import type { InviteCreatedEvent, WebhookEvent } from '../../api/schemas/events.ts';
import type { ArchivedIdea } from '../../api/schemas/ideas.ts';
import type { InlineComment } from '../../api/schemas/inline-comments.ts';
import type { ApprovalRequest } from '../../api/schemas/operations.ts';
import type { Account, CommentChannel } from '../../api/schemas/vocabulary.ts';
import { sandboxUuid, type SandboxProfile } from '../identity.ts';
import { makeUpThreads } from '../made-up/comment-threads.ts';
import { engagementsOf, type Engagement } from '../made-up/engagements.ts';
import { accountOf, sandboxTeam, type Team } from '../made-up/people.ts';
import { notFound } from '../refusal.ts';
import type { SandboxClock } from '../sandbox-clock.ts';
import type {
  DayRange,
  KnownDetails,
  SandboxWorkspace,
  WorkspaceContent,
} from '../workspace-content.ts';
import { Approvals } from './approvals.ts';
import { few, fewByStatus, fewIds, type Examples } from './examples.ts';
import { LinkedInPosts, type Metrics } from './linkedin-posts.ts';
import { Posts, Trash, type DeletedPost, type Post } from './posts.ts';

interface StateParts {
  readonly seed: number;
  readonly content: WorkspaceContent;
  readonly clock: SandboxClock;
  /** Takes an event that is to be sent; it is complete and does not change. */
  readonly emit: (event: WebhookEvent) => void;
}

interface CommentFilter {
  readonly channel?: CommentChannel | undefined;
  readonly resolved?: boolean | undefined;
}

const ideaCount = 24;

/**
 * The workspace with everything that was done to it, at the time of the sandbox's clock. Methods that
 * take an id throw an HTTPException with status 404 for what does not exist, or not any more.
 */
export class WorkspaceState {
  readonly #parts: StateParts;
  /** As events name the workspace. */
  readonly #reference: { readonly id: string; readonly slug: string; readonly name: string };
  readonly #team: Team;
  readonly #posts: Posts;
  readonly #linkedIn: LinkedInPosts;
  readonly #approvals: Approvals;
  readonly #removedEngagements = new Set<string>();
  readonly #ideas: Set<string>;
  readonly #archivedIdeas = new Trash();
  #inviteCount = 0;

  constructor(parts: StateParts) {
    const { seed, content } = parts;
    const { slug, name } = content.workspace;
    this.#parts = parts;
    this.#reference = { id: sandboxUuid(seed, 'workspace', slug), slug, name };
    this.#team = sandboxTeam(seed);
    this.#posts = new Posts(content);
    this.#linkedIn = new LinkedInPosts(content, this.#posts);
    this.#approvals = new Approvals(seed, this.#team);
    this.#ideas = new Set(
      Array.from({ length: ideaCount }, (_, index) => sandboxUuid(seed, 'idea', index)),
    );
  }

  get workspace(): SandboxWorkspace {
    return this.#parts.content.workspace;
  }

  get profiles(): readonly SandboxProfile[] {
    return this.#parts.content.profiles;
  }

  now(): Date {
    return this.#parts.clock.now();
  }

  /** Does what time has brought: what has been in the trash for 30 days is deleted for good, in order. */
  settle(): void {
    const now = this.now();
    for (const { id } of this.#archivedIdeas.takeOverdue(now)) this.#ideas.delete(id);
    for (const deleted of this.#posts.deleteOverdue(now)) this.#emitDeletion(deleted, null);
  }

  listAnalytics(profileId: string, range: DayRange): LinkedInPostAnalytics[] {
    return this.#linkedIn.list(profileId, range, this.now());
  }

  /** @throws HTTPException 400 for metrics that the post cannot have */
  changeMetrics(linkedInPostId: string, metrics: Metrics): LinkedInPostAnalytics {
    return this.#linkedIn.changeMetrics(linkedInPostId, metrics, this.now());
  }

  getPost(id: string): KnownDetails {
    return this.#posts.get(id, this.now()).details();
  }

  /** @throws HTTPException 400 for any status but Scheduled */
  unschedulePost(id: string): KnownDetails {
    return this.#posts.unschedule(id, this.now());
  }

  /** @returns when it came into the trash; one that is there stays there since then */
  trashPost(id: string): Date {
    return this.#posts.putIntoTrash(id, this.now());
  }

  restorePost(id: string): void {
    this.#posts.takeOutOfTrash(id, this.now());
  }

  /** For good, by the owner of the workspace. */
  deletePost(id: string): Date {
    const deleted = this.#posts.delete(id, this.now());
    this.#emitDeletion(deleted, accountOf(this.#team.owner));
    return deleted.deletedAt;
  }

  listApprovals(postId: string): Approval[] {
    return this.#approvals.list(this.#posts.get(postId, this.now()));
  }

  /** @throws HTTPException 400 for people who are no users of the workspace */
  createApprovals(postId: string, requests: readonly ApprovalRequest[]) {
    return this.#approvals.ask(postId, requests, this.#posts, this.now());
  }

  /** One that is archived already stays so since then. */
  archiveIdea(id: string): ArchivedIdea {
    this.#checkIdea(id);
    const archivedAt = this.#archivedIdeas.put(id, this.now()).toISOString();
    return { id, workspaceId: this.#reference.id, archivedAt };
  }

  restoreIdea(id: string): void {
    this.#checkIdea(id);
    this.#archivedIdeas.takeOut(id);
  }

  removeEngagement(id: string): void {
    // an id does not say which post it belongs to
    for (const engagement of this.#engagementsOf(this.#posts.list(this.now()))) {
      if (engagement.id !== id) continue;
      this.#removedEngagements.add(id);
      return;
    }
    throw notFound('Engagement not found');
  }

  listInlineComments(postId: string, { channel, resolved }: CommentFilter): InlineComment[] {
    return this.#threadsOf(this.#posts.get(postId, this.now())).filter(
      (thread) =>
        (channel === undefined || thread.channel === channel) &&
        (resolved === undefined || thread.resolved === resolved),
    );
  }

  /** @param hasAccount default: whether a user of the workspace has this address */
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

  examples(): Examples {
    const now = this.now();
    const posts = linkedInFirst(this.#posts.list(now));
    const archivedIdeas = this.#archivedIdeas.ids;
    return {
      posts: fewByStatus(posts),
      posts_with_approvals: fewIds(posts, (post) => this.#approvals.list(post).length > 0),
      posts_with_comments: fewIds(posts, (post) => this.#threadsOf(post).length > 0),
      linkedin_posts: few(this.#linkedIn.idsAt(now)),
      engagements: few(this.#engagementsOf(posts)).map(({ id, postId, kind }) => ({
        id,
        post_id: postId,
        kind,
      })),
      ideas: few([...this.#ideas].filter((id) => !archivedIdeas.includes(id))),
      users: this.#team.members.map(({ id, firstName, lastName, email }) => ({
        id,
        name: `${firstName} ${lastName}`,
        email,
      })),
      in_trash: { posts: few(this.#posts.idsInTrash), ideas: few(archivedIdeas) },
      deleted_posts: few(this.#posts.deletedIds),
    };
  }

  /** @param deletedBy null when the post's time in the trash was over */
  #emitDeletion({ post, wasInTrash, deletedAt }: DeletedPost, deletedBy: Account | null): void {
    const details = post.details();
    const { id, campaign } = post.plan;
    const at = deletedAt.toISOString();
    const deleted = {
      id,
      title: details.title ?? '',
      status: wasInTrash ? 'archived' : (details.status ?? ''),
      channels: details.channels ?? [],
      campaign: campaign && { ...campaign },
      url: details.url ?? '',
      labels: details.labels ?? [],
      workspace: { ...this.#reference },
      deletedBy,
      deletedAt: at,
      linkedIn: details.linkedIn ?? null,
      x: details.x ?? null,
    };
    this.#parts.emit({ type: 'post.permanently_deleted', data: { post: deleted }, createdAt: at });
  }

  #hasUser(email: string): boolean {
    return this.#team.members.some((each) => each.email.toLowerCase() === email.toLowerCase());
  }

  #checkIdea(id: string): void {
    if (!this.#ideas.has(id)) throw notFound('Idea not found');
  }

  *#engagementsOf(posts: readonly Post[]): Iterable<Engagement> {
    for (const { plan } of posts) {
      const all = engagementsOf(this.#parts.seed, plan.id);
      yield* all.filter(({ id }) => !this.#removedEngagements.has(id));
    }
  }

  #threadsOf(post: Post): InlineComment[] {
    const { plan, followedUntil } = post;
    if (!plan.work) return [];
    const people = this.#team.members.map(accountOf);
    return makeUpThreads(this.#parts.seed, post.details(), plan.work, people, followedUntil);
  }
}

function linkedInFirst(posts: readonly Post[]): Post[] {
  const isLinkedIn = ({ plan }: Post) => plan.channels.includes('LinkedIn');
  return [...posts.filter(isLinkedIn), ...posts.filter((post) => !isLinkedIn(post))];
}
