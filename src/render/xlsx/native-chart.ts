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

export const barColor = '1A76C4';
const inkColor = '15191F';
const white = 'FFFFFF';

/** Of series side by side: colour, dash and mark tell them apart, never colour alone. */
export const categoryLooks: readonly SeriesLook[] = [
  { color: '1A76C4', kind: 'line', dash: 'solid', mark: 'circle' },
  { color: 'DE5F0B', kind: 'line', dash: 'dash', mark: 'square' },
  { color: '0B3B3A', kind: 'line', dash: 'sysDot', mark: 'triangle' },
  { color: '8C319B', kind: 'line', dash: 'dashDot', mark: 'diamond' },
  { color: '5C4D06', kind: 'line', dash: 'lgDash', mark: 'x' },
  { color: '7B8491', kind: 'line', dash: 'solid' },
];

/** Of what may still change, within the bar that it is a part of. */
export const notFinalBar: SeriesLook = { color: barColor, kind: 'hatch' };
/** Of the period before: ink dashes without a line. */
export const previousMarks: SeriesLook = { color: inkColor, kind: 'marks', mark: 'dash' };
export const previousLine: SeriesLook = { color: '7B8491', kind: 'line', dash: 'dash' };

const dark = [0x0a, 0x37, 0x63] as const;
const light = [0xd3, 0xe4, 0xf2] as const;

/** Parts of a whole in one hue, from dark to light. */
export function partLook(index: number, count: number): SeriesLook {
  const way = count < 2 ? 0 : index / (count - 1);
  const color = dark
    .map((from, channel) => Math.round(from + way * ((light[channel] ?? from) - from)))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('');
  return { color: color.toUpperCase(), kind: 'bar' };
}

/** Of all that a chart writes. */
export const textProperties = `<a:defRPr sz="900"><a:solidFill><a:srgbClr val="434B57"/></a:solidFill><a:latin typeface="Arial"/></a:defRPr>`;

export const lineColors = { grid: 'DDE1E6', axis: '8A929D', white } as const;
