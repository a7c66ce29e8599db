import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolTriangle,
} from 'd3-shape';
import { markup, type Markup } from '../markup.ts';
import { tenth } from '../text-width.ts';
import { linePath, pointPath } from './line-path.ts';
import type { LinePlot } from './line-plot.ts';
import { lastPoint, type LineSeries } from './line-series.ts';

const shapes = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolCross];

/** The category's shape; the last one has none. */
export function endMark(category: LineSeries['category'], x: number, y: number): Markup | null {
  const shape = shapes[category - 1];
  if (!shape) return null;
  const path = symbol(shape, 42)() ?? '';
  return markup`<path class="mark c${category}" transform="translate(${tenth(x)} ${tenth(y)})" d="${path}"/>`;
}

/** The period before below, then the others, then the lines that have a name. */
export function lineMarks(
  series: readonly LineSeries[],
  plot: LinePlot,
  isStepped: boolean,
): Markup {
  const sorted = series.toSorted((a, b) => Number(b.isOther) - Number(a.isOther));
  const previous = series.flatMap((line) => line.previous);
  return markup`${strokes(previous, { look: 'before', plot, isStepped, name: null })}${sorted.map((line) => strokes(line.stretches, { look: `c${line.category}`, plot, isStepped, name: line.isOther ? null : line.name }))}${sorted.map(
    (line) => {
      const end = lastPoint(line.stretches);
      return end && !line.isOther
        ? endMark(line.category, plot.x(end.at), plot.y(end.value))
        : null;
    },
  )}`;
}

function strokes(
  stretches: LineSeries['stretches'],
  {
    look,
    plot,
    isStepped,
    name,
  }: { look: string; plot: LinePlot; isStepped: boolean; name: string | null },
): Markup {
  const line = linePath(stretches, plot, isStepped);
  const points = pointPath(stretches, plot);
  const title = name !== null && markup`<title>${name}</title>`;
  return markup`${line !== '' && markup`<path class="line ${look}" d="${line}">${title}</path>`}${points !== '' && markup`<path class="point ${look}" d="${points}"/>`}`;
}
