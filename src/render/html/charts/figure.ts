import type { Day } from '../../../core/calendar.ts';
import {
  drawnColumns,
  type ReportSection,
  type ReportTable,
} from '../../../report/report-document.ts';
import type { ChartRow } from '../../chart-rows.ts';
import type { DrawnPoint, NumberedNote } from '../../drawn.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { cleanAttribute } from '../plain-text.ts';
import { cutToWidth, textWidth } from '../text-width.ts';
import { bars, dot, hatch, moveApart, type Rule, rules, text } from './marks.ts';

/** Each chart is drawn for a wide and a narrow page, since text must not shrink; CSS shows one of them. */
const drawnWidths = { wide: 928, narrow: 342 } as const;

export interface Frame {
  readonly isNarrow: boolean;
  readonly width: number;
  /** A prefix for ids of patterns, unique in the page. */
  readonly id: string;
  /** The notes on the days of the chart. */
  readonly notes: readonly NumberedNote[];
}

export interface Drawing {
  readonly height: number;
  readonly marks: Markup;
  /** Where the notes of its days are marked. */
  readonly timeline?: Timeline;
}

interface Timeline {
  readonly x: (day: Day) => number;
  readonly bottom: number;
}

export interface Chart {
  readonly draw: (frame: Frame) => Drawing;
  /** The entries for marks that have no label of their own. */
  readonly key?: readonly (KeyItem | null)[];
  /** Set when each mark is labelled with its value, so that the table can be folded. */
  readonly showsAllValues: boolean;
  /** Sentences about the drawing; they come before the notes of the section. */
  readonly notes?: readonly string[];
}

export interface ChartScope {
  readonly section: ReportSection;
  /** The rows that are drawn: the section's, or those that its chart names. */
  readonly table: ReportTable;
  readonly rows: readonly ChartRow[];
  readonly context: PageContext;
  readonly id: string;
}

/** Both pictures. Screen readers read the finding, and that the table has the figures, or on paper the figures. */
export function figureMarkup(
  chart: Chart,
  scope: ChartScope,
  notes: readonly NumberedNote[],
): Markup {
  const { context } = scope;
  const label = labelOf(scope);
  const picture = (name: keyof typeof drawnWidths) => {
    const { width, height, above, marks } = drawFrame(name, chart, scope, notes);
    return markup`<svg class="${name}" width="${width}" height="${height}" viewBox="0 ${-above} ${width} ${height}" role="img" aria-label="${cleanAttribute(label)}">${marks}</svg>\n`;
  };
  return markup`<figure${context.isPaper && markup` role="presentation"`}>
${keyMarkup(chart.key ?? [])}${picture('wide')}${picture('narrow')}</figure>
`;
}

/** What the chart states, and on paper its figures in words. */
function labelOf(scope: ChartScope): string {
  const { section, context } = scope;
  const statement = section.finding ?? section.description;
  const sentence = /[.!?]$/u.test(statement) ? statement : `${statement}.`;
  const figures = context.isPaper
    ? figureWords(scope)
    : context.say('The table holds its figures.');
  return `${sentence} ${figures}`.trim();
}

function drawFrame(
  name: keyof typeof drawnWidths,
  chart: Chart,
  { id }: ChartScope,
  notes: readonly NumberedNote[],
) {
  const width = drawnWidths[name];
  const frame = { isNarrow: name === 'narrow', width, id: `${id}-${name}`, notes };
  const { height: drawn, marks, timeline } = chart.draw(frame);
  const flags = timeline && notes.length > 0 ? noteMarks(notes, timeline, width) : null;
  const above = flags === null ? 0 : noteHeight;
  return { width, height: drawn + above, above, marks: markup`${flags}${marks}` };
}

/** A chart with its key as one drawing, as wide as a phone. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly label: string;
  readonly marks: string;
}

/** The margin of a picture, and the height of a line of its key, in px. */
const [margin, keyRow, keyGap] = [16, 20, 14];

/** The narrow chart with its key above it, in a picture of its own. */
export function pictureOf(
  chart: Chart,
  scope: ChartScope,
  notes: readonly NumberedNote[],
): Picture {
  const { width, height, above, marks } = drawFrame('narrow', chart, scope, notes);
  let [x, y] = [0, 0];
  const keys = (chart.key ?? []).flatMap((item) => {
    if (item === null) return [];
    const at = item.mark === null ? 0 : markWidth(item.mark) + 6;
    const words = cutToWidth(item.words, width - at);
    const room = at + textWidth(words);
    if (x > 0 && x + room > width) [x, y] = [0, y + keyRow];
    const [left, top] = [x, y];
    x += room + keyGap;
    return [
      markup`<g transform="translate(${left} ${top + 3})">${item.mark}</g>${text(left + at, top + 14, words)}`,
    ];
  });
  const below = keys.length === 0 ? 0 : y + keyRow + 8;
  const drawn = markup`<g transform="translate(${margin} ${margin})">${keys}<g transform="translate(0 ${below + above})">${marks}</g></g>`;
  return {
    width: width + 2 * margin,
    height: height + below + 2 * margin,
    label: labelOf(scope),
    marks: String(drawn),
  };
}

function markWidth(mark: Markup): number {
  return Number(/width="(\d+)"/u.exec(String(mark))?.[1] ?? 0);
}

/** The room above a chart for the numbers of its notes, and their half width. */
const [noteHeight, noteRadius] = [22, 9];

/** A dotted line on the day of each note, with its number above, which moves aside for its neighbour's. */
function noteMarks(notes: readonly NumberedNote[], { x, bottom }: Timeline, width: number): Markup {
  const days = notes.map(({ date }) => x(date));
  const distances = days.map(() => 2 * noteRadius + 1);
  const centres = moveApart(days, distances, [noteRadius, width - noteRadius]);
  const lines = days.flatMap((day, index): Rule[] => [
    [centres[index] ?? day, noteRadius - noteHeight / 2, day, 4],
    [day, 4, day, bottom],
  ]);
  const numbers = notes.map(({ number }, index) => {
    const at = centres[index] ?? 0;
    return markup`${dot(at, -noteHeight / 2, noteRadius, 'flag')}${text(at, 4.5 - noteHeight / 2, String(number), 'mid')}`;
  });
  return markup`${rules(lines, 'event')}${numbers}`;
}

/** More figures than these are read in a table. */
const maxReadRows = 60;

/** What is drawn of each row, after its names: `Oct 2025: EMV €6,687, EMV before €4,900`. */
function figureWords({ section: { chart }, table, rows }: ChartScope): string {
  if (chart === null || rows.length > maxReadRows) return '';
  const drawn = drawnColumns(chart).flatMap(({ part, column, kind }) => {
    const { title } = table.columns.find(({ name }) => name === column) ?? {};
    // these two have no words
    const hasLook = part === 'marked' || part === 'level';
    return title === undefined || hasLook ? [] : [{ column, title, isName: kind === null }];
  });
  const names = drawn.filter(({ isName }) => isName);
  const figures = drawn.filter(({ isName }) => !isName);
  const words = (row: ChartRow, of: typeof drawn) =>
    of.flatMap(({ column, title, isName }) => {
      const cell = row.cell(column);
      if (cell === null || cell === false) return [];
      if (cell === true) return title;
      return `${isName || figures.length === 1 ? '' : `${title} `}${row.text(column)}`;
    });
  const said = (row: ChartRow, of: typeof drawn) => words(row, of).join(', ');
  const valuesOf = (row: ChartRow) => (figures.length > 0 ? `: ${said(row, figures) || '–'}` : '');
  return rows.map((row) => said(row, names) + valuesOf(row)).join('; ');
}

/** The note about marks that only the table has. @param marks the name of the marks, in the report's language */
export function leftOutNotes(
  shown: number,
  all: number,
  { say }: PageContext,
  marks = say('rows'),
): string[] {
  const n = all - shown;
  if (n <= 0) return [];
  const values = { rest: String(n), all: String(all), marks, n };
  return [say('{rest:text} of {all:text} {marks:text} {n|is|are} in the table alone.', values)];
}

/** `Likes` is `likes` within a sentence, but `EMV` and `Bo Bielak` stay as they are. */
export function inSentence(label: string, { document }: PageContext): string {
  // Other languages have other rules: German nouns are capitalized everywhere.
  if (document.language.code !== 'en') return label;
  const isWord = /^\p{Lu}\p{Ll}/u.test(label) && !/\s\p{Lu}/u.test(label);
  return isWord ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

export interface KeyItem {
  readonly mark: Markup | null;
  readonly words: string;
}

function keyMarkup(items: readonly (KeyItem | null)[]): Markup | null {
  const shown = items.filter((item) => item !== null);
  if (shown.length === 0) return null;
  return markup`<p class="key">${shown.map(({ mark, words }) => markup`<span>${mark}${words}</span>`)}</p>
`;
}

export function swatch(width: number, drawn: Markup | readonly (Markup | null)[] | null): Markup {
  return markup`<svg width="${width}" height="12" aria-hidden="true">${drawn}</svg>`;
}

export function periodKeys(hasPrevious: boolean, { head }: PageContext): KeyItem[] {
  if (!hasPrevious || head.previousPeriod === null) return [];
  return [
    { mark: swatch(24, rules([[0, 6, 24, 6]], 'tick')), words: head.previousPeriod },
    { mark: swatch(10, bars([keyBox], 'bar')), words: head.period },
  ];
}

export function targetKey({ say }: PageContext): KeyItem {
  return { mark: swatch(24, rules([[0, 6, 24, 6]], 'target')), words: say('Target') };
}

const keyBox = { left: 0.5, top: 0.5, width: 9, height: 11 };

/** @param id the id of the pattern, unique in the page */
export function notFinalKey(id: string, { say }: PageContext): KeyItem {
  const mark = markup`${hatch(id, 'young')}${bars([keyBox], 'young', id)}`;
  return { mark: swatch(10, mark), words: say('not final') };
}

/** The entry for bars of a part of a month, null where all are whole. @param id the id of the pattern, unique in the page */
export function partKey(
  points: readonly DrawnPoint[],
  id: string,
  { say }: PageContext,
): KeyItem | null {
  if (points.every(({ isPart }) => !isPart)) return null;
  const mark = markup`${hatch(id, 'portion')}${bars([keyBox], 'portion', id)}`;
  return { mark: swatch(10, mark), words: say('not whole') };
}
