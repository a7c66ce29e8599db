import { basename } from 'node:path';
import { stripTerminalControls, wrapTerminal } from '../core/terminal-text.ts';
import { isWarehouseUnknown, type Status } from '../load/status.ts';
import type { DiskStatus } from '../load/status/disk-status.ts';
import type { HeldLock } from '../load/status/held-locks.ts';
import type { PendingPart } from '../load/status/pending-parts.ts';
import type { WarehouseStatus } from '../load/status/warehouse-status.ts';
import { byteSize } from './byte-size.ts';
import { plural } from './load-sentence.ts';
import { shortTime } from './short-time.ts';

const labelWidth = 9;
const storageLabelWidth = 11;

/** A label and what it tells, wrapped with the following lines under the first one's text. */
export function labelled(
  label: string,
  text: string,
  width: number | null,
  indent = labelWidth,
): string {
  const room = width === null ? null : Math.max(20, width - indent);
  const lines = wrapTerminal(stripTerminalControls(text), room);
  return lines.map((line, at) => (at === 0 ? label : '').padEnd(indent) + line).join('\n');
}

/** The warehouse, what is on its disk, and who is at it. */
export function storageLines(
  { warehouse, disk, locks, problems }: Pick<Status, 'warehouse' | 'disk' | 'locks' | 'problems'>,
  width: number | null,
  timezone: string,
): string {
  const line = (label: string, text: string) => labelled(label, text, width, storageLabelWidth);
  const stored = [
    line('Warehouse', warehouseText(warehouse, isWarehouseUnknown({ problems }))),
    ...warehouseNotes(warehouse, timezone).map((note) => line('', note)),
    ...(disk ? [line('Disk', diskText(disk))] : []),
  ];
  const held = locks.map((lock) => line('In use', lockText(lock, timezone)));
  return [...stored, ...held].join('\n');
}

function warehouseText(
  { path, bytes, missing_runs: missing }: WarehouseStatus,
  isUnknown: boolean,
): string {
  if (isUnknown) return `${path} cannot be read`;
  if (bytes !== null) return `${path} (${byteSize(bytes)})`;
  return missing === 0 ? `${path}: nothing loaded yet` : `${path} is missing`;
}

export function warehouseNotes(warehouse: WarehouseStatus, timezone: string): string[] {
  const { provenance, foreign_since: since, missing_runs: missing } = warehouse;
  const notes: string[] = [];
  if (provenance === 'foreign') {
    notes.push(
      'it is not the file that was published: another program has changed it, or it was copied or restored; `postledger rebuild --check` compares it with the archive',
    );
  } else if (since !== null) {
    notes.push(
      `changes of another program are in it, noticed at ${shortTime(since, timezone)}; \`postledger rebuild\` makes it anew without them`,
    );
  }
  if (missing > 0) {
    notes.push(
      `the archive has ${plural(missing, 'run')} that it does not have; \`postledger rebuild\` takes them in`,
    );
  }
  for (const { run_id, last_read_at } of warehouse.future_runs) {
    notes.push(
      `the run ${run_id} has readings of ${shortTime(last_read_at, timezone)}, which is yet to come: a clock is or was wrong, and until then they win over newer ones (docs/run.md has what to do)`,
    );
  }
  for (const { former_workspace: former, workspace, posts } of warehouse.former_workspaces) {
    notes.push(
      `${plural(posts, 'post')} of profiles of ${workspace} stand under the workspace ${former} too, which is not configured: reports over all workspaces count them twice (docs/configure.md has what to do)`,
    );
  }
  return notes;
}

function diskText(disk: DiskStatus): string {
  const archive = disk.archive.reduce((sum, { bytes }) => sum + bytes, 0);
  const uses: [string, number][] = [
    ['landing', disk.landing.bytes],
    ['archive', archive],
    ['archived events', disk.archived_events.bytes],
    ['inbox', disk.inbox.bytes],
    ['quarantine', disk.quarantine.bytes],
  ];
  const used = uses.filter(([, bytes]) => bytes > 0);
  const parts = used.map(([name, bytes]) => `${name} ${byteSize(bytes)}`);
  return [...parts, `${byteSize(disk.free_bytes)} free`].join(', ');
}

function lockText({ path, pid, host, purpose, since }: HeldLock, timezone: string): string {
  return `${basename(path)} by process ${pid} on ${host}: ${purpose}, since ${shortTime(since, timezone)}`;
}

/** What waits to be loaded, and runs that were cut off: label and text of each line. */
export function pendingNotes(
  { pending, damaged, cut_off: cutOff }: Pick<Status, 'pending' | 'damaged' | 'cut_off'>,
  timezone: string,
): string[][] {
  const notes = pending.map((part) => ['Pending', pendingText(part, timezone)]);
  if (damaged > 0) {
    const files = plural(damaged, 'damaged landed file');
    notes.push(['Damaged', `${files}, which the next load sets aside and tells of`]);
  }
  for (const { run_id, job, windows, kept_until } of cutOff) {
    const kept = `${plural(windows, 'window')} that it read are not asked for again before ${shortTime(kept_until, timezone)}`;
    notes.push(['Cut off', `${job} ${run_id}: ${kept}; \`postledger run ${job}\` goes on there`]);
  }
  return notes;
}

function pendingText(
  { workspace, run_id, responses, state, kept_until }: PendingPart,
  timezone: string,
): string {
  const text = `${workspace} ${run_id}: ${plural(responses, 'response')}, ${state}`;
  if (state !== 'interrupted') return text;
  const kept =
    kept_until === null
      ? ''
      : `, a run before ${shortTime(kept_until, timezone)} does not ask for them again`;
  return `${text}; the next load takes them in${kept}`;
}
