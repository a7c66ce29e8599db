import type { Cell, ColumnFormat } from '../../report/report-document.ts';
import type { Formatter } from '../../core/number-format.ts';
import { markup, type Markup } from './markup.ts';

/** How a figure moved against that of the period before: in percent, or in points for rates. */
export type Change =
  | { readonly kind: 'up' | 'down'; readonly text: string }
  | { readonly kind: 'new' | 'same' | 'unknown' };

const pointFormats: readonly ColumnFormat[] = ['rate', 'share', 'pp'];

/** Nothing is said of a value below 0: a percentage of it has no meaning. */
export function compareWithPrevious(
  { value, previous, format }: { value: Cell; previous: Cell; format: ColumnFormat },
  formatter: Formatter,
): Change {
  const now = figureOf(value);
  const before = figureOf(previous);
  if (now === null || before === null || before < 0) return { kind: 'unknown' };
  const usesPoints = pointFormats.includes(format);
  if (before === 0 && now > 0 && !usesPoints) return { kind: 'new' };
  const change = usesPoints ? now - before : now / before - 1;
  if (now === before || isNothing(change)) return { kind: 'same' };
  const text = formatter.format(Math.abs(change), usesPoints ? 'pp' : 'rate').replace(/^\+/u, '');
  return { kind: change > 0 ? 'up' : 'down', text };
}

export function changeMarkup(change: Change, { say }: Formatter): Markup {
  if (change.kind === 'up' || change.kind === 'down') {
    return markup`<p class="change ${change.kind}">${signed(change.kind, change.text, say)}</p>`;
  }
  if (change.kind === 'unknown') return markup`<p class="change">–</p>`;
  return markup`<p class="change">${say(change.kind === 'new' ? 'new' : 'unchanged')}</p>`;
}

/** A cell that holds a change: 0.345 is `▲ 34.5%`. What rounds to nothing has no direction. */
export function changeCellMarkup(change: number, formatter: Formatter): Markup {
  if (isNothing(change)) return markup`<span class="change">${formatter.format(0, 'rate')}</span>`;
  const text = formatter.format(Math.abs(change), 'rate');
  const kind = change > 0 ? 'up' : 'down';
  return markup`<span class="change ${kind}">${signed(kind, text, formatter.say)}</span>`;
}

/** Colour, arrow and spoken word together: none of them is the only sign. */
function signed(kind: 'up' | 'down', text: string, say: Formatter['say']): Markup {
  const arrow = kind === 'up' ? '▲' : '▼';
  return markup`<span aria-hidden="true">${arrow} </span><span class="spoken">${say(kind === 'up' ? 'up' : 'down')} </span>${text}`;
}

/** What is printed as 0.0 has no direction: neither an arrow nor a colour. */
export function isNothing(change: number): boolean {
  return Math.abs(change) < 0.0005;
}

/** A cell's number; null for what has none. */
export function figureOf(cell: Cell): number | null {
  return typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : null;
}
