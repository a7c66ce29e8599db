import { exitCodes } from '../core/errors.ts';
import { readStatus, type RunStatus, type Status } from '../load/status.ts';
import type { ProfileStatus } from '../load/status/profile-status.ts';
import type { Output, Register } from './context.ts';
import { eventLines } from './event-lines.ts';
import { plural } from './load-sentence.ts';
import { plainTable } from './plain-table.ts';
import { labelled, pendingNotes, storageLines } from './status-lines.ts';
import { shortTime } from './short-time.ts';
import { warningLines } from './warning-lines.ts';

export const registerStatus: Register = (program, invoke) => {
  program
    .command('status')
    .description(
      'the warehouse and its disk, last runs, freshness and gaps per profile, what waits',
    )
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      `
Exit code 3 says that something could not be read, such as a warehouse that is damaged; the rest is told all the
same.

Examples:
  $ postledger status
  $ postledger status --json | jq '.profiles[] | select(.failed_windows != [])'`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, clock, output }) => {
        const config = await loadConfig();
        const status = await readStatus(config, clock);
        output.write(
          options.json
            ? `${JSON.stringify(status, null, 2)}\n`
            : statusText(status, output, config.timezone),
        );
        return status.problems.length === 0 ? exitCodes.done : exitCodes.partial;
      }),
    );
};

function statusText(status: Status, output: Output, timezone: string): string {
  const blocks = [
    storageLines(status, output.width, timezone),
    runsTable(status.runs, output, timezone),
    profilesTable(status.profiles, output, timezone),
    ...eventLines(status.events, timezone),
    ...problemLines(status, output.width, timezone),
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
      profile.posts,
      shortTime(profile.last_read_at, timezone),
      profile.never_read.map(({ start, end }) => `${start} to ${end}`).join(', ') || '–',
      profile.failed_windows.length,
    ]),
    output,
  );
}

function problemLines(status: Status, width: number | null, timezone: string): string[] {
  const { profiles, rejected, warnings, problems } = status;
  const failed = profiles.flatMap((profile) =>
    profile.failed_windows.map((window) => {
      const days = `${profile.workspace}/${profile.name} ${window.start} to ${window.end}`;
      return ['Failed', `${days}: ${window.error ?? 'no reason known'}`];
    }),
  );
  const bad = rejected.map(({ records, source, reason }) => [
    'Rejected',
    `${plural(records, 'record')} from ${source}: ${reason}`,
  ]);
  const unread = problems.map(({ subject, message }) => ['Unread', `${subject}: ${message}`]);
  const notes = [failed, pendingNotes(status, timezone), bad, unread].map((lines) =>
    lines.map(([label = '', text = '']) => labelled(label, text, width)),
  );
  return [...notes, warningLines(warnings)]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'));
}
