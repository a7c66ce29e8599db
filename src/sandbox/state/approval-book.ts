import type { Approval } from '../../api/schemas/approvals.ts';
import type { ApprovalRequest } from '../../api/schemas/operations.ts';
import { dayMs } from '../../core/calendar.ts';
import { approvalId, makeUpApprovals, type MadeUpApproval } from '../made-up/approvals.ts';
import type { Person, Team } from '../made-up/people.ts';
import type { BookedPost } from './booked-post.ts';

export interface AskedPerson extends Omit<ApprovalRequest, 'userId'> {
  readonly person: Person;
}

const defaultDueMs = 3 * dayMs;

export interface AskedApprovals {
  readonly created: readonly Approval[];
  /** Of people who were asked before, unchanged. */
  readonly existing: readonly Approval[];
}

/** The approvals of all posts: those of their reviews, and those that were asked for over the API. */
export class ApprovalBook {
  readonly #seed: number;
  readonly #team: Team;
  /** By post, then by person. */
  readonly #asked = new Map<string, Map<string, Approval>>();

  constructor(seed: number, team: Team) {
    this.#seed = seed;
    this.#team = team;
  }

  /** In the order in which they were asked for, with the addresses of the people. */
  list(post: BookedPost): Approval[] {
    const asked = this.#asked.get(post.plan.id);
    const reviews = this.#reviewsOf(post).filter(({ user }) => !asked?.has(user.id));
    return [...reviews, ...(asked?.values() ?? [])];
  }

  /** At most one for each person and post: the first that was asked for, within one request, too. */
  ask(post: BookedPost, requests: readonly AskedPerson[], now: Date): AskedApprovals {
    const created = new Map<string, Approval>();
    const existing = new Map<string, Approval>();
    for (const request of requests) {
      const { id } = request.person;
      if (created.has(id)) continue;
      const found = this.list(post).find(({ user }) => user.id === id);
      if (found) existing.set(id, found);
      else created.set(id, this.#create(post.plan.id, request, now));
    }
    return { created: [...created.values()], existing: [...existing.values()] };
  }

  #create(
    postId: string,
    { person, message, dueDate, isBlocking }: AskedPerson,
    now: Date,
  ): Approval {
    const approval = {
      id: approvalId(this.#seed, postId, person.id),
      status: 'Requested',
      isBlocking: isBlocking ?? false,
      message: message ?? '',
      dueDate: (dueDate ? new Date(dueDate) : dueAfter(now)).toISOString(),
      approvedAt: null,
      createdAt: now.toISOString(),
      user: person,
      requestedBy: this.#team.owner,
    };
    const asked = this.#asked.get(postId) ?? new Map<string, Approval>();
    this.#asked.set(postId, asked.set(person.id, approval));
    return approval;
  }

  #reviewsOf({ plan, followedUntil }: BookedPost): Approval[] {
    if (!plan.review) return [];
    return makeUpApprovals(this.#seed, plan.id, plan.review, this.#team.colleagues)
      .filter(({ createdAt }) => createdAt <= followedUntil)
      .map((approval) => this.#approvalAt(approval, followedUntil));
  }

  #approvalAt(madeUp: MadeUpApproval, now: Date): Approval {
    const { id, isBlocking, message, createdAt, approver } = madeUp;
    const approvedAt = madeUp.approvedAt && madeUp.approvedAt <= now ? madeUp.approvedAt : null;
    return {
      id,
      status: approvedAt ? 'Approved' : 'Requested',
      isBlocking,
      message,
      dueDate: dueAfter(createdAt).toISOString(),
      approvedAt: approvedAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
      user: approver,
      requestedBy: this.#team.owner,
    };
  }
}

/** As creating approvals answers: without the addresses of the people. */
export function withoutEmails(approval: Approval): Approval {
  const { user, requestedBy } = approval;
  return { ...approval, user: withoutEmail(user), requestedBy: withoutEmail(requestedBy) };
}

function withoutEmail({ id, firstName, lastName, createdAt }: Approval['user']): Approval['user'] {
  return { id, firstName, lastName, createdAt };
}

function dueAfter(createdAt: Date): Date {
  return new Date(createdAt.getTime() + defaultDueMs);
}
