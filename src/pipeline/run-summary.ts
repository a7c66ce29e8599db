import { relative } from 'node:path';
import { exitCodes, type ExitCode } from '../core/errors.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { wrapTerminal } from '../core/terminal-width.ts';
import { plural } from '../core/wording.ts';
import { describeWait, destinationOf, withoutFiles } from '../deliver/delivery.ts';
import { loadSentence } from '../load/load-summary.ts';
import type { RunOutcome } from '../pipeline.ts';
import { hasUnexpected, openProblems, type OpenProblem } from '../status/open-problems.ts';
import { reasonSentences } from '../status/problem-sentences.ts';
import type { WorkspaceOutcome } from './workspace-run.ts';

/** A run with a sentence for each alert that failed after it. */
export interface WatchedOutcome extends RunOutcome {
  readonly failedAlerts: readonly string[];
}

type KnownOutcome = Pick<RunOutcome, 'workspaces' | 'reports' | 'loaded'> &
  Partial<Pick<WatchedOutcome, 'deliveries' | 'failedAlerts' | 'problem'>>;

/** What a run has left undone. Rejected records alone are no problem; a damaged file or a rejected deletion is. */
function outcomeProblems(outcome: KnownOutcome): OpenProblem[] {
  const { workspaces, reports, loaded, problem = null } = outcome;
  const { damaged, rejectedDeletions } = loaded;
  const { deliveries = [], failedAlerts = [] } = outcome;
  const unread = workspaces.filter(({ status }) => status !== 'succeeded');
  const undone = [
    ...unread.map(({ workspace: subject, status }) => {
      return { kind: 'failed_workspace' as const, subject, message: status };
    }),
    ...reports.flatMap(({ report: subject, error: message }) =>
      message === null ? [] : [{ kind: 'failed_report' as const, subject, message }],
    ),
    ...(problem === null
      ? []
      : [{ kind: 'not_loaded' as const, subject: 'warehouse', message: problem }]),
  ];
  return openProblems({ undone, damaged, rejectedDeletions, deliveries, failedAlerts });
}

/** Returns done or partly done. */
export function exitCodeOf(outcome: KnownOutcome): ExitCode {
  return hasUnexpected(outcomeProblems(outcome)) ? exitCodes.partial : exitCodes.done;
}

/** Where a summary is read. */
export interface SummaryView {
  /** The columns that it may take; null for any number. */
  readonly width: number | null;
  /** Paths are relative to this folder. */
  readonly folder: string;
  /** The pages that list all reports, those of this run among them. */
  readonly indexes: readonly string[];
}

/** Describes a run for people, on a terminal if there is a view. */
export function runSummary(outcome: WatchedOutcome, view: SummaryView | null = null): string {
  const { job, workspaces, loaded, reports, deliveries, failedAlerts, problem } = outcome;
  const shown = (path: string) => (view === null ? path : relative(view.folder, path) || '.');
  const lines = [`Job ${job}`];
  for (const workspace of workspaces) lines.push(...workspaceLines(workspace));
  if (problem !== null) lines.push(`  ${problem}`);
  lines.push(`  ${loadSentence(loaded)}`);
  if (loaded.rejected + loaded.unreadable > 0) {
    lines.push(
      '  see: postledger sql "select source, field, reason, payload from rejected_records"',
    );
  }
  for (const { report, client, folder, files, error } of reports) {
    const name = client === null ? report : `${report} for ${client}`;
    if (error === null || files.length > 0)
      lines.push(`  report ${name}: ${plural(files.length, 'file')} in ${shown(folder)}`);
    if (error !== null) lines.push(`  report ${name} failed: ${error}`);
  }
  for (const delivery of deliveries) {
    const { record, status } = delivery;
    const reason = status.reason ?? `waits for ${describeWait(delivery) ?? 'the next run'}`;
    const why = status.state === 'sent' ? withoutFiles(status) : ` (${reason})`;
    const words = `${record.report} to ${destinationOf(record.target)}`;
    const id = status.state === 'sent' ? '' : `, ${record.id}`;
    lines.push(`  deliver ${words}: ${status.state}${why}${id}`);
  }
  for (const problem of failedAlerts) lines.push(`  alert failed: ${problem}`);
  for (const index of view?.indexes ?? []) lines.push(`  see: ${shown(index)}`);
  for (const command of nextCommands(outcome)) lines.push(`  next: postledger ${command}`);
  const safe = lines.map(stripTerminalControls);
  return `${safe.flatMap((line) => wrapped(line, view?.width ?? null)).join('\n')}\n`;
}

function workspaceLines({
  workspace,
  windows,
  details,
  failures,
  ...spent
}: WorkspaceOutcome): string[] {
  const listed = (counts: readonly (readonly [number, string])[]) =>
    counts.filter(([count]) => count > 0).map(([, words]) => words);
  const read = listed([
    [windows.succeeded, plural(windows.succeeded, 'date range')],
    [details.succeeded, plural(details.succeeded, 'post detail')],
  ]).join(' and ');
  const waitedSeconds = Math.round(spent.waitedMs / 1000);
  const efforts = listed([
    [spent.retries, `${spent.retries} retried`],
    [spent.throttled, `${spent.throttled} throttled`],
    [waitedSeconds, `${waitedSeconds} s waited for the limit`],
  ]).join(', ');
  const reasons = failures.map(({ subject, message: error }) => ({ workspace, subject, error }));
  const notRead = windows.notRead + details.notRead;
  return [
    spent.requests === 0 && failures.length === 0
      ? `  ${workspace}: nothing was due`
      : `  ${workspace}: ${read || 'nothing'} read in ${plural(spent.requests, 'request')}${efforts && ` (${efforts})`}`,
    ...reasonSentences(reasons, 'request').map((text) => `    failed: ${text}`),
    ...(notRead > 0 ? [`    not read, for the same reason: ${notRead}`] : []),
    ...windows.cutOff.map((sentence) => `    ${sentence}`),
  ];
}

/** Further lines begin below the text of the first one. */
function wrapped(line: string, width: number | null): string[] {
  const indent = ' '.repeat(line.search(/\S|$/));
  const columns = width === null ? null : Math.max(20, width - indent.length - 2);
  const parts = wrapTerminal(line.trimStart(), columns);
  return parts.map((part, index) => `${indent}${index === 0 ? '' : '  '}${part}`);
}

/** How the commands begin, in the order in which a person may use them. */
const commandOrder = [
  'catch-up',
  'verify',
  'webhooks list',
  'deliver preview',
  'deliver approve',
  'deliver retry',
];

/** What a person may do about what was not done. */
function nextCommands(outcome: RunOutcome): string[] {
  const problems = outcomeProblems(outcome);
  const isHeld = ({ kind }: OpenProblem) =>
    kind === 'held_for_approval' || kind === 'held_for_change';
  const held = problems.filter(isHeld).map(({ subject: id }) => id);
  const others = problems.filter((each) => !isHeld(each));
  const commands = [
    ...new Set(others.flatMap(({ remedy }) => remedy ?? [])),
    ...held.slice(0, 1).map((id) => `deliver preview ${id}`),
    ...(held.length > 0 ? [`deliver approve ${held.join(' ')}`] : []),
  ];
  return commandOrder.flatMap((first) => commands.filter((command) => command.startsWith(first)));
}
