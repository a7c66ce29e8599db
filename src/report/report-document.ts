import type { Brand, ClientConfig, ReaderCopy } from '../config/config.ts';
import type { Day } from '../core/calendar.ts';
import {
  type Cell,
  type ColumnFormat,
  type Formatter,
  type Precision,
  isFormat,
} from '../languages/number-format.ts';
import type { Language } from '../languages/phrases.ts';
import type { ChartDefinition } from './chart-schema.ts';
import type { Calculation, SectionDefinition } from './definition-schema.ts';

export { drawnColumns } from './chart-schema.ts';
export type { Calculation } from './definition-schema.ts';
export type { Cell, ColumnFormat } from '../languages/number-format.ts';

export interface ReportColumn {
  /** The column's name in the section's SQL, in CSV and in JSON. */
  readonly name: string;
  /** The header that people read. */
  readonly title: string;
  readonly format: ColumnFormat;
  /** One sentence that explains a null. Null if there can be no nulls or they need no explanation. */
  readonly nullNote: string | null;
  /** True if the HTML shows the column. CSV, JSON and XLSX have it in any case. */
  readonly isInHtml: boolean;
  /** True if the column stays visible beside the key on narrow screens. */
  readonly isPrimary: boolean;
  /** The column that is true in rows whose difference has a colour. By default all have one. */
  readonly coloredWhere?: string;
  /** The index of the column that has the format of each row. By default all have that of the column. */
  readonly formatIndex?: number;
  /** How the cells follow from other columns of their rows. Null if they follow from none. */
  readonly calculation: Calculation | null;
  /** The figures of a change. Absent in other columns. */
  readonly change?: ChangedFigures;
}

/** The column indexes of a row's figure and of the one that it changed from, with that one's format, and the least that it may be. */
interface ChangedFigures {
  readonly of: number;
  readonly from: number;
  readonly format: ColumnFormat;
  readonly formatIndex?: number;
  readonly least: number;
}

/** A column as it is in a row. */
export interface RowColumn extends ReportColumn {
  /** The figure that stands in place of a change from little. */
  readonly base?: { readonly cell: Cell; readonly format: ColumnFormat };
}

/** Returns the column with the format that it has in a row. */
export function columnIn<Column extends Pick<ReportColumn, 'format' | 'formatIndex'>>(
  column: Column,
  row: readonly Cell[],
): Column {
  const format = String(row[column.formatIndex ?? -1]);
  return isFormat(format) ? { ...column, format } : column;
}

/** Returns a cell as people read it, with its column. The data have the change of a rate as a share, people read points. */
export function cellIn(
  column: ReportColumn,
  row: readonly Cell[],
  index: number,
): { readonly column: RowColumn; readonly cell: Cell } {
  const cell = row[index] ?? null;
  const { change } = column;
  const own = columnIn(column, row);
  if (change === undefined || cell === null) return { column: own, cell };
  const [now, before] = [Number(row[change.of]), Number(row[change.from])];
  const { format } = columnIn(change, row);
  if (changesInPoints(format)) return { column: { ...own, format: 'pp' }, cell: now - before };
  const isBase = isFromLittle(now, before, change.least);
  return { column: isBase ? { ...own, base: { cell: before, format } } : own, cell };
}

/** Rates change by points, everything else by per cent. */
export function changesInPoints(format: ColumnFormat): boolean {
  return format === 'rate' || format === 'share' || format === 'pp';
}

/**
 * Tells whether a change says less than what it is from: it is over +999%, or from less than `least`, a tenth of the median
 * of the figures beside it.
 */
export function isFromLittle(now: number, before: number, least = 0): boolean {
  return before > 0 && (now / before - 1 > 9.99 || before < least);
}

/** The columns and rows of a section in its own order, which every renderer takes. */
export interface ReportTable {
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /**
   * The rows for exact formats where they differ: a decimal with more digits than a number can hold is a
   * text, and words are as the SQL gives them.
   */
  readonly exactRows?: readonly (readonly Cell[])[];
}

/** A chart as defined in report.yaml. It names columns of its own section, or of the section `rows`. */
export type ChartSpec = ChartDefinition;

export interface ReportSection extends ReportTable {
  /** The name of the SQL file without `.sql`, of the CSV file and of the sheet. */
  readonly name: string;
  /** The number of rows in all. Absent if the document has all of them. */
  readonly rowCount?: number;
  /** The short title, used in the page's navigation and on the sheet's tab. */
  readonly title: string;
  /** The sentence from `<section>.finding.sql`. If it is null, the description comes first. */
  readonly finding: string | null;
  /** One line that says what is shown, and in which unit. */
  readonly description: string;
  /** The basis of the section, for example `n = 406 posts with EMV`. Null if it is obvious. */
  readonly basis: string | null;
  /**
   * The layout. `figures` shows a single row as pairs of label and value, `posts` is a table led by post
   * texts, and `data` is the data of another section's chart, folded under it.
   */
  readonly layout: SectionDefinition['layout'];
  /** True if the section supports the sections that answer the report's question instead of answering it. */
  readonly isAppendix: boolean;
  /** The text shown if there are no rows. Null for the usual text, that there are no posts. */
  readonly empty: string | null;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** The column that the rows are sorted by, descending; its header shows an arrow. Null if there is none. */
  readonly sortedBy: string | null;
  /** The total row, one cell for each column. Null if the rows cannot be totalled. */
  readonly total: { readonly label: string; readonly cells: readonly Cell[] } | null;
  readonly chart: ChartSpec | null;
  /** The sentences under the table: what was left out and why, or what adds up to more than 100 %. */
  readonly notes: readonly string[];
  /** The posts behind each row, by `postKey`; empty where they are not known. Absent if rows count no posts. */
  readonly rowPosts?: readonly (readonly string[])[];
}

/** A section of the data. */
export interface DataSection extends ReportSection {
  /** True if page, PDF and mail leave it out: no row has the figure that it is about, or enough posts to compare. */
  readonly isLeftOut?: boolean;
  /** True if the workbook leaves it out as well: all its rows are of one profile, or of the posts without a campaign or label. */
  readonly isOfOne?: boolean;
}

/** The price of a metric, in currency units. */
export interface OfferedPrice {
  /** The column of its count in sections. */
  readonly metric: string;
  readonly title: string;
  /** What the price is for: one, or a thousand. */
  readonly per: number;
  readonly price: number;
}

/** A key figure at the top of the page, with its value in the previous period. */
export interface ReportCard {
  readonly label: string;
  /** The name of the figure, such as `emv`, whatever the language. Null if it has none. */
  readonly figure: string | null;
  readonly format: ColumnFormat;
  readonly value: Cell;
  /** Null if there is no previous period (no dates were given) or if its value is not known. */
  readonly previous: Cell;
  /** The posts that a ratio is over, if these are not all, and how near its target is: `31 posts with EMV`. Null if neither is to be said. */
  readonly basis: string | null;
  /** The monthly values of the period, oldest first. Gaps are null. Empty for fewer than two months. */
  readonly trend: readonly (number | null)[];
  /** A note such as `not final`. It is usually null. */
  readonly note: string | null;
  /**
   * The figures of sections that have the value and the previous value. Null if none has.
   */
  readonly cell: FigureReference | null;
  readonly previousCell: FigureReference | null;
}

/** A figure of a section with a single row. */
export interface FigureReference {
  readonly section: string;
  readonly column: string;
}

/** The origin of a report's data and definition. */
interface ReportStamp {
  /** The newest run whose data the report can contain. Null if there is none. */
  readonly run: NewestRun | null;
  /** Twelve hexadecimal digits of a hash of its report.yaml, its SQL, and the views that these read. */
  readonly sqlHash: string;
}

export interface NewestRun {
  readonly runId: string;
  readonly job: string;
  /** ISO 8601 in UTC. Null if the run was still running or was interrupted. */
  readonly finishedAt: string | null;
}

/** An event that a client or a job has in jobs.yaml. */
export type TimeNote = ClientConfig['notes'][number];

/** A range of days of a profile that were not read, or were read only before they were over. */
export interface UnreadDays {
  readonly profile: string;
  readonly first_day: Day;
  readonly last_day: Day;
}

/**
 * A complete report that can be rendered in any format. It contains no creation time, so that the same data
 * give the same bytes.
 */
export interface ReportDocument {
  /** False if pages show a section in the place of the cards. By default they show the cards. */
  readonly showsCards?: boolean;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The kind of rows, for the words used if there are none. */
  readonly covers: 'posts' | 'removed posts' | 'videos' | 'readings';
  /** The days of the report in `timezone`. Both ends are inclusive; null means open. */
  readonly period: { readonly from: Day | null; readonly to: Day | null };
  /** The days of the period that are over and were not read. */
  readonly unreadDays: readonly UnreadDays[];
  /** The period of the same length before it. Null if `period` is open or nothing is compared. */
  readonly previousPeriod: { readonly from: Day; readonly to: Day } | null;
  /**
   * True if the posts of `previousPeriod` have the figures that they had at the present age of this period's
   * posts.
   */
  readonly isAtEqualAge: boolean;
  readonly timezone: string;
  readonly currency: string;
  readonly locale: string;
  /**
   * The language of all texts. The document's own texts are already translated; a renderer translates what it
   * adds.
   */
  readonly language: Language;
  readonly brand: Brand | null;
  /** The decimals of its figures, which all formats print alike. */
  readonly precision?: Precision;
  /** The sorted names of the profiles that the posts belong to. */
  readonly profiles: readonly string[];
  /** What tells it from the whole report, such as `campaign: Spring` or a CPM. The title ends in it. */
  readonly selection: readonly string[];
  /** What else narrows it, such as `removed posts only`. */
  readonly filters: readonly string[];
  /** The time of the newest reading, ISO 8601 in UTC. Null in an empty warehouse. */
  readonly dataAsOf: string | null;
  readonly stamp: ReportStamp;
  /** The first sentence of the lede if days of the period were not read. Null if all were read. */
  readonly headline: string | null;
  /** From which day the period was read, such as `from 12 October 2026`, where it is a part. Left out where it is whole. */
  readonly beginning?: string;
  /** What its sender wrote about it, as Markdown. Null if there is nothing. */
  readonly comment: string | null;
  /** What its reader gets of it: sections, appendix and paper. Left out: all of it, on the paper of its locale. */
  readonly copy?: ReaderCopy;
  /** Events that are marked in charts over time, by day. */
  readonly notes: readonly TimeNote[];
  /** One or two sentences with at most one figure in `**bold**`. Null if the report has none. */
  readonly lede: string | null;
  /** True if page, PDF and mail show the lede in place of cards, sections and definitions. */
  readonly isLedeAlone?: boolean;
  readonly cards: readonly ReportCard[];
  /** What the key figures are, a text each, such as `EMV: impressions ÷ 1,000 × a CPM of €30`. */
  readonly terms?: readonly { readonly figure: string; readonly text: string }[];
  /** The coverage in figures, for example `['412 posts', '3 videos not synced', '2 removed, EMV 118.20 left out']`. */
  readonly coverage: readonly string[];
  /** The days that were not read, and the loaded data that look wrong. All formats put them with the coverage. */
  readonly caveats: readonly string[];
  readonly sections: readonly DataSection[];
  /** The names of the sections that the workbook prices again at other prices. */
  readonly whatIf: readonly string[];
  /** The prices of the report that the workbook offers to change. Absent if it offers none. */
  readonly prices?: {
    readonly cells: readonly OfferedPrice[];
    /** This period and the one that it is compared with, with a count for each price. Empty without price lists. */
    readonly periods: readonly {
      readonly label: string;
      readonly counts: readonly (number | null)[];
      readonly emv: number | null;
    }[];
  };
  readonly definitions: readonly { readonly term: string; readonly text: string }[];
}

/**
 * Returns the text for an empty result in the words of the requested period. It says that there is nothing
 * only if all days were read.
 */
export function emptyWords(
  { period, covers, headline }: Pick<ReportDocument, 'period' | 'covers' | 'headline'>,
  { say }: Pick<Formatter, 'say'>,
): string {
  const isOpen = period.from === null && period.to === null;
  const things = covers === 'readings' ? 'posts' : covers;
  if (headline !== null) return say('No {things:phrase} are known yet.', { things });
  return say(isOpen ? 'No {things:phrase}.' : 'No {things:phrase} in this period.', { things });
}

/**
 * Returns a section as people read it: of one whose rows are sentences, the rows that have one. Data files have all.
 */
export function saidSection<Section extends ReportSection>(section: Section): Section {
  const { layout, columns, rows, exactRows } = section;
  const at = columns.findIndex(({ name }) => name === 'text');
  if (layout !== 'sentences' || at < 0) return section;
  const isSaid = (_: unknown, index: number) => (rows[index]?.[at] ?? null) !== null;
  return {
    ...section,
    rows: rows.filter(isSaid),
    ...(exactRows && { exactRows: exactRows.filter(isSaid) }),
  };
}

/** Returns the text by which the rows of sections name a post. */
export function postKey(workspace: Cell | undefined, id: Cell | undefined): string {
  return `${String(workspace ?? '')} ${String(id ?? '')}`;
}

/** Tells whether the rows of a section are posts, each once. */
export function isPostList({ layout, key }: Pick<ReportSection, 'layout' | 'key'>): boolean {
  return layout === 'posts' && key.join(' ') === 'workspace linkedin_post_id';
}

/** The rows that a section's chart draws: its own, or those of the section of layout `data` that it names. */
export function chartTable(
  section: ReportSection,
  document: Pick<ReportDocument, 'sections'>,
): ReportTable {
  const source = section.chart?.rows ?? null;
  if (source === null) return section;
  return document.sections.find(({ name }) => name === source) ?? section;
}
