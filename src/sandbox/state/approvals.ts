import type { Approval } from '../../api/schemas/approvals.ts';
import type { ApprovalRequest } from '../../api/schemas/operations.ts';
import { dayMs } from '../../core/calendar.ts';
import { sandboxUuid } from '../identity.ts';
import type { Person, Team } from '../made-up/people.ts';
import { between, integerBetween, pick, randomFor, sample } from '../made-up/random.ts';
import { texts } from '../made-up/texts.ts';
import { badRequest } from '../request.ts';
import { reviewOf, type PlannedPost } from '../made-up/planned-post.ts';

const defaultDueMs = 3 * dayMs;

interface AskedMember {
  readonly person: Person;
  readonly request: ApprovalRequest;
}

/** @throws HTTPException 400 for people who are not users of the workspace */
export function membersAsked(requests: readonly ApprovalRequest[], { members }: Team) {
  const errors: Record<string, string[]> = {};
  const asked = requests.flatMap((request, index): AskedMember[] => {
    const person = members.find(({ id }) => id === request.userId.toLowerCase());
    if (person) return [{ person, request }];
    errors[`approvals.${index}.userId`] = ['This user is not a member of the workspace'];
    return [];
  });
  if (Object.keys(errors).length > 0) throw badRequest(errors);
  return asked;
}

export function createApproval(
  seed: number,
  postId: string,
  { person, owner, request, now }: AskedMember & { owner: Person; now: Date },
): Approval {
  const { message = '', dueDate, isBlocking = false } = request;
  return {
    id: approvalId(seed, postId, person),
    status: 'Requested',
    isBlocking,
    message,
    dueDate: dueDate === undefined ? dueAfter(now) : new Date(dueDate).toISOString(),
    approvedAt: null,
    createdAt: now.toISOString(),
    user: person,
    requestedBy: owner,
  };
}

/**
 * Lists the approvals that the review of a post has brought by `now`. The first one ends the review; of the others some
 * are never given, few of them blocking ones.
 */
export function reviewApprovals(
  seed: number,
  plan: PlannedPost,
  team: Team,
  now: Date,
): Approval[] {
  const { id: postId } = plan;
  const review = reviewOf(plan);
  if (!review) return [];
  const random = randomFor(seed, 'approvals', postId);
  const [fromMs, toMs] = [review.from.getTime(), review.to.getTime()];
  const approvers = sample(team.colleagues, integerBetween(1, 3, random), random);
  const startMs = fromMs + Math.round(random() * 20_000);
  const drawAnswer = (isBlocking: boolean) => {
    const share = between(0.1, 0.95, random);
    const isAnswered = random() < (isBlocking ? 0.97 : 0.75);
    return isAnswered ? new Date(fromMs + Math.round(share * (toMs - fromMs))) : null;
  };
  return approvers
    .map((user, index) => {
      const isBlocking = index === 0 || random() < 0.3;
      const message = pick(texts.approvalMessages, random);
      const createdAt = new Date(Math.min(startMs, toMs) + index * 1000);
      const approvedAt = index === 0 ? review.to : drawAnswer(isBlocking);
      const isApproved = approvedAt !== null && approvedAt <= now;
      return {
        id: approvalId(seed, postId, user),
        status: isApproved ? 'Approved' : 'Requested',
        isBlocking,
        message,
        dueDate: dueAfter(createdAt, integerBetween(2, 6, random) * dayMs),
        approvedAt: isApproved ? approvedAt.toISOString() : null,
        createdAt: createdAt.toISOString(),
        user,
        requestedBy: team.owner,
      };
    })
    .filter(({ createdAt }) => Date.parse(createdAt) <= now.getTime());
}

/** Makes an id from the post and the person, since a person is asked at most once for a post. */
function approvalId(seed: number, postId: string, { id }: Person): string {
  return sandboxUuid(seed, 'approval', `${postId}-${id}`);
}

function dueAfter(createdAt: Date, dueMs = defaultDueMs): string {
  return new Date(createdAt.getTime() + dueMs).toISOString();
}

/** Gives an approval without the address of the person, as the API does after creating it. */
export function withoutEmails(approval: Approval): Approval {
  const { user, requestedBy } = approval;
  return { ...approval, user: withoutEmail(user), requestedBy: withoutEmail(requestedBy) };
}

function withoutEmail({ id, firstName, lastName, createdAt }: Approval['user']): Approval['user'] {
  return { id, firstName, lastName, createdAt };
}
