import { max, min } from 'd3-array';
import { scaleBand, scaleLinear } from 'd3-scale';
import type { MonthBar } from './month-series.ts';

/** Where the bars of one drawing stand, in px. */
export interface BarPlot {
  readonly left: (bar: MonthBar) => number;
  readonly barWidth: number;
  /** From one bar to the next. */
  readonly step: number;
  /** From the first bar's room to the last one's. */
  readonly width: number;
  readonly y: (value: number) => number;
  /** Three to five round values for grid lines. */
  readonly ticks: readonly number[];
  readonly bottom: number;
}

/** A few bars stand at the left rather than grow broad. */
const maxStep = 100;
const top = 26;
const plotHeight = 170;

export function layOutBars(bars: readonly MonthBar[], width: number): BarPlot {
  const used = Math.min(width, bars.length * maxStep);
  const band = scaleBand(
    bars.map(({ month }) => month),
    [0, used],
  );
  const isDense = used / bars.length < 12;
  band.paddingInner(isDense ? 0.15 : 0.275).paddingOuter(isDense ? 0.075 : 0.1375);
  const values = bars.flatMap(({ value, previous }) => [value ?? 0, previous ?? 0]);
  const low = Math.min(0, min(values) ?? 0);
  const high = Math.max(0, max(values) ?? 0);
  const y = scaleLinear([low, low === high ? 1 : high], [top + plotHeight, top]);
  return {
    left: ({ month }) => band(month) ?? 0,
    barWidth: band.bandwidth(),
    step: band.step(),
    width: used,
    y,
    ticks: y.ticks(4),
    // Figures of negative bars stand below them.
    bottom: top + plotHeight + (low < 0 ? 18 : 0),
  };
}
