import { fieldOf } from '../../core/own-field.ts';
import { fitTerminal } from '../../core/terminal-text.ts';
import type { ReceivedEvent } from '../../load/received-events.ts';
import type { Paint } from '../../render/terminal-table.ts';
import { foreignName } from './foreign-text.ts';
import { localTime } from './local-time.ts';
import { isTableFitting, recordLines } from './records.ts';
import { colorsOf, nothing, type ViewPlace } from './view-place.ts';

/** Enough to find it by, in `webhook_events` and in --json. */
const keyDigits = 12;
const mostWords = 40;

const heads = ['Received', 'Type', 'Workspace', 'What', 'Outcome', 'Reason', 'Key'];

/** What came in and what became of it; no line feed at the end. */
export function eventsView(events: readonly ReceivedEvent[], place: ViewPlace): string {
  if (events.length === 0) return 'No events.';
  const whole = { heads, rows: events.map((event) => cellsOf(event, place, Infinity)) };
  const short = { heads, rows: events.map((event) => cellsOf(event, place, mostWords)) };
  const isShort = place.width !== null && !isTableFitting(whole, place);
  const records = isShort && isTableFitting(short, place) ? short : whole;
  return recordLines(records, place).join('\n');
}

function cellsOf(event: ReceivedEvent, place: ViewPlace, width: number) {
  const fit = (text: string) => fitTerminal(text, width);
  return [
    localTime(event.received_at, place),
    fit(foreignName(event.type)),
    fit(foreignName(event.workspace ?? event.workspace_slug ?? event.workspace_id ?? nothing)),
    fit(subjectOf(event)),
    { text: event.outcome, paint: outcomePaint(event, place) },
    fit(foreignName(event.reason ?? nothing)),
    event.event_key.slice(0, keyDigits),
  ];
}

function outcomePaint({ outcome }: ReceivedEvent, place: ViewPlace): Paint {
  const { red, yellow, dim } = colorsOf(place);
  return { applied: String, kept: dim, rejected: red, pending: yellow }[outcome];
}

/** What a person knows the event's subject by: a post's title, an invited person's address. */
function subjectOf({ payload }: ReceivedEvent): string {
  const data = fieldOf(JSON.parse(payload), 'data');
  const names = [
    fieldOf(fieldOf(data, 'post'), 'title'),
    fieldOf(fieldOf(data, 'invite'), 'email'),
  ];
  const name = names.find((value) => typeof value === 'string');
  return typeof name === 'string' ? foreignName(name) : nothing;
}
