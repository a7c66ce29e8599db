import type { Command } from '@commander-js/extra-typings';
import type { ApprovalRequest } from '../api/schemas/operations.ts';
import type { Config } from '../config/config.ts';
import type { CommandContext, Invoke, Register } from './context.ts';
import {
  collectUuid,
  deadlineTime,
  parseDeadline,
  parseUuid,
  type Deadline,
} from './option-values.ts';
import { approvalsView, requestedApprovalsView } from './views/approvals-view.ts';
import { localTime } from './views/local-time.ts';
import { quotedTitle } from './views/quoted-title.ts';
import {
  callWorkspace,
  confirmCall,
  printAnswer,
  withCallOptions,
  withYesOption,
} from './workspace-call.ts';

export const registerApprovals: Register = (program, invoke) => {
  const approvals = program
    .command('approvals')
    .description('approvals of a post: list them, or ask for some');
  addList(approvals, invoke);
  addRequest(approvals, invoke);
};

function addList(approvals: Command, invoke: Invoke): void {
  const list = approvals
    .command('list')
    .description('show who was asked to approve a post, and what they said')
    .argument('<postId>', "the post's id, a UUID", parseUuid)
    .addHelpText(
      'after',
      `
Example:
  $ postledger approvals list 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11`,
    );
  withCallOptions(list).action((postId, options) =>
    invoke((context) =>
      callWorkspace(context, options, (call) =>
        printAnswer(
          call,
          options,
          () => call.client.listApprovals(postId, context),
          (answer, place) => approvalsView(answer.approvals, place),
        ),
      ),
    ),
  );
}

function addRequest(approvals: Command, invoke: Invoke): void {
  const request = approvals
    .command('request')
    .description('ask people to approve a post; tells who had been asked before')
    .argument('<postId>', "the post's id, a UUID", parseUuid)
    .requiredOption('--user <id>', 'whom to ask, a UUID; may be repeated', collectUuid)
    .option('--message <text>', 'what to tell them')
    .option(
      '--due <time>',
      'until when: a day (its end in the timezone of jobs.yaml) or an ISO 8601 time',
      parseDeadline,
    )
    .option('--blocking', 'the post must not be published without it')
    .addHelpText(
      'after',
      `
Examples:
  $ postledger approvals request 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11 \\
      --user 0e9b6c52-7f57-4f0a-9f43-0c1f5b6f2a10 --message "Is the figure right?" --due 2026-12-01
  $ postledger approvals request 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11 \\
      --user 0e9b6c52-7f57-4f0a-9f43-0c1f5b6f2a10 --blocking --yes --json`,
    );
  withYesOption(withCallOptions(request)).action((postId, options) =>
    invoke((context) =>
      callWorkspace(context, options, async (call) => {
        const wish = wishOf(options, call.config.timezone);
        warnOfPast(wish, context);
        const asking = `Ask ${people(options.user)} to approve post ${postId}`;
        await confirmCall(call, options, {
          command: 'approvals request',
          question: `${asking}?`,
          readQuestion: async () => {
            const { post } = await call.client.getPost(postId, context);
            return `${asking}, ${quotedTitle(post)}${describeWish(wish, call.config)}?`;
          },
        });
        const requests = options.user.map((userId) => ({ userId, ...wish }));
        return printAnswer(
          call,
          options,
          () => call.client.createApprovals(postId, requests, context),
          requestedApprovalsView,
        );
      }),
    ),
  );
}

/** What everybody is asked. */
type Wish = Omit<ApprovalRequest, 'userId'>;

interface WishOptions {
  readonly message?: string | undefined;
  readonly due?: Deadline | undefined;
  readonly blocking?: true | undefined;
}

/** A message and a due date that are not given are left to the API. */
function wishOf({ message, due, blocking }: WishOptions, timezone: string): Wish {
  return {
    ...(message === undefined ? {} : { message }),
    ...(due === undefined ? {} : { dueDate: deadlineTime(due, timezone) }),
    isBlocking: blocking === true,
  };
}

function warnOfPast({ dueDate }: Wish, { clock, log }: CommandContext): void {
  if (dueDate === undefined || new Date(dueDate) > clock.now()) return;
  log.warn({}, `the approval is due in the past: ${dueDate}`);
}

/** For the question: a clause, or nothing. */
function describeWish({ dueDate, isBlocking }: Wish, place: Config): string {
  const due = dueDate === undefined ? '' : `, by ${localTime(dueDate, place)}`;
  return `${due}${isBlocking === true ? ', before it can be published' : ''}`;
}

function people({ length }: readonly unknown[]): string {
  return length === 1 ? '1 person' : `${length} people`;
}
