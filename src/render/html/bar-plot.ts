import { max, min } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { Bar } from './bar-series.ts';
import { gridTicks } from './charts/value-grid.ts';

/** Where the bars of one drawing stand, in px. */
export interface BarPlot {
  /** Of the bar at this place in the series. */
  readonly left: (index: number) => number;
  readonly barWidth: number;
  /** From one bar to the next. */
  readonly step: number;
  /** To the end of the last bar's room. */
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

/** @param gutter px at the left that bars leave to the labels of an axis */
export function layOutBars(bars: readonly Bar[], width: number, gutter = 0): BarPlot {
  const used = Math.min(width - gutter, bars.length * maxStep);
  const step = used / bars.length;
  const barWidth = step * (step < 12 ? 0.85 : 0.725);
  const [low, high] = valueRange(bars);
  const y = scaleLinear([low, high], [top + plotHeight, top]);
  return {
    left: (index) => gutter + index * step + (step - barWidth) / 2,
    barWidth,
    step,
    width: gutter + used,
    y,
    ticks: gridTicks([low, high]),
    // Figures of negative bars stand below them.
    bottom: top + plotHeight + (low < 0 ? 18 : 0),
  };
}

/** From 0, whatever the values; 0 to 1 where all of them are 0. */
export function valueRange(bars: readonly Pick<Bar, 'value' | 'previous'>[]): [number, number] {
  const values = bars.flatMap(({ value, previous }) => [value ?? 0, previous ?? 0]);
  const low = Math.min(0, min(values) ?? 0);
  const high = Math.max(0, max(values) ?? 0);
  return low === high ? [0, 1] : [low, high];
}
