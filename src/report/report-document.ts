import type { Brand, CpmBand } from '../config/config.ts';
import type { Day } from '../core/calendar.ts';
import type { Cell, ColumnFormat, Formatter } from '../core/number-format.ts';
import type { Language } from '../core/phrases.ts';
import type { ChartDefinition } from './chart-schema.ts';
import type { Calculation, SectionDefinition } from './definition-schema.ts';

export type { Calculation } from './definition-schema.ts';
export type { Cell, ColumnFormat } from '../core/number-format.ts';

export interface ReportColumn {
  /** As in the section's SQL and in CSV and JSON. */
  readonly name: string;
  /** The head that people read. */
  readonly title: string;
  readonly format: ColumnFormat;
  /** One sentence about what a null in it means; null where nulls cannot be or need no word. */
  readonly nullNote: string | null;
  /**
   * Where people see the column: everywhere; or not in the HTML (whole texts, ids), where
   * CSV, JSON and XLSX still have it.
   */
  readonly isInHtml: boolean;
  /** Kept on narrow screens beside the key. */
  readonly isPrimary: boolean;
  /** How a workbook computes the cells again; null: they are as given. */
  readonly calculation: Calculation | null;
}

/** Typed columns and rows in the section's own order: what every renderer takes. */
export interface ReportTable {
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /**
   * The same rows for exact formats, where these differ: a decimal of more digits than a number can hold as text,
   * words as the SQL gives them.
   */
  readonly exactRows?: readonly (readonly Cell[])[];
}

/** A chart as report.yaml asks for it: names of columns of its section, or of the section `rows`. */
export type ChartSpec = ChartDefinition;

export interface ReportSection extends ReportTable {
  /** The SQL file's name without `.sql`; the CSV's and the sheet's. */
  readonly name: string;
  /** Short: in the rail and on the sheet's tab. */
  readonly title: string;
  /** A sentence that the data carry, from `<section>.finding.sql`; null: the description leads. */
  readonly finding: string | null;
  /** One line: what is shown, in which unit. */
  readonly description: string;
  /** What the section rests on, for example `n = 406 posts with EMV`; null when it goes without saying. */
  readonly basis: string | null;
  /**
   * `table`; `figures`: a single row, shown as label and value pairs; `posts`: a table led by post texts;
   * `data`: what another section's chart draws, folded under it.
   */
  readonly layout: SectionDefinition['layout'];
  /** Whether it backs up the sections that answer the report's question, instead of answering it. */
  readonly isAppendix: boolean;
  /** The text where there are no rows; null: that there are no posts. */
  readonly empty: string | null;
  /** Columns that identify a row. */
  readonly key: readonly string[];
  /** The column that the rows are sorted by, descending, for the arrow in its head; null elsewhere. */
  readonly sortedBy: string | null;
  /** The row under the table, one cell a column; null when rows cannot be totalled. */
  readonly total: { readonly label: string; readonly cells: readonly Cell[] } | null;
  readonly chart: ChartSpec | null;
  /** Sentences under the table: what was left out and why, what adds up to more than 100 %. */
  readonly notes: readonly string[];
}

/** A figure at the head of the page, with that of the previous period of the same length. */
export interface ReportCard {
  readonly label: string;
  readonly format: ColumnFormat;
  readonly value: Cell;
  /** Null when there is no previous period (no dates were given) or nothing is known of it. */
  readonly previous: Cell;
  /** By month of the period, oldest first; gaps are null; empty when there are fewer than two months. */
  readonly trend: readonly (number | null)[];
  /** For example `not final`; null as a rule. */
  readonly note: string | null;
  /** Where the value and the previous one are among the sections' figures; null: nowhere. */
  readonly cell: FigurePlace | null;
  readonly previousCell: FigurePlace | null;
}

/** A figure of a section with a single row. */
export interface FigurePlace {
  readonly section: string;
  readonly column: string;
}

/** The cell of a workbook that its reader may change. */
export interface ReportInput extends FigurePlace {
  /** Of the cell in the workbook. */
  readonly name: string;
  readonly title: string;
  readonly format: ColumnFormat;
  readonly value: number;
  readonly help: string;
}

/** What a report was made of. */
interface ReportStamp {
  /** The newest run whose data it can have; null: there is none. */
  readonly run: NewestRun | null;
  /** Twelve hexadecimal digits: of its report.yaml, its SQL, and the views that these read. */
  readonly sqlHash: string;
}

export interface NewestRun {
  readonly runId: string;
  readonly job: string;
  /** ISO 8601 in UTC; null: it was under way, or was cut off. */
  readonly finishedAt: string | null;
}

/** Days of a profile that were not read, or not after they were over. */
export interface UnreadDays {
  readonly profile: string;
  readonly first_day: Day;
  readonly last_day: Day;
}

/** A whole report, ready to be written in any format. It holds no time of its making: same data, same bytes. */
export interface ReportDocument {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What its rows are, for where there are none. */
  readonly covers: 'posts' | 'removed posts' | 'readings';
  /** Days of `timezone`, both inclusive; null: open. */
  readonly period: { readonly from: Day | null; readonly to: Day | null };
  /** The days of it that are over and were not read. */
  readonly unreadDays: readonly UnreadDays[];
  /** The period of the same length before it; null when `period` is open, or nothing is compared. */
  readonly previousPeriod: { readonly from: Day; readonly to: Day } | null;
  /** Whether the posts of `previousPeriod` are taken as they were at the age that these posts have now. */
  readonly isAtEqualAge: boolean;
  readonly timezone: string;
  readonly currency: string;
  readonly locale: string;
  /** Of all its texts: what the document says is in it already, what a renderer adds is translated by it. */
  readonly language: Language;
  readonly brand: Brand | null;
  readonly cpmBand: CpmBand | null;
  /** Names of the profiles that the posts belong to, sorted. */
  readonly profiles: readonly string[];
  /** The filters given, for example `['campaign: Spring']`; empty when there are none. */
  readonly filters: readonly string[];
  /** When the newest reading was taken, ISO 8601 in UTC; null in an empty warehouse. */
  readonly dataAsOf: string | null;
  readonly stamp: ReportStamp;
  /** The sentence that the lede begins with where days of the period were not read; null: all were. */
  readonly headline: string | null;
  /** One or two sentences with `**bold**` around at most one figure; null: the report has none. */
  readonly lede: string | null;
  readonly cards: readonly ReportCard[];
  /** For example `['412 posts', '3 videos not synced', '2 removed, EMV 118.20 left out']`. */
  readonly coverage: readonly string[];
  readonly sections: readonly ReportSection[];
  /** Null: the report has none, or its value is not known. */
  readonly input: ReportInput | null;
  readonly definitions: readonly { readonly term: string; readonly text: string }[];
}

/** Where nothing was found, in the words of the period that was asked for: that there is nothing only if all was read. */
export function emptyWords(
  { period, covers, headline }: Pick<ReportDocument, 'period' | 'covers' | 'headline'>,
  { say }: Pick<Formatter, 'say'>,
): string {
  const isOpen = period.from === null && period.to === null;
  if (covers === 'removed posts') {
    if (headline !== null) return say('No removed posts are known yet.');
    return say(isOpen ? 'No removed posts.' : 'No removed posts in this period.');
  }
  if (headline !== null) return say('No posts are known yet.');
  return say(isOpen ? 'No posts.' : 'No posts in this period.');
}

/** The rows that a section's chart draws: its own, or those of the section of layout `data` that it names. */
export function chartTable(section: ReportSection, document: ReportDocument): ReportTable {
  const source = section.chart?.rows ?? null;
  if (source === null) return section;
  return document.sections.find(({ name }) => name === source) ?? section;
}
