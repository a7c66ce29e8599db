import { maxIndex } from 'd3-array';
import { isFigureFormat, timeFormats } from '../../languages/number-format.ts';
import type { Cell, ColumnFormat, ReportColumn, RowColumn } from '../../report/report-document.ts';
import { type Change, changeArrow, figureOf, fromWords, roundsToZero } from '../document-head.ts';
import { markup, type Markup } from './markup.ts';
import type { NullNotes } from './null-notes.ts';
import type { PageContext } from './page-context.ts';
import { cleanAttribute, safeLink, shorten } from './plain-text.ts';
import { cellSpark, sparkline } from './sparkline.ts';

/** Texts longer than this are cut on the page; CSV, JSON and XLSX have them whole. */
export const maxTextCharacters = 200;

/** Longer texts are taken for sentences, not names. */
const maxNameCharacters = 48;

export interface CellScope {
  readonly context: PageContext;
  readonly notes: NullNotes;
  /** The largest share of the column, which its bar fills; 0 without one. */
  readonly largestShare: number;
  /** True for a difference that is clear, which has a colour; one that may be chance has none. */
  readonly isColored?: boolean;
}

/** The formats whose printed form does not sort: it has no sign, two units, or a name. */
const valueFormats: readonly ColumnFormat[] = [...timeFormats, 'duration', 'change'];

/** Tells whether a cell is the group of rows without a campaign, label or person, which has no name. */
export function isNamelessGroup(cell: Cell, { say }: PageContext): boolean {
  return cell === say('(none)') || cell === say('(automatic)');
}

/**
 * The way in which the script sorts a column: as words, by the printed number, or by `data-v`; null when it has no
 * order.
 */
export function sortKind({ format }: ReportColumn): 'text' | 'number' | 'value' | null {
  if (format === 'trend') return null;
  if (valueFormats.includes(format)) return 'value';
  return isFigureFormat(format) ? 'number' : 'text';
}

/** The value of `data-v` in columns whose printed form does not sort. */
export function sortValue(cell: Cell, column: ReportColumn): string | null {
  return cell === null || sortKind(column) !== 'value' ? null : cleanAttribute(String(cell));
}

export function cellMarkup(cell: Cell, column: RowColumn, scope: CellScope): Markup {
  if (cell === null || cell === '') return scope.notes.mark(column);
  const { format } = column;
  const text = scope.context.formatter.format(cell, format);
  const words = shorten(text, maxTextCharacters);
  const figure = figureOf(cell) ?? 0;
  if (format === 'url') return linkMarkup(text);
  if (format === 'longtext') return markup`<span class="clip" dir="auto">${words}</span>`;
  if (format === 'text' || format === 'list') return wordsMarkup(words);
  if (format === 'share') return shareMarkup(figure, text, scope.largestShare);
  if (format === 'change' || (format === 'pp' && column.change))
    return changeMarkup(figure, column, scope.context);
  if (format === 'pp') return markup`<span class="${pointsClass(figure, scope)}">${text}</span>`;
  return format === 'trend' ? trendMarkup(cell, column, scope) : figureMarkup(text);
}

/** Where a long figure may break: between currency and digits, and between groups of digits. */
const figureBreaks = /(?<=\p{L}\s)(?=\p{Nd})|(?<=\p{Nd}\P{Nd})(?=\p{Nd}{3}(?!\p{Nd}))/u;
/** Everyday figures are no longer than this. */
const maxFigureCharacters = 11;

/** A printed figure, which may break when it is long. */
export function figureMarkup(text: string): Markup {
  if (text.length <= maxFigureCharacters) return markup`${text}`;
  const [first = '', ...others] = text.split(figureBreaks);
  return markup`${first}${others.map((part) => markup`<wbr>${part}`)}`;
}

/** The attributes of a link to another site; null for an address that a page must not open. */
export function linkAttributes(url: string): Markup | null {
  const href = safeLink(url);
  return href === null ? null : markup` href="${href}" target="_blank"`;
}

function linkMarkup(url: string): Markup {
  const attributes = linkAttributes(url);
  const text = shorten(url.replace(/^https?:\/\/(?:www\.)?/u, ''), 40);
  return attributes ? markup`<a${attributes}><bdi>${text}</bdi></a>` : markup`<bdi>${text}</bdi>`;
}

/** Sentences keep a readable width on a narrow page, whose tables may scroll. */
function wordsMarkup(text: string): Markup {
  return text.length > maxNameCharacters
    ? markup`<bdi class="long">${text}</bdi>`
    : markup`<bdi>${text}</bdi>`;
}

const shareWidth = 74;

/** The bar is scaled to the largest share of the column, so that rows can be compared. */
function shareMarkup(share: number, text: string, largest: number): Markup {
  if (largest <= 0) return markup`${text}`;
  const length = Math.max(0, Math.round((share / largest) * shareWidth));
  return markup`<svg class="share" width="${shareWidth}" height="8" aria-hidden="true"><rect width="${length}" height="8"/></svg><span class="figure">${text}</span>`;
}

/** A line needs two values; a single one is in the figures next to it. */
function trendMarkup(
  cell: Cell,
  column: ReportColumn,
  { notes, context: { say } }: CellScope,
): Markup {
  const values = Array.isArray(cell)
    ? cell.map((value) => (typeof value === 'number' ? value : null))
    : [];
  const peak = maxIndex(values, (value) => value ?? Number.NEGATIVE_INFINITY);
  const label = say('{title:text}: highest at {place:count} of {n:count}', {
    title: column.title,
    place: peak + 1,
    n: values.length,
  });
  return sparkline(values, label, cellSpark) ?? notes.mark(column);
}

function pointsClass(value: number, { isColored = false }: CellScope): string {
  if (roundsToZero(value) || !isColored) return 'change';
  return value > 0 ? 'change up' : 'change down';
}

/** A cell that holds a change: 0.345 is `▲ 34.5%`, or `▲ 34.5 pp`. A change that rounds to 0 has no direction. */
function changeMarkup(value: number, { format, base }: RowColumn, context: PageContext): Markup {
  const { formatter } = context;
  const size = (of: number) =>
    formatter.format(of, format === 'pp' ? 'pp' : 'change').replace(/^\+/u, '');
  if (roundsToZero(value)) return markup`<span class="change">${size(0)}</span>`;
  const kind = value > 0 ? 'up' : 'down';
  const text = base
    ? fromWords(formatter.format(base.cell, base.format), formatter)
    : size(Math.abs(value));
  return markup`<span class="change ${kind}">${signedChange({ kind, text }, context)}</span>`;
}

/** A change with its arrow, which is spoken as a word, so that neither colour nor arrow is the only sign. */
export function signedChange({ kind, text }: Change, { say }: PageContext): Markup {
  const arrow = changeArrow(kind);
  if (arrow === null) return markup`${text}`;
  const word = say(kind === 'up' ? 'up' : 'down');
  return markup`<span aria-hidden="true">${arrow} </span><span class="spoken">${word} </span>${text}`;
}
