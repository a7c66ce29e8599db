import type { Brand, CpmBand } from '../config/config.ts';
import type { Day } from '../core/calendar.ts';
import type { Cell, ColumnFormat } from '../core/number-format.ts';

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
}

/** Typed columns and rows in the section's own order: what every renderer takes. */
export interface ReportTable {
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

/** `bars`: one bar a row of `x` (a month) with `y` its height. `heatmap`: `y` by weekday and hour with `n`. */
export type ChartSpec =
  | {
      readonly kind: 'bars';
      readonly x: string;
      readonly y: string;
      readonly previous: string | null;
    }
  | {
      readonly kind: 'heatmap';
      readonly row: string;
      readonly column: string;
      readonly value: string;
      readonly n: string;
      /** Cells with fewer are hatched with their number and get no colour. */
      readonly minimum: number;
    };

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
  /** `table`; `figures`: a single row, shown as label and value pairs; `posts`: a table led by post texts. */
  readonly layout: 'table' | 'figures' | 'posts';
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
}

/** A whole report, ready to be written in any format. It holds no time of its making: same data, same bytes. */
export interface ReportDocument {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What its rows are, for where there are none. */
  readonly covers: 'posts' | 'removed posts';
  /** Days of `timezone`, both inclusive; null: open. */
  readonly period: { readonly from: Day | null; readonly to: Day | null };
  /** The period of the same length before it; null when `period` is open, or nothing is compared. */
  readonly previousPeriod: { readonly from: Day; readonly to: Day } | null;
  readonly timezone: string;
  readonly currency: string;
  readonly locale: string;
  readonly brand: Brand | null;
  readonly cpmBand: CpmBand | null;
  /** Names of the profiles that the posts belong to, sorted. */
  readonly profiles: readonly string[];
  /** The filters given, for example `['campaign: Spring']`; empty when there are none. */
  readonly filters: readonly string[];
  /** When the newest reading was taken, ISO 8601 in UTC; null in an empty warehouse. */
  readonly dataAsOf: string | null;
  /** One or two sentences with `**bold**` around at most one figure; null when there are no posts. */
  readonly lede: string | null;
  readonly cards: readonly ReportCard[];
  /** For example `['412 posts', '3 videos not synced', '2 removed, EMV 118.20 left out']`. */
  readonly coverage: readonly string[];
  readonly sections: readonly ReportSection[];
  readonly definitions: readonly { readonly term: string; readonly text: string }[];
}
