import { z } from 'zod';
import { ApiError } from './errors/api-error.ts';
import { OutcomeUnknownError } from './errors/outcome-errors.ts';

/*
 * After a change whose answer was lost: what the API shows of its outcome. What is not there yet may still
 * come, as a service can go on with a request whose connection broke; so nothing here says that a change
 * was not carried out. No more is asked of these answers than what decides.
 */

/** As much of a post as tells whether it was unscheduled. */
export const postStatusSchema = z.looseObject({ post: z.looseObject({ status: z.string() }) });

/** As much of a post's approvals as tells who was asked. */
export const approversSchema = z.looseObject({
  approvals: z.array(z.looseObject({ user: z.looseObject({ id: z.string() }) })),
});

/** @throws OutcomeUnknownError with the reason when there is nothing to be read */
export async function readBack<Found>(
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

/** Who of those that were asked has an approval by now, in a clause. */
export function describeApprovers(
  askedUserIds: readonly string[],
  { approvals }: z.output<typeof approversSchema>,
): string {
  const present = new Set(approvals.map(({ user }) => user.id.toLowerCase()));
  const missing = askedUserIds.filter((id) => !present.has(id.toLowerCase()));
  if (missing.length === 0) return 'everyone asked has an approval of the post now';
  if (missing.length === askedUserIds.length) {
    return 'none of those asked has an approval of the post so far';
  }
  const verb = missing.length === 1 ? 'has' : 'have';
  return `of those asked, ${missing.join(', ')} ${verb} no approval of the post so far`;
}

export function withFindings(unknown: OutcomeUnknownError, findings: string): OutcomeUnknownError {
  const error = new OutcomeUnknownError(unknown.call, unknown.cause, findings);
  error.requests = unknown.requests;
  error.retries = unknown.retries;
  return error;
}
