import { exitCodes } from '../core/errors.ts';
import { readStatus, type ProfileStatus, type RunStatus, type Status } from '../load/status.ts';
import { byteSize } from './byte-size.ts';
import type { Output, Register } from './context.ts';
import { eventLines } from './event-lines.ts';
import { plural } from './load-sentence.ts';
import { plainTable } from './plain-table.ts';
import { shortTime } from './short-time.ts';
import { warningLines } from './warning-lines.ts';

export const registerStatus: Register = (program, invoke) => {
  program
    .command('status')
    .description('last runs, freshness and gaps per profile, what waits to be loaded')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ postledger status
  $ postledger status --json | jq '.profiles[] | select(.failed_windows != [])'`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, clock, output }) => {
        const status = await readStatus(await loadConfig(), clock);
        output.write(
          options.json ? `${JSON.stringify(status, null, 2)}\n` : statusText(status, output),
        );
        return exitCodes.done;
      }),
    );
};

function statusText(status: Status, output: Output): string {
  const blocks = [
    warehouseLine(status),
    runsTable(status.runs, output),
    profilesTable(status.profiles, output),
    ...eventLines(status.events),
    ...problemLines(status),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function warehouseLine({ warehouse }: Status): string {
  if (warehouse.bytes === null) return `Warehouse  ${warehouse.path}: nothing loaded yet`;
  return `Warehouse  ${warehouse.path} (${byteSize(warehouse.bytes)})`;
}

function runsTable(runs: readonly RunStatus[], output: Output): string {
  if (runs.length === 0) return 'No run yet.';
  return plainTable(
    ['Run', 'Job', 'Status', 'Started', 'Requests', 'Posts read', 'Rejected'],
    runs.map((run) => [
      run.run_id,
      run.job,
      run.status,
      shortTime(run.started_at),
      run.requests,
      run.posts_read,
      run.rejected,
    ]),
    output,
  );
}

function profilesTable(profiles: readonly ProfileStatus[], output: Output): string {
  return plainTable(
    ['Profile', 'Posts', 'Last read', 'Days never read', 'Failed windows'],
    profiles.map((profile) => [
      `${profile.workspace}/${profile.name}`,
      profile.posts,
      shortTime(profile.last_read_at),
      profile.never_read.map(({ start, end }) => `${start} to ${end}`).join(', ') || '–',
      profile.failed_windows.length,
    ]),
    output,
  );
}

function problemLines({ profiles, pending, rejected, warnings }: Status): string[] {
  const failed = profiles.flatMap((profile) =>
    profile.failed_windows.map(
      (window) =>
        `Failed   ${profile.workspace}/${profile.name} ${window.start} to ${window.end}: ${window.error ?? 'no reason known'}`,
    ),
  );
  const waiting = pending.map(
    (part) =>
      `Pending  ${part.workspace} ${part.run_id}: ${plural(part.responses, 'response')}, ${part.state}`,
  );
  const bad = rejected.map(
    (reason) =>
      `Rejected ${plural(reason.records, 'record')} from ${reason.source}: ${reason.reason}`,
  );
  return [failed, waiting, bad, warningLines(warnings)]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'));
}
