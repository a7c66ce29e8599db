import type { Command } from '@commander-js/extra-typings';
import type { Approval } from '../api/schemas/approvals.ts';
import type { Invoke, Register } from './context.ts';
import { deadlineTime, parseDeadline, parseUuid, repeated } from './option-values.ts';
import { recordLines } from './plain-table.ts';
import {
  colorsOf,
  foreignName,
  foreignText,
  indented,
  indentLines,
  localTime,
  nothing,
  personName,
  quotedTitle,
  type ViewPlace,
} from './view.ts';
import { plural } from '../core/wording.ts';
import { changesWorkspace, readsWorkspace } from './workspace-call.ts';

export const registerApprovals: Register = (program, invoke) => {
  const approvals = program.command('approvals');
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
  readsWorkspace(list, invoke, (call, [postId]) =>
    call.print(
      () => call.client.listApprovals(postId, call.context),
      ({ approvals: found }, place) => approvalsView(found, place),
    ),
  );
}

function addRequest(approvals: Command, invoke: Invoke): void {
  const request = approvals
    .command('request')
    .description('ask people to approve a post; shows who was asked before')
    .argument('<postId>', "the post's id, a UUID", parseUuid)
    .requiredOption('--user <id>', 'whom to ask, a UUID; may be repeated', repeated(parseUuid))
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
  changesWorkspace(request, invoke, async (call, [postId], options) => {
    const { client, config, context } = call;
    const { clock, log } = context;
    const { message, due, blocking: isBlocking = false } = options;
    const users = [...new Set(options.user)];
    const dueDate = due && deadlineTime(due, config.timezone);
    if (dueDate !== undefined && new Date(dueDate) <= clock.now())
      log.warn({}, `the approval is due in the past: ${dueDate}`);
    const people = users.length === 1 ? '1 person' : `${users.length} people`;
    const asking = `Ask ${people} to approve post ${postId}`;
    await call.confirm('approvals request', `${asking}?`, async () => {
      const { post } = await client.getPost(postId, context);
      const by = dueDate === undefined ? '' : `, by ${localTime(dueDate, config)}`;
      const before = isBlocking ? ', before it can be published' : '';
      return `${asking}, ${quotedTitle(post)}${by}${before}?`;
    });
    // a message and a due date that are not given are left to the API
    const requests = users.map((userId) => ({
      userId,
      isBlocking,
      ...(message !== undefined && { message }),
      ...(dueDate !== undefined && { dueDate }),
    }));
    return call.print(
      () => client.createApprovals(postId, requests, context),
      requestedApprovalsView,
    );
  });
}

/** Prints the approvers of a post and their decisions, without a line feed at the end. */
export function approvalsView(approvals: readonly Approval[], place: ViewPlace): string {
  if (approvals.length === 0) return 'Nobody was asked to approve this post.';
  return approvalLines(approvals, place).join('\n');
}

export interface RequestedApprovals {
  readonly createdApprovals: readonly Approval[];
  readonly existingApprovals: readonly Approval[];
}

/** Prints the approvals that a request made and those that existed, without a line feed at the end. */
export function requestedApprovalsView(
  { createdApprovals, existingApprovals }: RequestedApprovals,
  place: ViewPlace,
): string {
  const created = `${plural(createdApprovals.length, 'approval')} requested:`;
  const existing = `${plural(existingApprovals.length, 'approval')} existed already:`;
  return [
    createdApprovals.length === 0
      ? 'No new approval was requested.'
      : headedTable(created, createdApprovals, place),
    ...(existingApprovals.length === 0 ? [] : [headedTable(existing, existingApprovals, place)]),
  ].join('\n\n');
}

function headedTable(head: string, approvals: readonly Approval[], place: ViewPlace): string {
  const table = approvalLines(approvals, indented(place, 2));
  return [colorsOf(place).bold(head), ...indentLines(table, 2)].join('\n');
}

function approvalLines(approvals: readonly Approval[], place: ViewPlace): string[] {
  const heads = ['Approver', 'Status', 'Approved', 'Due', 'Blocking', 'Asked by', 'Message'];
  const rows = approvals.map((approval) => [
    approverName(approval.user),
    foreignName(approval.status),
    localTime(approval.approvedAt, place),
    dueCell(approval, place),
    approval.isBlocking ? 'yes' : 'no',
    personName(approval.requestedBy),
    foreignText(approval.message ?? '') || nothing,
  ]);
  return recordLines({ heads, rows }, place);
}

function approverName(user: Approval['user']): string {
  const name = personName(user);
  const email = foreignName(user.email ?? nothing);
  if (email === nothing) return name;
  return name === nothing ? email : `${name} <${email}>`;
}

function dueCell({ dueDate, approvedAt }: Approval, place: ViewPlace) {
  const due = localTime(dueDate, place);
  if (!dueDate || approvedAt !== null || new Date(dueDate) >= place.now) return due;
  return { text: `${due} overdue`, paint: colorsOf(place).red };
}
