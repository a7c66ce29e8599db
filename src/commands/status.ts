import { exitCodes } from '../core/errors.ts';
import { isWarehouseUnknown, readStatus, type RunStatus, type Status } from '../load/status.ts';
import type { ProfileStatus } from '../load/profile-status.ts';
import type { Output, Register } from './context.ts';
import { eventLines } from './event-lines.ts';
import { plural } from './load-sentence.ts';
import { parseWord } from './option-values.ts';
import { plainTable } from './plain-table.ts';
import { labelled, pendingNotes, storageLines } from './status-lines.ts';
import {
  statusVerdicts,
  verdictNames,
  type VerdictName,
  type Verdicts,
} from './status-verdicts.ts';
import { shortTime } from './short-time.ts';
import { warningLines } from './warning-lines.ts';

export const registerStatus: Register = (program, invoke) => {
  program
    .command('status')
    .description(
      'the warehouse and its disk, last runs, freshness and gaps per profile, what waits',
    )
    .option('--json', 'as JSON')
    .option(
      '--fail-on <verdicts>',
      `exit 1 where one of ${verdictNames.join(',')} holds`,
      parseVerdicts,
    )
    .addHelpText(
      'after',
      `
--fail-on is for monitoring: stale, where a profile of a job was not read for longer than the job's stale_after
(default: twice the time between two of its runs); failed, where the last run of a job or the last reading of a window
failed; warning, where the data or the warehouse look wrong.

Exit code 3 says that something could not be read, such as a warehouse that is damaged; the rest is told all the
same.

Examples:
  $ postledger status
  $ postledger status --fail-on stale,failed
  $ postledger status --json | jq '.profiles[] | select(.failed_windows != [])'`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, clock, output, log }) => {
        const config = await loadConfig();
        const status = await readStatus(config, clock);
        const verdicts = statusVerdicts(status, config, clock.now());
        output.write(
          options.json
            ? `${JSON.stringify({ ...status, verdicts }, null, 2)}\n`
            : statusText(status, verdicts, output, config.timezone),
        );
        const holding = (options.failOn ?? []).filter((name) => verdicts[name]?.length);
        if (holding.length > 0) {
          log.error({ verdicts: holding }, `status: ${holding.join(', ')}`);
          return exitCodes.failed;
        }
        return status.problems.length === 0 ? exitCodes.done : exitCodes.partial;
      }),
    );
};

function parseVerdicts(text: string): VerdictName[] {
  return text.split(',').map((part) => parseWord(part.trim(), verdictNames));
}

function statusText(status: Status, verdicts: Verdicts, output: Output, timezone: string): string {
  const blocks = [
    storageLines(status, output.width, timezone),
    isWarehouseUnknown(status)
      ? 'Runs, and what is pending: unknown.'
      : runsTable(status.runs, output, timezone),
    profilesTable(status.profiles, output, timezone),
    ...eventLines(status.events),
    ...problemLines(status, verdicts, output.width, timezone),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** Narrower than this, the time that is in each run's id is not said twice. */
const wideColumns = 100;

function runsTable(runs: readonly RunStatus[], output: Output, timezone: string): string {
  if (runs.length === 0) return 'No run yet.';
  const isWide = output.width === null || output.width >= wideColumns;
  return plainTable(
    ['Run', 'Job', 'Status', ...(isWide ? ['Started'] : []), 'Requests', 'Posts read', 'Rejected'],
    runs.map((run) => [
      run.run_id,
      run.job,
      run.status,
      ...(isWide ? [shortTime(run.started_at, timezone)] : []),
      run.requests,
      run.posts_read,
      run.rejected,
    ]),
    output,
  );
}

function profilesTable(
  profiles: readonly ProfileStatus[],
  output: Output,
  timezone: string,
): string {
  return plainTable(
    ['Profile', 'Posts', 'Last read', 'Days never read', 'Failed windows'],
    profiles.map((profile) => [
      `${profile.workspace}/${profile.name}`,
      ...(profile.posts === null
        ? ['unknown', 'unknown', 'unknown', 'unknown']
        : [
            profile.posts,
            shortTime(profile.last_read_at, timezone),
            profile.never_read.map(({ start, end }) => `${start} to ${end}`).join(', ') || '–',
            profile.failed_windows.length,
          ]),
    ]),
    output,
  );
}

function problemLines(
  status: Status,
  verdicts: Verdicts,
  width: number | null,
  timezone: string,
): string[] {
  const { rejected, warnings, problems } = status;
  const failed = (verdicts.failed ?? []).map((reason) => ['Failed', reason]);
  const stale = (verdicts.stale ?? []).map((reason) => ['Stale', reason]);
  const bad = rejected.map(({ records, source, reason }) => [
    'Rejected',
    `${plural(records, 'record')} from ${source}: ${reason}`,
  ]);
  const unread = problems.map(({ subject, message }) => ['Unread', `${subject}: ${message}`]);
  const notes = [failed, stale, pendingNotes(status, timezone), bad, unread].map((lines) =>
    lines.map(([label = '', text = '']) => labelled(label, text, width)),
  );
  return [...notes, warningLines(warnings)]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'));
}
