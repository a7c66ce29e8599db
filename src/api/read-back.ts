import { ApiError } from './errors/api-error.ts';
import { NotCarriedOutError, OutcomeUnknownError } from './errors/outcome-errors.ts';
import type { Approval } from './schemas/approvals.ts';
import type { PostDetails } from './schemas/posts.ts';

/*
 * After a change whose answer was lost: what the API shows of its outcome.
 */

/**
 * What unscheduling has come to, by the post's status.
 * @throws NotCarriedOutError when it is not Finalized; OutcomeUnknownError when it cannot be read
 */
export async function readStatusBack<Found extends { post: PostDetails }>(
  unknown: OutcomeUnknownError,
  getPost: () => Promise<Found>,
): Promise<Found> {
  const found = await readOrGiveUp(unknown, getPost);
  const { status } = found.post;
  if (status === 'Finalized') return found;
  const advice = status === 'Scheduled' ? 'try again' : 'look at it in the workspace';
  throw withSpent(new NotCarriedOutError(unknown, `the post is ${status}`, advice), unknown);
}

/** What asking these users has come to. @returns the error to throw, since who was asked before is not known */
export async function readApprovalsBack(
  unknown: OutcomeUnknownError,
  askedUserIds: readonly string[],
  listApprovals: () => Promise<{ approvals: readonly Approval[] }>,
): Promise<ApiError> {
  const { approvals } = await readOrGiveUp(unknown, listApprovals);
  const present = new Set(approvals.map(({ user }) => user.id.toLowerCase()));
  const missing = askedUserIds.filter((id) => !present.has(id.toLowerCase()));
  if (missing.length === askedUserIds.length) {
    const findings = 'none of those asked has an approval of the post';
    return withSpent(new NotCarriedOutError(unknown, findings, 'try again'), unknown);
  }
  const findings =
    missing.length === 0
      ? 'everyone asked has an approval of the post now'
      : `of those asked, ${missing.join(', ')} ${missing.length === 1 ? 'has' : 'have'} no approval of the post`;
  return withFindings(unknown, findings);
}

async function readOrGiveUp<Found>(
  unknown: OutcomeUnknownError,
  read: () => Promise<Found>,
): Promise<Found> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw unknown;
    throw withFindings(unknown, `reading it back failed, too: ${error.problem}`);
  }
}

function withFindings(unknown: OutcomeUnknownError, findings: string): OutcomeUnknownError {
  return withSpent(new OutcomeUnknownError(unknown.call, unknown.cause, findings), unknown);
}

/** The requests that were spent before reading back. */
function withSpent<Failure extends ApiError>(
  error: Failure,
  { requests, retries }: ApiError,
): Failure {
  error.requests = requests;
  error.retries = retries;
  return error;
}
