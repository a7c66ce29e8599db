import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolTriangle,
} from 'd3-shape';
import type { ColumnFormat } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, cutToWidth, tenth, textWidth } from '../text-width.ts';
import { axisHeight, axisTexts } from './bars.ts';
import { columnNamed } from './chart-rows.ts';
import type { Chart, ChartScope, Drawing, Frame } from './figure.ts';
import {
  lastPoint,
  linePath,
  lineSeries,
  type LineSeries,
  type LinesSpec,
  type Point,
  type Scales,
  type Stretch,
} from './line-series.ts';
import { moveApart, rules, text } from './marks.ts';
import { periodKey, periodNames } from './period-key.ts';
import { createPlaceReader, placeAxis, type PlaceAxis, type PlaceReader } from './places.ts';
import { compactWriter, gridMarks, gridRoom, gridTicks, rangeFromZero } from './values.ts';

interface Lines {
  readonly spec: LinesSpec;
  readonly reader: PlaceReader;
  readonly series: readonly LineSeries[];
  readonly labels: readonly Label[];
  readonly format: ColumnFormat;
  readonly context: PageContext;
}

/** What names a line: at its end on a wide page, below the plot on a narrow one. */
interface Label {
  readonly name: string | null;
  /** Its last value, and the posts that it rests on. */
  readonly figure: string;
  readonly end: Point;
  readonly category: number;
  readonly isPrevious: boolean;
}

interface Plot extends Scales {
  readonly width: number;
  readonly bottom: number;
  readonly ticks: readonly number[];
  readonly axis: PlaceAxis;
}

/** More lines than these cover each other, even thin ones. */
const maxOther = 40;
const [top, plotHeight] = [26, 210];
/** So that labels centred below the first and the last point stay in the picture. */
const inset = 18;
const labelDistance = 34;
const [maxNameWidth, labelGap] = [240, 14];
/** Names of periods beyond this take more room than they are worth. */
const maxPeriodWidth = 168;
const legendRow = 24;

/** A line for each series, named at its end; null when no row has both a place and a value. */
export function linesChart(spec: LinesSpec, scope: ChartScope): Chart | null {
  const { table, context, id } = scope;
  const x = columnNamed(table, spec.x);
  const y = columnNamed(table, spec.y);
  if (!x || !y) return null;
  const reader = createPlaceReader(x, context);
  const all = lineSeries(spec, reader, scope);
  if (all.length === 0) return null;
  const others = all.filter(({ isOther }) => isOther);
  const hidden = new Set(others.slice(maxOther));
  const series = all.filter((line) => !hidden.has(line));
  const labels = labelsOf(series, compactWriter(y.format, context), context);
  const hasPrevious = series.some(({ name, previous }) => name !== null && previous.length > 0);
  return {
    key: periodKey({ hasPrevious, mark: 'line', id }, context),
    draw: (frame) => drawLines({ spec, reader, series, labels, format: y.format, context }, frame),
    showsAllValues: false,
    notes: otherNotes(others.length, hidden.size),
  };
}

function labelsOf(
  series: readonly LineSeries[],
  write: (value: number) => string,
  context: PageContext,
): Label[] {
  const [only] = series;
  const isAlone = series.length === 1 && only?.name === null;
  const names = shortNames(context);
  return series.flatMap(({ name, category, isOther, stretches, previous, n }) => {
    const end = lastPoint(stretches);
    if (!end || isOther) return [];
    const before = isAlone && names.previous !== null ? lastPoint(previous) : null;
    const posts =
      n === null ? [] : [n === 1 ? '1 post' : `${context.formatter.format(n, 'count')} posts`];
    const own = {
      name: name ?? (before && names.now),
      figure: [write(end.value), ...posts].join(' · '),
      end,
      category,
      isPrevious: false,
    };
    return before
      ? [
          own,
          {
            name: names.previous,
            figure: write(before.value),
            end: before,
            category,
            isPrevious: true,
          },
        ]
      : [own];
  });
}

/** Two dates with their years are longer than what they tell. */
function shortNames(context: PageContext): ReturnType<typeof periodNames> {
  const { now, previous } = periodNames(context);
  if (Math.max(textWidth(now), textWidth(previous ?? '')) <= maxPeriodWidth / boldWidth)
    return { now, previous };
  return { now: 'this period', previous: previous && 'before' };
}

function drawLines(lines: Lines, { isNarrow, width }: Frame): Drawing {
  const { labels, format, context } = lines;
  const isBelow = isNarrow && labels.some(({ name }) => name !== null);
  const plot = layOut(lines, isBelow ? width : width - labelRoom(labels));
  const end = plot.bottom + axisHeight(plot.axis);
  const names = isBelow ? namesBelow(labels, end, width) : namesBeside(labels, plot);
  const marks = plot.axis.labels.map(
    ({ place }) => [plot.x(place), plot.bottom, plot.x(place), plot.bottom + 5] as const,
  );
  const base = plot.y(0);
  return {
    height: end + (isBelow ? labels.length * legendRow + 8 : 0),
    marks: markup`${gridMarks(plot, format, context)}${rules([[0, base, plot.width, base], ...marks], 'axis')}${axisTexts(plot.axis, plot.x, { bottom: plot.bottom, right: plot.width })}${lineMarks(lines, plot)}${names}`,
  };
}

/** Lines leave the left to the labels of the grid where they would run through them. */
function layOut(lines: Lines, width: number): Plot {
  const { reader, series, format, context } = lines;
  const stretches = series.flatMap((line) => [...line.stretches, ...line.previous]);
  const points = stretches.flat();
  const range = rangeFromZero(points.map(({ value }) => value));
  const places = [...new Set(points.map(({ at }) => at))].sort((a, b) => a - b);
  const ticks = gridTicks(range);
  const bottom = top + plotHeight;
  const y = scaleLinear(range, [bottom, top]);
  const margin = reader.kind === 'day' ? 0 : inset;
  const scaleFrom = (left: number) =>
    scaleLinear([places[0] ?? 0, places.at(-1) ?? 0], [left, width - margin]);
  const room = gridRoom(ticks, format, context);
  const full = scaleFrom(margin);
  const isCrossed = stretches.some((stretch) =>
    crossesLabels(stretch, ticks, { x: full, y, room }),
  );
  const x = isCrossed ? scaleFrom(Math.max(room, margin)) : full;
  return { x, y, width, bottom, ticks, axis: placeAxis(reader, places, x, context) };
}

/** Whether what is drawn above the labels' width meets the height of one of them. */
function crossesLabels(
  stretch: Stretch,
  ticks: readonly number[],
  { x, y, room }: Scales & { room: number },
): boolean {
  const inside = stretch.filter(({ at }) => x(at) < room).length;
  if (inside === 0) return false;
  const near = stretch.slice(0, inside + 1).map(({ value }) => y(value));
  const [highest, lowest] = [Math.min(...near), Math.max(...near)];
  return ticks.some((tick) => tick !== 0 && lowest > y(tick) - 20 && highest < y(tick) + 2);
}

/** The period before below, then the others, then the lines that have a name. */
function lineMarks({ spec, series }: Lines, plot: Plot): Markup {
  const sorted = series.toSorted((a, b) => Number(b.isOther) - Number(a.isOther));
  const strokes = (stretches: readonly Stretch[], look: string, name: string | null) => {
    const line = linePath(stretches, plot, spec.steps);
    // A line has no length between two gaps.
    const lone = stretches
      .flatMap((stretch) => (stretch.length === 1 ? stretch : []))
      .map(({ at, value }) => `M${tenth(plot.x(at))} ${tenth(plot.y(value))}h0`);
    const title = name !== null && markup`<title>${name}</title>`;
    return markup`${line !== '' && markup`<path class="line ${look}" d="${line}">${title}</path>`}${lone.length > 0 && markup`<path class="point ${look}" d="${lone.join('')}"/>`}`;
  };
  const ends = sorted.map(({ stretches, category, isOther }) => {
    const end = lastPoint(stretches);
    return end && !isOther && endMark(category, plot.x(end.at), plot.y(end.value));
  });
  return markup`${series.map(({ previous }) => strokes(previous, 'before', null))}${sorted.map(({ stretches, category, name, isOther }) => strokes(stretches, `c${category}`, isOther ? null : name))}${ends}`;
}

const shapes = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolCross];

/** The category's shape; the last one has none. */
function endMark(category: number, x: number, y: number): Markup | null {
  const shape = shapes[category - 1];
  if (!shape) return null;
  return markup`<path class="mark c${category}" transform="translate(${tenth(x)} ${tenth(y)})" d="${symbol(shape, 42)() ?? ''}"/>`;
}

function labelRoom(labels: readonly Label[]): number {
  const widths = labels.flatMap(({ name, figure }) => [
    textWidth(name ?? '') * boldWidth,
    textWidth(figure) * (name === null ? boldWidth : 1),
  ]);
  return Math.min(max(widths) ?? 0, maxNameWidth) + labelGap;
}

/** At the right, as near to the end of their line as the distance between them allows; a leader shows the way. */
function namesBeside(labels: readonly Label[], plot: Plot): Markup {
  const sorted = labels.toSorted((a, b) => plot.y(a.end.value) - plot.y(b.end.value));
  const wanted = sorted.map(({ end }) => plot.y(end.value));
  const places = moveApart(
    wanted,
    wanted.map(() => labelDistance),
    [top - 8, plot.bottom - 4],
  );
  const left = plot.width + labelGap;
  const names = distinctNames(sorted, () => maxNameWidth);
  return markup`${sorted.map((label, index) => {
    const from = plot.x(label.end.at) + 6;
    const [wantedY = 0, y = 0] = [wanted[index], places[index]];
    const isMoved = Math.abs(y - wantedY) >= 1;
    const leader = `M${tenth(from)} ${tenth(wantedY)}H${tenth(Math.max(plot.width, from))}${isMoved ? `L${tenth(left - 4)} ${tenth(y)}` : ''}`;
    const hasLeader = isMoved || plot.width - from >= 2;
    const look = lookOf(label);
    return markup`${hasLeader && markup`<path class="leader" d="${leader}"/>`}${label.name === null ? text(left, y + 4, label.figure, look) : markup`${text(left, y, names[index] ?? '', `${look} bidi`)}${text(left, y + 15, label.figure)}`}`;
  })}`;
}

/** Below the plot, in the order of the lines' ends: line and mark, name, and the figure at the right. */
function namesBelow(labels: readonly Label[], from: number, width: number): Markup {
  const sorted = labels.toSorted((a, b) => b.end.value - a.end.value);
  const names = distinctNames(sorted, ({ figure }) => width - 42 - textWidth(figure) - 12);
  return markup`${sorted.map((label, index) => {
    const y = from + 16 + index * legendRow;
    const { category, isPrevious, figure } = label;
    return markup`${rules([[0, y, 30, y]], isPrevious ? 'line before' : `line c${category}`)}${isPrevious ? null : endMark(category, 15, y)}${text(40, y + 4.5, names[index] ?? '', `${lookOf(label)} bidi`)}${text(width, y + 4.5, figure, 'end')}`;
  })}`;
}

function lookOf({ isPrevious, category }: Label): string {
  return isPrevious ? 'strong' : `strong tone c${category}`;
}

/** Each cut to its room: at the end, or before its last word where that would make two alike. */
function distinctNames(labels: readonly Label[], roomOf: (label: Label) => number): string[] {
  const names = labels.map(({ name }) => name ?? '');
  const rooms = labels.map((label) => roomOf(label) / boldWidth);
  const cut = names.map((name, index) => cutToWidth(name, rooms[index] ?? 0));
  return cut.map((words, index) => {
    const name = names[index] ?? '';
    if (cut.every((other, place) => other !== words || names[place] === name)) return words;
    const end = ` ${Array.from(name).slice(-9).join('').trim()}`;
    return `${cutToWidth(name, (rooms[index] ?? 0) - textWidth(end))}${end}`;
  });
}

/** Lines that had to go without a name. */
function otherNotes(count: number, hidden: number): string[] {
  if (count === 0) return [];
  const lines = count - hidden === 1 ? 'One other line is' : `${count - hidden} other lines are`;
  return [
    `${lines} thin and grey, without a name; the table has them.`,
    ...(hidden > 0 ? [`${hidden} more are in the table alone.`] : []),
  ];
}
