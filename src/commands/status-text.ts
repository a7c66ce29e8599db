import { basename } from 'node:path';
import type { EventStatus } from '../status/received-events.ts';
import { isWarehouseUnknown, type PendingPart, type Status } from '../status/status.ts';
import type { RunStatus } from '../status/runs.ts';
import type { Gap, ProfileStatus } from '../status/profile-status.ts';
import { listing, type Listing } from './listing.ts';
import { fieldLines, nothing, type LocalTerminal } from './view.ts';
import type { Verdicts } from '../status/problem-sentences.ts';
import { eventsClause } from '../load/load-summary.ts';
import { byteSize, plural, shortTime, thousands } from '../core/wording.ts';

export type Line = readonly [label: string, text: string];

/** A block for each part of the status; one that has nothing to say is left out. */
export function statusText(status: Status, verdicts: Verdicts, terminal: LocalTerminal): string {
  const { timezone } = terminal;
  const { failed, stale, warning } = verdicts;
  const isUnknown = isWarehouseUnknown(status);
  const labelled = (label: string, texts: readonly string[] | null) =>
    linesBlock(
      (texts ?? []).map((text) => [label, text]),
      terminal,
    );
  const blocks = [
    linesBlock(storageLines(status, isUnknown, timezone), terminal, 11),
    isUnknown
      ? 'Runs, and what is pending: unknown.'
      : listing(runListing(status.runs, timezone), terminal),
    listing(profileListing(status.profiles, timezone), terminal),
    linesBlock(eventLines(status.events), terminal),
    labelled('Failed', failed),
    labelled('Stale', stale),
    labelled('Pending', status.pending.map(pendingText)),
    labelled(
      'Rejected',
      status.rejected.map(({ records, source, field, reason }) =>
        field === null
          ? `${plural(records, 'record')} from ${source}: ${reason}`
          : `${plural(records, 'value')} of ${field} from ${source}; the last: ${reason}`,
      ),
    ),
    labelled(
      'Unread',
      status.problems.map(({ subject, message }) => `${subject}: ${message}`),
    ),
    labelled('Warning', warning),
    labelled('Deliver', openDeliveries(status)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function openDeliveries({ deliveries }: Status): string[] {
  const counts = Object.entries(deliveries).filter(([, count]) => count > 0);
  const text = counts.map(([state, count]) => `${count} ${state}`).join(', ');
  return text === '' ? [] : [`${text}; see: postledger deliver list`];
}

/** Labels in a column, texts beside them, as in the blocks above and below. */
export function linesBlock(
  lines: readonly Line[],
  terminal: LocalTerminal,
  labelWidth = 9,
): string {
  const fields = lines.map(([name, text]) => ({ name, text }));
  return fieldLines(fields, terminal, labelWidth).join('\n');
}

function storageLines(status: Status, isUnknown: boolean, timezone: string): Line[] {
  const { warehouse, free_bytes: freeBytes, locks } = status;
  const { path, bytes } = warehouse;
  const known = bytes === null ? `${path}: nothing loaded yet` : `${path} (${byteSize(bytes)})`;
  return [
    ['Warehouse', isUnknown ? `${path} cannot be read` : known],
    ...(freeBytes === null ? [] : [['Disk', `${byteSize(freeBytes)} free`] as const]),
    ...locks.map((lock): Line => {
      const holder = `process ${lock.pid} on ${lock.host}: ${lock.purpose}`;
      const since = shortTime(lock.since, timezone);
      return ['In use', `${basename(lock.path)} by ${holder}, since ${since}`];
    }),
  ];
}

export function runListing(rows: readonly RunStatus[], timezone: string): Listing<RunStatus> {
  return {
    rows,
    columns: [
      ['Run', (run) => run.run_id],
      ['Job', (run) => run.job],
      ['Status', (run) => run.status],
      // a run's id has the time, too
      ['Started', (run) => shortTime(run.started_at, timezone), { isRepeated: true }],
      ['Requests', (run) => run.requests],
      ['Posts read', (run) => run.posts_read],
      ['Rejected', (run) => run.rejected],
    ],
    empty: 'No run yet.',
  };
}

function profileListing(rows: readonly ProfileStatus[], timezone: string): Listing<ProfileStatus> {
  type Cell = (profile: ProfileStatus) => string | number;
  const ifKnown =
    (cell: Cell): Cell =>
    (profile) =>
      profile.posts === null ? 'unknown' : cell(profile);
  return {
    rows,
    columns: [
      ['Profile', ({ workspace, name }) => `${workspace}/${name}`],
      ['Posts', ({ posts }) => posts ?? 'unknown'],
      ['Last read', ifKnown((profile) => shortTime(profile.last_read_at, timezone))],
      ['Days not read', ifKnown(({ gaps }) => gaps.map(gapText).join(', ') || nothing)],
      ['Failed date ranges', ifKnown((profile) => profile.failed_windows.length)],
    ],
  };
}

function gapText({ first_day: first, last_day: last, is_begun: isBegun }: Gap): string {
  const days = first === last ? first : `${first} to ${last}`;
  return isBegun ? `${days} (in part)` : days;
}

/** The lines about events: outcomes, reasons and remedies. */
function eventLines(status: EventStatus): Line[] {
  const { applied, kept, rejected, pending, reasons, has_more_reasons: hasMore } = status;
  const notes = [
    ...reasons.map(({ outcome, reason, events }) => `${outcome} ${thousands(events)}: ${reason}`),
    ...(hasMore ? ['and more, which `postledger webhooks list` has with each event'] : []),
    ...(kept > 0
      ? [
          'Kept ones are applied by a load, once jobs.yaml has their workspace, or a version knows their type.',
        ]
      : []),
    ...(rejected > 0
      ? [
          'Rejected ones: `postledger webhooks list --outcome rejected`; after an upgrade, `postledger webhooks replay --rejected`.',
        ]
      : []),
  ];
  const waiting = pending.events ?? 0;
  return [
    ...(applied + kept + rejected > 0 ? [['Events', eventsClause(status)] as const] : []),
    ...notes.map((note): Line => ['', note]),
    ...(waiting > 0
      ? [['Pending', `${plural(waiting, 'event')}, which the next load takes`] as const]
      : []),
  ];
}

function pendingText({ workspace, run_id, responses, state }: PendingPart): string {
  const text = `${workspace} ${run_id}: ${plural(responses, 'response')}, ${state}`;
  return state === 'interrupted' ? `${text}; the next load takes them in` : text;
}
