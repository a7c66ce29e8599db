import { addDays } from '../../../core/calendar.ts';
import type {
  Cell,
  ColumnFormat,
  ReportSection,
  ReportTable,
} from '../../../report/report-document.ts';
import { figureOf } from '../change.ts';
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
  /** Above the pictures. */
  readonly key?: Markup | null;
  readonly keyBelow?: Markup | null;
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
export const noName = '(none)';

/** Both pictures: an image to a listener, who hears what it states and where its figures are. */
export function figureMarkup(chart: Chart, { section, id }: ChartScope): Markup {
  const statement = section.finding ?? section.description;
  const label = `${/[.!?]$/u.test(statement) ? statement : `${statement}.`} The table holds its figures.`;
  const picture = (name: keyof typeof drawnWidths) => {
    const width = drawnWidths[name];
    const frame = { isNarrow: name === 'narrow', width, id: `${id}-${name}` };
    const { height, marks } = chart.draw(frame);
    return markup`<svg class="${name}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${cleanAttribute(label)}">${marks}</svg>\n`;
  };
  return markup`<figure>
${chart.key ?? null}${picture('wide')}${picture('narrow')}${chart.keyBelow ?? null}</figure>
`;
}

/** What the drawing leaves to the table. */
export function leftOutNotes(shown: number, all: number): string[] {
  if (all <= shown) return [];
  return [`The first ${shown} are drawn; ${all - shown} more are in the table.`];
}

/** @param drawn of `all` rows of this kind: the others have no value that could be drawn */
export function missingNotes(drawn: number, all: number, kind: 'rows' | 'parts'): string[] {
  const missing = all - drawn;
  if (missing === 0) return [];
  return [`${missing} of ${all} ${kind} ${missing === 1 ? 'is' : 'are'} in the table alone.`];
}

/** `Likes` is `likes` within a sentence, but `EMV` and `Bo Bielak` stay as they are. */
export function inSentence(label: string): string {
  const isWord = /^\p{Lu}\p{Ll}/u.test(label) && !/\s\p{Lu}/u.test(label);
  return isWord ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

type Period = PageContext['document']['period'];

/** The names of the period and of the one before it: by their year, their months or their days. */
export function periodNames({ document, words, formatter }: PageContext): {
  readonly now: string;
  readonly previous: string | null;
} {
  const { period, previousPeriod } = document;
  /** `Nov 2024 to Oct 2025`, for whole months. */
  const monthsName = ({ from, to }: Period) => {
    const isWhole = from?.endsWith('-01') === true && to !== null && addDays(to, 1).endsWith('-01');
    return isWhole
      ? `${formatter.format(from, 'month')} to ${formatter.format(to, 'month')}`
      : null;
  };
  const nameOf = (each: Period) =>
    words.periodName(each) ?? monthsName(each) ?? words.period(each, 'short');
  return { now: nameOf(period), previous: previousPeriod && nameOf(previousPeriod) };
}

interface KeyParts {
  readonly hasPrevious: boolean;
  readonly hasYoung?: boolean;
  readonly mark?: 'bar' | 'line';
  /** Words of the chart's own. */
  readonly extra?: string | null;
}

/** A key for what cannot be named on its mark: the previous period, and what is not final. */
export function periodKey(
  { hasPrevious, hasYoung = false, mark = 'bar', extra = null }: KeyParts,
  { context, id }: ChartScope,
): Markup | null {
  const { now, previous } = periodNames(context);
  const showsPrevious = hasPrevious && previous !== null;
  if (!showsPrevious && !hasYoung && extra === null) return null;
  const box = { left: 0.5, top: 0.5, width: 9, height: 11 };
  const line = (look: string) => swatch(24, rules([[0, 6, 24, 6]], look));
  const own = mark === 'bar' ? swatch(10, bars([box], 'bar')) : line('line c1');
  const before = line(mark === 'bar' ? 'tick' : 'line before');
  const young = markup`${hatch(`${id}-key`, 'young')}${bars([box], 'young', `${id}-key`)}`;
  return markup`<p class="key">${showsPrevious && markup`<span>${before}${previous}</span><span>${own}${now}</span>`}${hasYoung && markup`<span>${swatch(10, young)}${showsPrevious && `${now}, `}not final</span>`}${extra !== null && markup`<span>${extra}</span>`}</p>
`;
}

/** What a key shows beside its words. */
export function swatch(width: number, drawn: Markup | null): Markup {
  return markup`<svg width="${width}" height="12" aria-hidden="true">${drawn}</svg>`;
}
