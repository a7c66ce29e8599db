import type {
  Cell,
  ColumnFormat,
  ReportSection,
  ReportTable,
} from '../../../report/report-document.ts';
import { figureOf } from '../../document-head.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { cleanAttribute } from '../plain-text.ts';
import { bars, hatch, rules } from './marks.ts';

/** Each chart is drawn for a wide and a narrow page, since text must not shrink; CSS shows one of them. */
const drawnWidths = { wide: 928, narrow: 342 } as const;

export interface Frame {
  readonly isNarrow: boolean;
  readonly width: number;
  /** A prefix for ids of patterns, unique in the page. */
  readonly id: string;
}

export interface Drawing {
  readonly height: number;
  readonly marks: Markup;
}

/** A chart that can be drawn at any width. */
export interface Chart {
  readonly draw: (frame: Frame) => Drawing;
  /** The entries for marks that have no label of their own. */
  readonly key?: readonly (KeyItem | null)[];
  /** Set when each mark is labelled with its value, so that the table can be folded. */
  readonly showsAllValues: boolean;
  /** Sentences about the drawing; they come before the notes of the section. */
  readonly notes?: readonly string[];
}

/** A row of a chart, read by the names of its columns; a name that is no column, or null, reads as null. */
export interface ChartRow {
  cell(name: string | null): Cell;
  number(name: string | null): number | null;
  /** The text that the table prints. */
  text(name: string | null): string;
}

export interface ChartScope {
  readonly section: ReportSection;
  /** The rows that are drawn: the section's, or those that its chart names. */
  readonly table: ReportTable;
  readonly rows: readonly ChartRow[];
  readonly context: PageContext;
  /** The id of the section in the page. */
  readonly id: string;
}

export function chartRows(table: ReportTable, { formatter }: PageContext): ChartRow[] {
  const places = new Map<string | null, number>(
    table.columns.map(({ name }, place) => [name, place]),
  );
  return table.rows.map((row) => {
    const cell = (name: string | null) => row[places.get(name) ?? -1] ?? null;
    return {
      cell,
      number: (name) => boundedNumber(figureOf(cell(name))),
      text: (name) => formatter.format(cell(name), formatNamed(table, name) ?? 'text'),
    };
  });
}

/** The format of a column; null when the table has no such column. */
export function formatNamed({ columns }: ReportTable, name: string | null): ColumnFormat | null {
  return columns.find((column) => column.name === name)?.format ?? null;
}

/** Larger or smaller values would leave a floating-point scale no precision for the others. */
const [smallest, largest] = [1e-30, 1e30];

export function boundedNumber(value: number | null): number | null {
  if (value === null || !(Math.abs(value) <= largest)) return null;
  return Math.abs(value) < smallest ? 0 : value;
}

/** The name of a group without a name. */
export function noName({ say }: PageContext): string {
  return say('(none)');
}

/** Both pictures. Screen readers read the finding, and that the table has the figures. */
export function figureMarkup(chart: Chart, { section, id, context }: ChartScope): Markup {
  const statement = section.finding ?? section.description;
  const sentence = /[.!?]$/u.test(statement) ? statement : `${statement}.`;
  const label = `${sentence} ${context.say('The table holds its figures.')}`;
  const picture = (name: keyof typeof drawnWidths) => {
    const width = drawnWidths[name];
    const frame = { isNarrow: name === 'narrow', width, id: `${id}-${name}` };
    const { height, marks } = chart.draw(frame);
    return markup`<svg class="${name}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${cleanAttribute(label)}">${marks}</svg>\n`;
  };
  return markup`<figure>
${keyMarkup(chart.key ?? [])}${picture('wide')}${picture('narrow')}</figure>
`;
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

/** The key of a chart; null when it has no entries. */
function keyMarkup(items: readonly (KeyItem | null)[]): Markup | null {
  const shown = items.filter((item) => item !== null);
  if (shown.length === 0) return null;
  return markup`<p class="key">${shown.map(({ mark, words }) => markup`<span>${mark}${words}</span>`)}</p>
`;
}

export function swatch(width: number, drawn: Markup | readonly (Markup | null)[] | null): Markup {
  return markup`<svg width="${width}" height="12" aria-hidden="true">${drawn}</svg>`;
}

/** The key for bars of the period and ticks of the previous one. */
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
