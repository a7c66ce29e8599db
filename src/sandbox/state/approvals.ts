import type { Approval } from '../../api/schemas/approvals.ts';
import type { ApprovalRequest } from '../../api/schemas/operations.ts';
import { dayMs } from '../../core/calendar.ts';
import { sandboxUuid } from '../identity.ts';
import type { Person, Team } from '../made-up/people.ts';
import {
  between,
  integerBetween,
  pick,
  randomFor,
  sample,
  type Random,
} from '../made-up/random.ts';
import { texts } from '../made-up/texts.ts';
import { badRequest } from '../refusal.ts';
import type { Period } from '../workspace-content.ts';
import type { Post, Posts } from './posts.ts';

const defaultDueMs = 3 * dayMs;

interface AskedPerson extends ApprovalRequest {
  readonly person: Person;
}

/** The approvals of all posts: those of their reviews, and those that were asked for over the API. */
export class Approvals {
  readonly #seed: number;
  readonly #team: Team;
  /** By post, then by person. */
  readonly #asked = new Map<string, Map<string, Approval>>();

  constructor(seed: number, team: Team) {
    this.#seed = seed;
    this.#team = team;
  }

  /** In the order in which they were asked for, with the addresses of the people. */
  list(post: Post): Approval[] {
    const asked = this.#asked.get(post.plan.id);
    const reviews = this.#reviewsOf(post).filter(({ user }) => !asked?.has(user.id));
    return [...reviews, ...(asked?.values() ?? [])];
  }

  /**
   * At most one for each person and post: the first that was asked for, within one request, too.
   * @returns those that were asked for before, unchanged, among `existingApprovals`
   * @throws HTTPException 400 for people who are no users of the workspace
   */
  ask(postId: string, requests: readonly ApprovalRequest[], posts: Posts, now: Date) {
    const asked = this.#withPeople(requests);
    const before = this.list(posts.get(postId, now));
    const created = new Map<string, Approval>();
    const existing = new Map<string, Approval>();
    for (const request of asked) {
      const { id } = request.person;
      const found = before.find(({ user }) => user.id === id);
      if (found) existing.set(id, found);
      else if (!created.has(id)) created.set(id, this.#create(postId, request, now));
    }
    return {
      createdApprovals: [...created.values()].map(withoutEmails),
      existingApprovals: [...existing.values()].map(withoutEmails),
    };
  }

  #withPeople(requests: readonly ApprovalRequest[]): AskedPerson[] {
    const errors: Record<string, string[]> = {};
    const asked = requests.flatMap((request, index) => {
      const person = this.#team.members.find(({ id }) => id === request.userId.toLowerCase());
      if (person) return [{ ...request, person }];
      errors[`approvals.${index}.userId`] = ['This user is not a member of the workspace'];
      return [];
    });
    if (Object.keys(errors).length > 0) throw badRequest(errors);
    return asked;
  }

  #create(postId: string, request: AskedPerson, now: Date): Approval {
    const { person, message = '', dueDate, isBlocking = false } = request;
    const approval = {
      id: approvalId(this.#seed, postId, person),
      status: 'Requested',
      isBlocking,
      message,
      dueDate: (dueDate === undefined ? dueAfter(now) : new Date(dueDate)).toISOString(),
      approvedAt: null,
      createdAt: now.toISOString(),
      user: person,
      requestedBy: this.#team.owner,
    };
    const asked = this.#asked.get(postId) ?? new Map<string, Approval>();
    this.#asked.set(postId, asked.set(person.id, approval));
    return approval;
  }

  /** Those that the review of a post brings. The one that the post waits for ends the review. */
  #reviewsOf({ plan: { id: postId, review }, followedUntil: now }: Post): Approval[] {
    if (!review) return [];
    const random = randomFor(this.#seed, 'approvals', postId);
    const approvers = sample(this.#team.colleagues, integerBetween(1, 3, random), random);
    const startMs = review.from.getTime() + Math.round(random() * 20_000);
    return approvers
      .map((user, index) => {
        const isBlocking = index === 0 || random() < 0.3;
        const message = pick(texts.approvalMessages, random);
        const createdAt = new Date(Math.min(startMs, review.to.getTime()) + index * 1000);
        const approvedAt = index === 0 ? review.to : drawApproval(review, isBlocking, random);
        const isApproved = approvedAt !== null && approvedAt <= now;
        return {
          id: approvalId(this.#seed, postId, user),
          status: isApproved ? 'Approved' : 'Requested',
          isBlocking,
          message,
          dueDate: dueAfter(createdAt).toISOString(),
          approvedAt: isApproved ? approvedAt.toISOString() : null,
          createdAt: createdAt.toISOString(),
          user,
          requestedBy: this.#team.owner,
        };
      })
      .filter(({ createdAt }) => Date.parse(createdAt) <= now.getTime());
  }
}

/** Some never answer where nothing waits for them. */
function drawApproval({ from, to }: Period, isBlocking: boolean, random: Random): Date | null {
  const share = between(0.1, 0.95, random);
  const isAnswered = random() < 0.75 || isBlocking;
  const ms = from.getTime() + Math.round(share * (to.getTime() - from.getTime()));
  return isAnswered ? new Date(ms) : null;
}

/** A person is asked at most once for a post. */
function approvalId(seed: number, postId: string, { id }: Person): string {
  return sandboxUuid(seed, 'approval', `${postId}-${id}`);
}

function dueAfter(createdAt: Date): Date {
  return new Date(createdAt.getTime() + defaultDueMs);
}

/** As creating approvals answers: without the addresses of the people. */
function withoutEmails(approval: Approval): Approval {
  const { user, requestedBy } = approval;
  return { ...approval, user: withoutEmail(user), requestedBy: withoutEmail(requestedBy) };
}

function withoutEmail({ id, firstName, lastName, createdAt }: Approval['user']): Approval['user'] {
  return { id, firstName, lastName, createdAt };
}
