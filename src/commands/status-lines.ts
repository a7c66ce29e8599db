import { basename } from 'node:path';
import { stripTerminalControls, wrapTerminal } from '../core/terminal-text.ts';
import {
  isWarehouseUnknown,
  type PendingPart,
  type Status,
  type WarehouseStatus,
} from '../load/status.ts';
import type { HeldLock } from '../load/status.ts';
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
  {
    warehouse,
    free_bytes: freeBytes,
    locks,
    problems,
  }: Pick<Status, 'warehouse' | 'free_bytes' | 'locks' | 'problems'>,
  width: number | null,
  timezone: string,
): string {
  const line = (label: string, text: string) => labelled(label, text, width, storageLabelWidth);
  const stored = [
    line('Warehouse', warehouseText(warehouse, isWarehouseUnknown({ problems }))),
    ...(freeBytes === null ? [] : [line('Disk', `${byteSize(freeBytes)} free`)]),
  ];
  const held = locks.map((lock) => line('In use', lockText(lock, timezone)));
  return [...stored, ...held].join('\n');
}

function warehouseText({ path, bytes }: WarehouseStatus, isUnknown: boolean): string {
  if (isUnknown) return `${path} cannot be read`;
  return bytes === null ? `${path}: nothing loaded yet` : `${path} (${byteSize(bytes)})`;
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
    const files = plural(damaged, 'damaged file');
    notes.push(['Damaged', `${files} in the raw store; \`postledger verify\` names them`]);
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
