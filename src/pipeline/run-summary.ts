import { exitCodes, type ExitCode } from '../core/errors.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { plural } from '../core/wording.ts';
import { describeWait, destinationOf, type Delivery } from '../deliver/delivery.ts';
import { describeCutOff } from '../extract/extraction.ts';
import { loadSentence } from '../load/load-summary.ts';
import type { RunOutcome } from '../pipeline.ts';
import { isSettled } from './deliveries.ts';

/** A run with a sentence for each alert that failed after it. */
export interface WatchedOutcome extends RunOutcome {
  readonly failedAlerts: readonly string[];
}

/** Returns done or partly done. Rejected records alone are no failure; a damaged file or a rejected deletion is. */
export function exitCodeOf({
  workspaces,
  reports,
  loaded,
  deliveries = [],
  failedAlerts = [],
  problem = null,
}: Pick<RunOutcome, 'workspaces' | 'reports' | 'loaded'> &
  Partial<Pick<WatchedOutcome, 'deliveries' | 'failedAlerts' | 'problem'>>): ExitCode {
  const isWhole =
    problem === null &&
    loaded.damaged === 0 &&
    loaded.rejectedDeletions === 0 &&
    workspaces.every((workspace) => workspace.status === 'succeeded') &&
    reports.every((report) => report.error === null) &&
    deliveries.every(isSettled) &&
    failedAlerts.length === 0;
  return isWhole ? exitCodes.done : exitCodes.partial;
}

/** Describes a run for people. */
export function runSummary(outcome: WatchedOutcome): string {
  const { job, workspaces, loaded, reports, deliveries, failedAlerts, problem } = outcome;
  const lines = [`Job ${job}`];
  for (const { workspace, windows, details, failures, ...spent } of workspaces) {
    lines.push(
      `  ${workspace}: ${plural(windows.succeeded, 'date range')} and ${plural(details.succeeded, 'post detail')} read` +
        ` in ${plural(spent.requests, 'request')} (${spent.retries} retried, ${spent.throttled} throttled, ${Math.round(spent.waitedMs / 1000)} s waited for the limit)`,
    );
    for (const failure of failures)
      lines.push(`    failed: ${failure.subject}: ${failure.message}`);
    const notRead = windows.notRead + details.notRead;
    if (notRead > 0) lines.push(`    not read, for the same reason: ${notRead}`);
    for (const found of windows.cutOff) lines.push(`    ${describeCutOff(found)}`);
  }
  if (problem !== null) lines.push(`  ${problem}`);
  lines.push(`  ${loadSentence(loaded)}`);
  if (loaded.rejected > 0) {
    lines.push('  see: postledger sql "select source, reason, payload from rejected_records"');
  }
  for (const { report, client, folder, files, error } of reports) {
    const name = client === null ? report : `${report} for ${client}`;
    if (error === null || files.length > 0)
      lines.push(`  report ${name}: ${plural(files.length, 'file')} in ${folder}`);
    if (error !== null) lines.push(`  report ${name} failed: ${error}`);
  }
  for (const delivery of deliveries) {
    const { record, status } = delivery;
    const reason = status.reason ?? `waits for ${describeWait(delivery) ?? 'the next run'}`;
    const why = status.state === 'sent' ? '' : ` (${reason})`;
    const words = `${record.report} to ${destinationOf(record.target)}`;
    const id = status.state === 'sent' ? '' : `, ${record.id}`;
    lines.push(`  deliver ${words}: ${status.state}${why}${id}`);
  }
  for (const problem of failedAlerts) lines.push(`  alert failed: ${problem}`);
  for (const command of nextCommands(outcome)) lines.push(`  next: postledger ${command}`);
  return `${lines.map(stripTerminalControls).join('\n')}\n`;
}

/** What a person may do about what was not done. */
function nextCommands({ workspaces, reports, loaded, deliveries, problem }: RunOutcome): string[] {
  const waits =
    problem !== null ||
    workspaces.some(({ status }) => status !== 'succeeded') ||
    reports.some(({ error }) => error !== null) ||
    deliveries.some(({ status }) => status.state === 'queued' || status.waits_for?.kind === 'days');
  const idsOf = (isMeant: (status: Delivery['status']) => boolean) =>
    deliveries.filter(({ status }) => isMeant(status)).map(({ record }) => record.id);
  const held = idsOf(({ waits_for: wait }) => wait?.kind === 'approval');
  const refused = idsOf(({ state }) => state === 'failed' || state === 'unknown');
  return [
    ...(waits ? ['catch-up'] : []),
    ...(loaded.damaged > 0 ? ['verify'] : []),
    ...held.slice(0, 1).map((id) => `deliver preview ${id}`),
    ...(held.length > 0 ? [`deliver approve ${held.join(' ')}`] : []),
    ...refused.map((id) => `deliver retry ${id}`),
  ];
}
