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

/** Charts are drawn for a wide and a narrow page, since text must not shrink; CSS shows one. */
const drawnWidths = { wide: 928, narrow: 342 } as const;

/** The picture that is drawn. */
export interface Frame {
  readonly isNarrow: boolean;
  readonly width: number;
  /** Unique in the page: for patterns. */
  readonly id: string;
}

export interface Drawing {
  readonly height: number;
  readonly marks: Markup;
}

/** A chart before it is drawn at some width. */
export interface Chart {
  readonly draw: (frame: Frame) => Drawing;
  /** What cannot be named on its mark. */
  readonly key?: readonly (KeyItem | null)[];
  /** Whether each mark is labelled with its value, so that the table can be folded. */
  readonly showsAllValues: boolean;
  /** Sentences about the drawing, before those of the section. */
  readonly notes?: readonly string[];
}

/** A row of a chart, read by the names of its columns; a name that is no column, or null, reads as null. */
export interface ChartRow {
  cell(name: string | null): Cell;
  number(name: string | null): number | null;
  /** As the table prints it. */
  text(name: string | null): string;
}

/** What a chart is drawn from. */
export interface ChartScope {
  readonly section: ReportSection;
  /** The rows that are drawn: the section's, or those that its chart names. */
  readonly table: ReportTable;
  readonly rows: readonly ChartRow[];
  readonly context: PageContext;
  /** Of the section in the page. */
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

/** Null where the table has no such column. */
export function formatNamed({ columns }: ReportTable, name: string | null): ColumnFormat | null {
  return columns.find((column) => column.name === name)?.format ?? null;
}

/** Beyond these, a scale in floating point has no room for other values. */
const [smallest, largest] = [1e-30, 1e30];

export function boundedNumber(value: number | null): number | null {
  if (value === null || !(Math.abs(value) <= largest)) return null;
  return Math.abs(value) < smallest ? 0 : value;
}

/** What has no name of its own. */
export function noName({ say }: PageContext): string {
  return say('(none)');
}

/** Both pictures: an image to a listener, who hears what it states and where its figures are. */
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

/** What the drawing leaves to the table. @param marks what is drawn, in the report's language */
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
  // other languages have other rules: German nouns are capital anywhere
  if (document.language.code !== 'en') return label;
  const isWord = /^\p{Lu}\p{Ll}/u.test(label) && !/\s\p{Lu}/u.test(label);
  return isWord ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** A mark and what it means. */
export interface KeyItem {
  readonly mark: Markup | null;
  readonly words: string;
}

/** A line of what cannot be named on its mark; null without any. */
function keyMarkup(items: readonly (KeyItem | null)[]): Markup | null {
  const shown = items.filter((item) => item !== null);
  if (shown.length === 0) return null;
  return markup`<p class="key">${shown.map(({ mark, words }) => markup`<span>${mark}${words}</span>`)}</p>
`;
}

/** What a key shows beside its words. */
export function swatch(width: number, drawn: Markup | readonly (Markup | null)[] | null): Markup {
  return markup`<svg width="${width}" height="12" aria-hidden="true">${drawn}</svg>`;
}

/** Bars of the period, and ticks of the one before it. */
export function periodKeys(hasPrevious: boolean, { head }: PageContext): KeyItem[] {
  if (!hasPrevious || head.previousPeriod === null) return [];
  return [
    { mark: swatch(24, rules([[0, 6, 24, 6]], 'tick')), words: head.previousPeriod },
    { mark: swatch(10, bars([keyBox], 'bar')), words: head.period },
  ];
}

const keyBox = { left: 0.5, top: 0.5, width: 9, height: 11 };

/** @param id of its pattern, unique in the page */
export function notFinalKey(id: string, { say }: PageContext): KeyItem {
  const mark = markup`${hatch(id, 'young')}${bars([keyBox], 'young', id)}`;
  return { mark: swatch(10, mark), words: say('not final') };
}
