import { max } from 'd3-array';
import { compactWriter } from '../chart-numbers.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, tenth, textWidth } from '../text-width.ts';
import { distinctNames } from './distinct-names.ts';
import { endMark } from './line-marks.ts';
import type { LinePlot } from './line-plot.ts';
import { lastPoint, type LineSet, type LineSeries, type Point } from './line-series.ts';
import { periodNames } from './period-key.ts';

/** What names a line: at its end on a wide page, below the plot on a narrow one. */
export interface LineLabel {
  readonly name: string | null;
  /** Its last value, and the posts that it rests on. */
  readonly figure: string;
  readonly end: Point;
  readonly category: LineSeries['category'];
  readonly isPrevious: boolean;
}

const leastDistance = 34;
const maxNameWidth = 240;
/** Names of periods beyond this take more room than they are worth. */
const maxPeriodWidth = 168;
/** From the plot to its labels. */
const labelGap = 14;

export function lineLabels(set: LineSet, context: PageContext): LineLabel[] {
  const write = compactWriter(set.columns.y.format, context);
  const names = shortNames(context);
  const isAlone = set.series.length === 1 && set.series[0]?.name === null;
  return set.series.flatMap((series) => {
    const end = lastPoint(series.stretches);
    if (!end || series.isOther) return [];
    const before = isAlone ? lastPoint(series.previous) : null;
    const { category } = series;
    const name = series.name ?? (before && names.previous !== null ? names.now : null);
    const figure = [write(end.value), ...(series.n === null ? [] : [postsText(series.n, context)])];
    return [
      { name, figure: figure.join(' · '), end, category, isPrevious: false },
      ...(before && names.previous !== null
        ? [{ name: names.previous, figure: write(before.value), end: before, category, isPrevious: true }] // prettier-ignore
        : []),
    ];
  });
}

/** Two dates with their years are longer than what they tell. */
function shortNames(context: PageContext): ReturnType<typeof periodNames> {
  const names = periodNames(context);
  const fits = (name: string | null) => nameWidth(name) <= maxPeriodWidth;
  if (fits(names.now) && fits(names.previous)) return names;
  return { now: 'this period', previous: names.previous === null ? null : 'before' };
}

function postsText(n: number, { formatter }: PageContext): string {
  return n === 1 ? '1 post' : `${formatter.format(n, 'count')} posts`;
}

/** Px that labels take at the right of the plot. */
export function labelRoom(labels: readonly LineLabel[]): number {
  const widths = labels.map(({ name, figure }) =>
    Math.max(nameWidth(name), textWidth(figure) * (name === null ? boldWidth : 1)),
  );
  return Math.min(max(widths) ?? 0, maxNameWidth) + labelGap;
}

function nameWidth(name: string | null): number {
  return name === null ? 0 : textWidth(name) * boldWidth;
}

/** At the right, as near to the end of their line as 34 px between them allow; a leader shows the way. */
export function besideMarkup(labels: readonly LineLabel[], plot: LinePlot): Markup {
  const sorted = labels.toSorted((a, b) => plot.y(a.end.value) - plot.y(b.end.value));
  const places = spread(
    sorted.map(({ end }) => plot.y(end.value)),
    [plot.top - 8, plot.bottom - 4],
  );
  const left = plot.width + labelGap;
  const names = namesOf(sorted, () => maxNameWidth);
  return markup`${sorted.map((label, index) => {
    const from = { x: plot.x(label.end.at), y: plot.y(label.end.value) };
    const y = places[index] ?? from.y;
    const bend = Math.abs(y - from.y) < 1 ? '' : `L${tenth(left - 4)} ${tenth(y)}`;
    const isShort = plot.width - from.x < 8 && bend === '';
    const leader = !isShort && markup`<path class="leader" d="M${tenth(from.x + 6)} ${tenth(from.y)}H${tenth(Math.max(plot.width, from.x + 6))}${bend}"/>`; // prettier-ignore
    return markup`${leader}${labelTexts(label, names[index] ?? '', { x: left, y })}`;
  })}`;
}

/** As much of each as has room, and no two alike. */
function namesOf(labels: readonly LineLabel[], roomOf: (label: LineLabel) => number): string[] {
  const names = labels.map(({ name }) => name ?? '');
  return distinctNames(names, labels.map((label) => roomOf(label) / boldWidth)); // prettier-ignore
}

function labelTexts(label: LineLabel, name: string, { x, y }: { x: number; y: number }): Markup {
  const tone = label.isPrevious ? 'strong' : `strong tone c${label.category}`;
  if (label.name === null) {
    return markup`<text x="${x}" y="${tenth(y + 4)}" class="${tone}">${label.figure}</text>`;
  }
  return markup`<text x="${x}" y="${tenth(y)}" class="${tone} bidi">${name}</text><text x="${x}" y="${tenth(y + 15)}">${label.figure}</text>`;
}

/** Moved apart to the least distance, and back up from the foot of the plot. */
function spread(wanted: readonly number[], [low, high]: readonly [number, number]): number[] {
  const places: number[] = [];
  for (const want of wanted) {
    places.push(Math.max(want, low, (places.at(-1) ?? Number.NEGATIVE_INFINITY) + leastDistance));
  }
  let ceiling = high;
  for (let index = places.length - 1; index >= 0; index -= 1) {
    const place = Math.min(places[index] ?? ceiling, ceiling);
    places[index] = place;
    ceiling = place - leastDistance;
  }
  return places;
}

const rowHeight = 24;

export function legendHeight(labels: readonly LineLabel[]): number {
  return labels.length * rowHeight + 8;
}

/** Below the plot, in the order of the lines' ends: line and mark, name, and the figure at the right. */
export function belowMarkup(labels: readonly LineLabel[], plot: LinePlot): Markup {
  const sorted = labels.toSorted((a, b) => b.end.value - a.end.value);
  const names = namesOf(sorted, ({ figure }) => plot.width - 42 - textWidth(figure) - 12);
  return markup`${sorted.map((label, index) => {
    const y = plot.end + 16 + index * rowHeight;
    const look = label.isPrevious ? 'line before' : `line c${label.category}`;
    const tone = label.isPrevious ? 'strong' : `strong tone c${label.category}`;
    const mark = label.isPrevious ? null : endMark(label.category, 15, y);
    return markup`<path class="${look}" d="M0 ${y}h30"/>${mark}<text x="40" y="${y + 4.5}" class="${tone} bidi">${names[index] ?? ''}</text><text x="${plot.width}" y="${y + 4.5}" class="end">${label.figure}</text>`;
  })}`;
}
