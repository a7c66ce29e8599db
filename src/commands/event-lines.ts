import { terminalLine } from '../core/terminal-text.ts';
import type { EventStatus } from '../load/received-events.ts';
import { eventsClause, plural, thousands } from './load-sentence.ts';

/** How things stand with events, and what can be done: one block of `status`, or none while there are none. */
export function eventLines(status: EventStatus): string[] {
  const { applied, kept, rejected, pending } = status;
  const lines: string[] = [];
  if (applied + kept + rejected > 0) lines.push(`Events   ${eventsClause(status)}`);
  lines.push(...reasonLines(status), ...remedyLines(status));
  if (pending.events)
    lines.push(`Pending  ${plural(pending.events, 'event')}, which the next load takes`);
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function reasonLines({ reasons, has_more_reasons }: EventStatus): string[] {
  const lines = reasons.map(
    ({ outcome, reason, events }) => `  ${outcome} ${thousands(events)}: ${terminalLine(reason)}`,
  );
  return has_more_reasons
    ? [...lines, '  and more, which `postledger webhooks list` has with each event']
    : lines;
}

function remedyLines({ kept, rejected }: EventStatus): string[] {
  const lines: string[] = [];
  if (kept > 0)
    lines.push(
      '  Kept ones are applied by a load, once jobs.yaml has their workspace, or a version knows their type.',
    );
  if (rejected > 0)
    lines.push(
      '  Rejected ones: `postledger webhooks list --outcome rejected`; after an upgrade, `postledger webhooks replay --rejected`.',
    );
  return lines;
}
