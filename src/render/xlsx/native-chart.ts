/** Cells that a chart draws, with what they hold, for readers that compute nothing. */
export interface ChartCells {
  /** For example `'by_month'!$D$5:$D$16`, or several such in brackets. */
  readonly formula: string;
  /** Null: an empty cell, where nothing is drawn. */
  readonly values: readonly (number | string | null)[];
  /** A number format; null for text. */
  readonly format: string | null;
}

/** Colours as RRGGBB. */
export interface SeriesLook {
  readonly color: string;
  /** `bar`: filled; `hatch`: filled in stripes; `outline`: hollow; `line`: with a mark at each value when `mark` is given; `marks`: marks alone. */
  readonly kind: 'bar' | 'hatch' | 'outline' | 'line' | 'marks';
  readonly dash?: 'solid' | 'dash' | 'sysDot' | 'dashDot' | 'lgDash';
  readonly mark?: 'circle' | 'square' | 'triangle' | 'diamond' | 'x' | 'dash';
}

export interface ChartSeries {
  readonly name: { readonly formula: string; readonly text: string };
  readonly categories: ChartCells;
  readonly values: ChartCells;
  readonly look: SeriesLook;
  /** Bars that are drawn in a colour of their own: index and RRGGBB. */
  readonly painted?: readonly { readonly index: number; readonly color: string }[];
}

/** A chart as a workbook draws it by itself from cells. */
export interface NativeChart {
  /**
   * `columns`: upright bars side by side; `bars`: lying ones; `parts`: lying ones of 100 %; `lines`: over
   * shared categories; `scatter`: each series over numbers of its own.
   */
  readonly kind: 'columns' | 'bars' | 'parts' | 'lines' | 'scatter';
  /** Series whose look is `marks` are drawn over the bars; one whose look is `hatch`, over the one before it. */
  readonly series: readonly ChartSeries[];
  /** Of the values; categories have the format of their cells. */
  readonly format: string;
  /** Whether each bar has its value beside it, which spares the axis of values. */
  readonly hasValues?: boolean;
  /** In centimetres. */
  readonly height?: number;
  /** Says in words what is drawn. */
  readonly label: string;
}

/** What a kind of chart makes of a section's rows. */
export type DrawnChart = Omit<NativeChart, 'label'>;
