import type { LinkedInPostAnalytics } from '../../api/schemas/analytics.ts';
import type { Approval } from '../../api/schemas/approvals.ts';
import type { WebhookEvent } from '../../api/schemas/events.ts';
import type { ArchivedIdea } from '../../api/schemas/ideas.ts';
import type { InlineComment } from '../../api/schemas/inline-comments.ts';
import type { ApprovalRequest } from '../../api/schemas/operations.ts';
import type { CommentChannel } from '../../api/schemas/vocabulary.ts';
import { sandboxUuid, type SandboxProfile } from '../identity.ts';
import { makeUpThreads } from '../made-up/comment-threads.ts';
import { accountOf, sandboxTeam, type Team } from '../made-up/people.ts';
import { badRequest } from '../refusal.ts';
import type { SandboxClock } from '../sandbox-clock.ts';
import type {
  DayRange,
  KnownDetails,
  SandboxWorkspace,
  WorkspaceContent,
} from '../workspace-content.ts';
import { ApprovalBook, withoutEmails, type AskedPerson } from './approval-book.ts';
import type { BookedPost } from './booked-post.ts';
import { EngagementBook } from './engagement-book.ts';
import { inviteCreatedEvent, postDeletedEvent, type WorkspaceReference } from './event-payloads.ts';
import { chooseExamples, type Examples } from './examples.ts';
import { IdeaBook } from './idea-book.ts';
import { LinkedInPosts } from './linkedin-posts.ts';
import type { Metrics } from './metric-changes.ts';
import { PostBook } from './post-book.ts';

/** Takes an event that is to be sent; it is complete and does not change. */
export type Emit = (event: WebhookEvent) => void;

interface StateParts {
  readonly seed: number;
  readonly content: WorkspaceContent;
  readonly clock: SandboxClock;
  readonly emit: Emit;
}

interface CommentFilter {
  readonly channel?: CommentChannel | undefined;
  readonly resolved?: boolean | undefined;
}

/**
 * The workspace with everything that was done to it, at the time of the sandbox's clock. Methods that
 * take an id throw an HTTPException with status 404 for what does not exist, or not any more.
 */
export class WorkspaceState {
  readonly #seed: number;
  readonly #content: WorkspaceContent;
  readonly #clock: SandboxClock;
  readonly #emit: Emit;
  readonly #workspace: WorkspaceReference;
  readonly #team: Team;
  readonly #posts: PostBook;
  readonly #approvals: ApprovalBook;
  readonly #engagements: EngagementBook;
  readonly #ideas: IdeaBook;
  readonly #linkedIn: LinkedInPosts;
  #inviteCount = 0;

  constructor({ seed, content, clock, emit }: StateParts) {
    this.#seed = seed;
    this.#content = content;
    this.#clock = clock;
    this.#emit = emit;
    const { slug, name } = content.workspace;
    this.#workspace = { id: sandboxUuid(seed, 'workspace', slug), slug, name };
    this.#team = sandboxTeam(seed);
    this.#posts = new PostBook(content);
    this.#linkedIn = new LinkedInPosts(content, this.#posts);
    this.#approvals = new ApprovalBook(seed, this.#team);
    this.#engagements = new EngagementBook(seed);
    this.#ideas = new IdeaBook(seed, this.#workspace.id);
  }

  get workspace(): SandboxWorkspace {
    return this.#content.workspace;
  }

  get profiles(): readonly SandboxProfile[] {
    return this.#content.profiles;
  }

  now(): Date {
    return this.#clock.now();
  }

  /** Does what time has brought: what has been in the trash for 30 days is deleted for good, in order. */
  settle(): void {
    const now = this.now();
    this.#ideas.deleteOverdue(now);
    for (const deleted of this.#posts.deleteOverdue(now)) {
      this.#emit(postDeletedEvent(deleted, this.#workspace, null));
    }
  }

  listAnalytics(profileId: string, range: DayRange): LinkedInPostAnalytics[] {
    return this.#linkedIn.list(profileId, range, this.now());
  }

  getPost(id: string): KnownDetails {
    return this.#posts.get(id, this.now()).details;
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
    this.#emit(postDeletedEvent(deleted, this.#workspace, accountOf(this.#team.owner)));
    return deleted.deletedAt;
  }

  listApprovals(postId: string): Approval[] {
    return this.#approvals.list(this.#posts.get(postId, this.now()));
  }

  /** @throws HTTPException 400 for people who are no users of the workspace */
  createApprovals(postId: string, requests: readonly ApprovalRequest[]) {
    const asked = this.#withPeople(requests);
    const now = this.now();
    const { created, existing } = this.#approvals.ask(this.#posts.get(postId, now), asked, now);
    return {
      createdApprovals: created.map(withoutEmails),
      existingApprovals: existing.map(withoutEmails),
    };
  }

  archiveIdea(id: string): ArchivedIdea {
    return this.#ideas.archive(id, this.now());
  }

  restoreIdea(id: string): void {
    this.#ideas.restore(id);
  }

  removeEngagement(id: string): void {
    this.#engagements.remove(id, this.#posts, this.now());
  }

  listInlineComments(postId: string, { channel, resolved }: CommentFilter): InlineComment[] {
    return this.#threadsOf(this.#posts.get(postId, this.now())).filter(
      (thread) =>
        (channel === undefined || thread.channel === channel) &&
        (resolved === undefined || thread.resolved === resolved),
    );
  }

  /** @param hasAccount default: whether a user of the workspace has this address */
  invite(email: string, hasAccount = this.#hasUser(email)) {
    const id = sandboxUuid(this.#seed, 'invite', this.#inviteCount);
    this.#inviteCount += 1;
    const invite = { id, email, hasAccount, createdAt: this.now() };
    const event = inviteCreatedEvent(invite, this.#workspace, accountOf(this.#team.owner));
    this.#emit(event);
    return event.data;
  }

  /**
   * @returns the record as it is from now on
   * @throws HTTPException 400 for metrics that the post cannot have
   */
  changeMetrics(linkedInPostId: string, metrics: Metrics): LinkedInPostAnalytics {
    return this.#linkedIn.changeMetrics(linkedInPostId, metrics, this.now());
  }

  examples(): Examples {
    const now = this.now();
    return chooseExamples({
      posts: linkedInFirst(this.#posts.list(now)),
      hasApprovals: (post) => this.#approvals.list(post).length > 0,
      hasComments: (post) => this.#threadsOf(post).length > 0,
      engagementsOf: ({ plan }) => this.#engagements.listOf(plan.id),
      linkedInPostIds: this.#linkedIn.idsAt(now),
      ideaIds: this.#ideas.activeIds,
      archivedIdeaIds: this.#ideas.archivedIds,
      postIdsInTrash: this.#posts.idsInTrash,
      deletedPostIds: this.#posts.deletedIds,
      team: this.#team,
    });
  }

  #hasUser(email: string): boolean {
    return this.#team.members.some((each) => each.email.toLowerCase() === email.toLowerCase());
  }

  #withPeople(requests: readonly ApprovalRequest[]): AskedPerson[] {
    const people = new Map(this.#team.members.map((person) => [person.id, person]));
    const errors: Record<string, string[]> = {};
    const asked = requests.flatMap(({ userId, ...request }, index) => {
      const person = people.get(userId.toLowerCase());
      if (person) return [{ ...request, person }];
      errors[`approvals.${index}.userId`] = ['This user is not a member of the workspace'];
      return [];
    });
    if (Object.keys(errors).length > 0) throw badRequest(errors);
    return asked;
  }

  #threadsOf(post: BookedPost): InlineComment[] {
    const { plan, followedUntil } = post;
    if (!plan.work) return [];
    const people = this.#team.members.map(accountOf);
    return makeUpThreads(this.#seed, post.details, plan.work, people, followedUntil);
  }
}

function linkedInFirst(posts: readonly BookedPost[]): BookedPost[] {
  const isLinkedIn = ({ plan }: BookedPost) => plan.channels.includes('LinkedIn');
  return [...posts.filter(isLinkedIn), ...posts.filter((post) => !isLinkedIn(post))];
}
