import { scaleLinear } from 'd3-scale';
import type { PageContext } from '../page-context.ts';
import type { LineScales } from './line-path.ts';
import { lineRange, type LineSet } from './line-series.ts';
import { gridTicks } from './value-grid.ts';
import { type XAxis, xAxis } from './x-ticks.ts';

/** Where the lines of one drawing stand, in px. */
export interface LinePlot extends LineScales {
  /** Of the plot; labels may stand at its right. */
  readonly width: number;
  readonly top: number;
  /** Of the least value, above the labels of the axis. */
  readonly bottom: number;
  readonly ticks: readonly number[];
  readonly axis: XAxis;
  /** Below the axis and its labels. */
  readonly end: number;
}

const top = 26;
const plotHeight = 210;
/** So that labels centred below the first and the last point stay in the picture. */
const inset = 18;

export function layOutLines(set: LineSet, width: number, context: PageContext): LinePlot {
  const range = lineRange(set);
  const margin = set.reader.kind === 'day' ? 0 : inset;
  const axis = xAxis(set.reader, set.places, width - 2 * margin, context);
  const bottom = top + plotHeight;
  return {
    x: scaleLinear(axis.domain, [margin, width - margin]),
    y: scaleLinear(range, [bottom, top]),
    width,
    top,
    bottom,
    ticks: gridTicks(range),
    axis,
    end: bottom + (axis.ticks.some(({ year }) => year !== null) ? 40 : 24),
  };
}
