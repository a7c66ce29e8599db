import type { Approval } from '../../api/schemas/approvals.ts';
import { plural } from '../load-sentence.ts';
import { foreignName, foreignText, personName } from './foreign-text.ts';
import { localTime } from './local-time.ts';
import { recordLines } from './records.ts';
import { colorsOf, indented, indentLines, nothing, type ViewPlace } from './view-place.ts';

/** Who is asked to approve a post, and what came of it; no line feed at the end. */
export function approvalsView(approvals: readonly Approval[], place: ViewPlace): string {
  if (approvals.length === 0) return 'Nobody was asked to approve this post.';
  return approvalLines(approvals, place).join('\n');
}

export interface RequestedApprovals {
  readonly createdApprovals: readonly Approval[];
  readonly existingApprovals: readonly Approval[];
}

/** Which approvals a request made, and which were there already; no line feed at the end. */
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
  const hasApproved = approvals.some(({ approvedAt }) => approvedAt !== null);
  const heads = ['Approver', 'Status', 'Due', 'Blocking', 'Asked by', 'Message'];
  const rows = approvals.map((approval) => {
    const cells = approvalCells(approval, place);
    return hasApproved ? cells.toSpliced(2, 0, localTime(approval.approvedAt, place)) : cells;
  });
  return recordLines(
    { heads: hasApproved ? heads.toSpliced(2, 0, 'Approved') : heads, rows },
    place,
  );
}

function approvalCells(approval: Approval, place: ViewPlace) {
  return [
    approverName(approval.user),
    foreignName(approval.status),
    dueCell(approval, place),
    approval.isBlocking ? 'yes' : 'no',
    personName(approval.requestedBy),
    foreignText(approval.message ?? '') || nothing,
  ];
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
