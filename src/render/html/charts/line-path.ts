import { group, max, min } from 'd3-array';
import type { Point, Stretch } from './line-series.ts';

/** From the chart's values to px. */
export interface LineScales {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
}

/** In tenths of a px, whole: differences of such add up to where they should. */
interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Joined points, in steps that hold a value until the next one or straight; lone points are not in it. */
export function linePath(
  stretches: readonly Stretch[],
  scales: LineScales,
  isStepped: boolean,
): string {
  const paths = stretches
    .filter((stretch) => stretch.length > 1)
    .map((stretch) => {
      const spots = thinOut(stretch.map((point) => spotOf(point, scales)));
      return isStepped ? steps(spots) : straights(spots);
    });
  return paths.join('');
}

/** Dots for values between two gaps: a line has no length there. */
export function pointPath(stretches: readonly Stretch[], scales: LineScales): string {
  const lone = stretches.flatMap((stretch) => (stretch.length === 1 ? stretch : []));
  return lone
    .map((point) => {
      const { x, y } = spotOf(point, scales);
      return `M${x / 10} ${y / 10}h0`;
    })
    .join('');
}

function spotOf({ at, value }: Point, { x, y }: LineScales): Spot {
  return { x: Math.round(x(at) * 10), y: Math.round(y(value) * 10) };
}

/** Of more than four spots in one px the first, the lowest, the highest and the last: nobody sees others. */
function thinOut(spots: readonly Spot[]): Spot[] {
  const columns = group(spots, ({ x }) => Math.floor(x / 10));
  return [...columns.values()].flatMap((column) => {
    if (column.length <= 4) return column;
    const low = min(column, ({ y }) => y);
    const high = max(column, ({ y }) => y);
    const kept = [
      0,
      column.findIndex(({ y }) => y === low),
      column.findIndex(({ y }) => y === high),
      column.length - 1,
    ];
    return [...new Set(kept)].sort((a, b) => a - b).flatMap((index) => column[index] ?? []);
  });
}

function straights(spots: readonly Spot[]): string {
  return spots
    .map((spot, index) => {
      const before = spots[index - 1];
      if (!before) return start(spot);
      const dx = short(spot.x - before.x);
      const dy = short(spot.y - before.y);
      return `l${dx}${dy.startsWith('-') ? '' : ' '}${dy}`;
    })
    .join('');
}

function steps(spots: readonly Spot[]): string {
  const [first] = spots;
  if (!first) return '';
  let path = start(first);
  let drawn = first;
  for (const spot of spots) {
    if (spot.y === drawn.y) continue;
    path += `h${short(spot.x - drawn.x)}v${short(spot.y - drawn.y)}`;
    drawn = spot;
  }
  const end = spots.at(-1);
  return end && end.x > drawn.x ? `${path}h${short(end.x - drawn.x)}` : path;
}

function start({ x, y }: Spot): string {
  return `M${x / 10} ${y / 10}`;
}

/** Tenths as px, without a nought before the point. */
function short(tenths: number): string {
  return String(tenths / 10).replace(/^(-?)0\./u, '$1.');
}
