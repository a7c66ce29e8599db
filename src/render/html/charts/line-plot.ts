import { scaleLinear } from 'd3-scale';
import type { PageContext } from '../page-context.ts';
import type { LineScales } from './line-path.ts';
import { lineRange, type LineSet, type Stretch } from './line-series.ts';
import { gridRoom, gridTicks } from './value-grid.ts';
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

/** Lines leave the left to the labels of the grid where they would run through them. */
export function layOutLines(set: LineSet, width: number, context: PageContext): LinePlot {
  const full = layOutFrom(0, set, width, context);
  const room = gridRoom(full.ticks, set.columns.y.format, context);
  return crossesLabels(set, full, room) ? layOutFrom(room, set, width, context) : full;
}

function layOutFrom(gutter: number, set: LineSet, width: number, context: PageContext): LinePlot {
  const range = lineRange(set);
  const margin = set.reader.kind === 'day' ? 0 : inset;
  const left = Math.max(gutter, margin);
  const axis = xAxis(set.reader, set.places, width - margin - left, context);
  const bottom = top + plotHeight;
  return {
    x: scaleLinear(axis.domain, [left, width - margin]),
    y: scaleLinear(range, [bottom, top]),
    width,
    top,
    bottom,
    ticks: gridTicks(range),
    axis,
    end: bottom + (axis.ticks.some(({ year }) => year !== null) ? 40 : 24),
  };
}

/** Whether what is drawn above the labels' width meets the height of one of them. */
function crossesLabels({ series }: LineSet, plot: LinePlot, room: number): boolean {
  const heights = plot.ticks.filter((tick) => tick !== 0).map((tick) => plot.y(tick));
  const crosses = (stretch: Stretch) => {
    const inside = stretch.filter(({ at }) => plot.x(at) < room);
    if (inside.length === 0) return false;
    const near = stretch.slice(0, inside.length + 1).map(({ value }) => plot.y(value));
    const [highest, lowest] = [Math.min(...near), Math.max(...near)];
    return heights.some((height) => lowest > height - 20 && highest < height + 2);
  };
  return series.some(({ stretches, previous }) => [...stretches, ...previous].some(crosses));
}
