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
  if (now === before || Math.abs(change) < 0.0005) return { kind: 'same' };
  const text = formatter.format(Math.abs(change), usesPoints ? 'pp' : 'rate').replace(/^\+/u, '');
  return { kind: change > 0 ? 'up' : 'down', text };
}

/** Colour, arrow and spoken word together: none of them is the only sign. */
export function changeMarkup(change: Change): Markup {
  if (change.kind === 'up' || change.kind === 'down') {
    const arrow = change.kind === 'up' ? '▲' : '▼';
    return markup`<p class="change ${change.kind}"><span aria-hidden="true">${arrow} </span><span class="spoken">${change.kind} </span>${change.text}</p>`;
  }
  const words = { new: 'new', same: 'unchanged', unknown: '–' }[change.kind];
  return markup`<p class="change">${words}</p>`;
}

/** A cell's number; null for what has none. */
export function figureOf(cell: Cell): number | null {
  return typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : null;
}
