import { group, max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import {
  curveLinear,
  curveStepAfter,
  line,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolTriangle,
} from 'd3-shape';
import type { ChartSpec, ColumnFormat } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, cutToWidth, tenth, textWidth } from '../text-width.ts';
import {
  type Chart,
  type ChartScope,
  type Drawing,
  formatNamed,
  type Frame,
  noName,
  periodKey,
  periodNames,
} from './figure.ts';
import { moveApart, rules, text } from './marks.ts';
import {
  axisTexts,
  createPlaceReader,
  placeAxis,
  type PlaceAxis,
  type PlaceReader,
  usualStep,
} from './places.ts';
import { compactWriter, gridMarks, gridRoom, gridTicks, rangeFromZero } from './values.ts';

type LinesSpec = Extract<ChartSpec, { kind: 'lines' }>;

interface Point {
  readonly at: number;
  readonly value: number;
}

/** Points that a line joins. */
type Stretch = readonly Point[];

interface LineSeries {
  /** Null where the chart has a single line without a name. */
  readonly name: string | null;
  /** Of the six that have a colour, a dash and a shape; the last is that of what has no name. */
  readonly category: number;
  /** One of many, which have no label. */
  readonly isOther: boolean;
  readonly stretches: readonly Stretch[];
  readonly previous: readonly Stretch[];
  /** How many posts it rests on, as its last row has it. */
  readonly n: number | null;
}

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

interface Plot {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  readonly width: number;
  readonly ticks: readonly number[];
  readonly axis: PlaceAxis;
}

const maxNamed = 5;
/** More lines than these cover each other, even thin ones. */
const maxOther = 40;
const [top, bottom] = [26, 236];
/** So that labels centred below the first and the last point stay in the picture. */
const inset = 18;
const labelDistance = 34;
const [maxNameWidth, labelGap] = [240, 14];
/** Names of periods beyond this take more room than they are worth. */
const maxPeriodWidth = 168;
const legendRow = 24;

/** A line for each series, named at its end; null when no row has both a place and a value. */
export function linesChart(spec: LinesSpec, scope: ChartScope): Chart | null {
  const { table, context } = scope;
  const [x, format] = [formatNamed(table, spec.x), formatNamed(table, spec.y)];
  if (!x || !format) return null;
  const reader = createPlaceReader(x, context);
  const all = readSeries(spec, reader, scope);
  if (all.length === 0) return null;
  const others = all.filter(({ isOther }) => isOther);
  const hidden = new Set(others.slice(maxOther));
  const series = all.filter((each) => !hidden.has(each));
  const labels = labelsOf(series, compactWriter(format, context), context);
  const hasPrevious = series.some(({ name, previous }) => name !== null && previous.length > 0);
  return {
    key: periodKey({ hasPrevious, mark: 'line' }, scope),
    draw: (frame) => drawLines({ spec, reader, series, labels, format, context }, frame),
    showsAllValues: false,
    notes: otherNotes(others.length - hidden.size, hidden.size),
  };
}

/** Lines with a value. Null values and missing places end a stretch; nothing is filled in. */
function readSeries(spec: LinesSpec, reader: PlaceReader, { rows }: ChartScope): LineSeries[] {
  const readings = rows.flatMap((row) => {
    const at = reader.placeOf(row.cell(spec.x));
    const own = row.cell(spec.series) === null ? noName : row.text(spec.series);
    const name = spec.series === null ? null : own;
    const [value, previous] = [row.number(spec.y), row.number(spec.previous)];
    return at === null ? [] : [{ at, name, value, previous, n: row.number(spec.n) }];
  });
  const places = [...new Set(readings.map(({ at }) => at))].sort((a, b) => a - b);
  const joins = spec.steps ? () => true : joinRule(places, reader);
  const lines = [...group(readings, ({ name }) => name)].map(([name, own]) => {
    const sorted = own.toSorted((a, b) => a.at - b.at);
    const before = sorted.map(({ at, previous }) => ({ at, value: previous }));
    const n = sorted.findLast((each) => each.n !== null)?.n ?? null;
    return { name, stretches: stretchesOf(sorted, joins), previous: stretchesOf(before, joins), n };
  });
  return withCategories(lines.filter(({ stretches }) => stretches.length > 0));
}

type Joins = (from: number, to: number) => boolean;

/** Neighbours on the axis: at the usual distance, or the next place that any row has. */
function joinRule(places: readonly number[], reader: PlaceReader): Joins {
  if (reader.kind === 'month' || reader.kind === 'day') {
    const step = usualStep(places, reader) ?? 1;
    return (from, to) => to - from <= step;
  }
  const ranks = new Map(places.map((place, rank) => [place, rank]));
  return (from, to) => (ranks.get(to) ?? 0) - (ranks.get(from) ?? 0) <= 1;
}

function stretchesOf(
  readings: readonly { readonly at: number; readonly value: number | null }[],
  joins: Joins,
): Stretch[] {
  const stretches: Point[][] = [];
  let before: number | null = null;
  for (const { at, value } of readings) {
    if (value !== null) {
      if (before === null || !joins(before, at)) stretches.push([]);
      stretches.at(-1)?.push({ at, value });
    }
    before = value === null ? null : at;
  }
  return stretches;
}

function lastPoint(stretches: readonly Stretch[]): Point | null {
  return stretches.at(-1)?.at(-1) ?? null;
}

/** In the order of the rows; beyond six the five that end highest, and the rest as one category. */
function withCategories(lines: readonly Omit<LineSeries, 'category' | 'isOther'>[]): LineSeries[] {
  const isMany = lines.length > maxNamed + 1;
  const endOf = (each: (typeof lines)[number]) => lastPoint(each.stretches)?.value ?? 0;
  const named = lines.filter(({ name }) => name !== noName);
  const leading = named.toSorted((a, b) => endOf(b) - endOf(a)).slice(0, maxNamed);
  const order = isMany ? named.filter((each) => leading.includes(each)) : named;
  return lines.map((each) => {
    const place = order.indexOf(each);
    const category = place < 0 ? maxNamed + 1 : place + 1;
    return { ...each, category, isOther: isMany && place < 0 };
  });
}

function labelsOf(
  series: readonly LineSeries[],
  write: (value: number) => string,
  context: PageContext,
): Label[] {
  const names = shortNames(context);
  return series.flatMap(({ name, category, isOther, stretches, previous, n }): Label[] => {
    const end = lastPoint(stretches);
    if (!end || isOther) return [];
    const posts = n === 1 ? '1 post' : `${context.formatter.format(n, 'count')} posts`;
    const figure = n === null ? write(end.value) : `${write(end.value)} · ${posts}`;
    const before = name === null && names.previous !== null ? lastPoint(previous) : null;
    const own = { name: before ? names.now : name, figure, end, category, isPrevious: false };
    if (!before) return [own];
    const figureBefore = write(before.value);
    return [
      own,
      { name: names.previous, figure: figureBefore, end: before, category, isPrevious: true },
    ];
  });
}

/** Two dates with their years are longer than what they tell. */
function shortNames(context: PageContext): ReturnType<typeof periodNames> {
  const { now, previous } = periodNames(context);
  const width = Math.max(textWidth(now), textWidth(previous ?? '')) * boldWidth;
  if (width <= maxPeriodWidth) return { now, previous };
  return { now: 'this period', previous: previous && 'before' };
}

function drawLines(lines: Lines, { isNarrow, width }: Frame): Drawing {
  const { labels, format, context } = lines;
  const isBelow = isNarrow && labels.some(({ name }) => name !== null);
  const plot = layOut(lines, isBelow ? width : width - labelRoom(labels));
  const end = bottom + plot.axis.height;
  const names = isBelow ? namesBelow(labels, end, width) : namesBeside(labels, plot);
  const marks = plot.axis.labels.map(
    ({ place }) => [plot.x(place), bottom, plot.x(place), bottom + 5] as const,
  );
  const base = plot.y(0);
  return {
    height: end + (isBelow ? labels.length * legendRow + 8 : 0),
    marks: markup`${gridMarks(plot, format, context)}${rules([[0, base, plot.width, base], ...marks], 'axis')}${axisTexts(plot.axis, plot.x, { bottom, right: plot.width })}${lineMarks(lines, plot)}${names}`,
  };
}

/** Lines leave the left to the labels of the grid. */
function layOut({ reader, series, format, context }: Lines, width: number): Plot {
  const points = series.flatMap(({ stretches, previous }) => [...stretches, ...previous].flat());
  const range = rangeFromZero(points.map(({ value }) => value));
  const places = [...new Set(points.map(({ at }) => at))].sort((a, b) => a - b);
  const ticks = gridTicks(range);
  const y = scaleLinear(range, [bottom, top]);
  const left = Math.max(gridRoom(ticks, format, context), inset);
  const right = width - (reader.kind === 'day' ? 0 : inset);
  const x = scaleLinear([places[0] ?? 0, places.at(-1) ?? 0], [left, right]);
  return { x, y, width, ticks, axis: placeAxis(reader, places, x, context) };
}

/** The period before below, then the others, then the lines that have a name. */
function lineMarks({ spec, series }: Lines, { x, y }: Plot): Markup {
  const draw = line<Point>()
    .x(({ at }) => tenth(x(at)))
    .y(({ value }) => tenth(y(value)))
    .curve(spec.steps ? curveStepAfter : curveLinear);
  const strokes = (stretches: readonly Stretch[], look: string, name: string | null) => {
    const long = stretches.filter((stretch) => stretch.length > 1);
    const path = long.map((stretch) => draw(spec.steps ? cornersOf(stretch) : stretch) ?? '');
    // A line has no length between two gaps.
    const lone = stretches
      .flatMap((stretch) => (stretch.length === 1 ? stretch : []))
      .map(({ at, value }) => `M${tenth(x(at))} ${tenth(y(value))}h0`);
    const title = name !== null && markup`<title>${name}</title>`;
    return markup`${path.join('') !== '' && markup`<path class="line ${look}" d="${path.join('')}">${title}</path>`}${lone.length > 0 && markup`<path class="point ${look}" d="${lone.join('')}"/>`}`;
  };
  const sorted = series.toSorted((a, b) => Number(b.isOther) - Number(a.isOther));
  const ends = sorted.map(({ stretches, category, isOther }) => {
    const end = lastPoint(stretches);
    return end && !isOther && endMark(category, x(end.at), y(end.value));
  });
  return markup`${series.map(({ previous }) => strokes(previous, 'before', null))}${sorted.map(({ stretches, category, name, isOther }) => strokes(stretches, `c${category}`, isOther ? null : name))}${ends}`;
}

/** Of values that stay the same, the first and the last. */
function cornersOf(stretch: Stretch): Stretch {
  return stretch.filter(
    ({ value }, index) => value !== stretch[index - 1]?.value || index === stretch.length - 1,
  );
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
  const distances = wanted.map(() => labelDistance);
  const places = moveApart(wanted, distances, [top - 8, bottom - 4]);
  const left = plot.width + labelGap;
  return markup`${sorted.map((label, index) => {
    const from = plot.x(label.end.at) + 6;
    const [wantedY = 0, y = 0] = [wanted[index], places[index]];
    const isMoved = Math.abs(y - wantedY) >= 1;
    const leader = `M${tenth(from)} ${tenth(wantedY)}H${tenth(Math.max(plot.width, from))}${isMoved ? `L${tenth(left - 4)} ${tenth(y)}` : ''}`;
    const hasLeader = isMoved || plot.width - from >= 2;
    const look = lookOf(label);
    const name = cutInMiddle(label.name ?? '', maxNameWidth);
    return markup`${hasLeader && markup`<path class="leader" d="${leader}"/>`}${label.name === null ? text(left, y + 4, label.figure, look) : markup`${text(left, y, name, `${look} bidi`)}${text(left, y + 15, label.figure)}`}`;
  })}`;
}

/** Below the plot, in the order of the lines' ends: line and mark, name, and the figure at the right. */
function namesBelow(labels: readonly Label[], from: number, width: number): Markup {
  const sorted = labels.toSorted((a, b) => b.end.value - a.end.value);
  return markup`${sorted.map((label, index) => {
    const y = from + 16 + index * legendRow;
    const { category, isPrevious, figure } = label;
    const name = cutInMiddle(label.name ?? '', width - 42 - textWidth(figure) - 12);
    return markup`${rules([[0, y, 30, y]], isPrevious ? 'line before' : `line c${category}`)}${!isPrevious && endMark(category, 15, y)}${text(40, y + 4.5, name, `${lookOf(label)} bidi`)}${text(width, y + 4.5, figure, 'end')}`;
  })}`;
}

function lookOf({ isPrevious, category }: Label): string {
  return isPrevious ? 'strong' : `strong tone c${category}`;
}

/** Names of one series often differ at their end alone: `… 2025`, `… 2026`. */
function cutInMiddle(name: string, width: number): string {
  const room = width / boldWidth;
  if (textWidth(name) <= room) return name;
  const end = Array.from(name).slice(-5).join('').trim();
  return `${cutToWidth(name, room - textWidth(end))}${end}`;
}

/** Lines that had to go without a name. */
function otherNotes(drawn: number, hidden: number): string[] {
  if (drawn === 0) return [];
  const lines = drawn === 1 ? 'One other line is' : `${drawn} other lines are`;
  return [
    `${lines} thin and grey, without a name; the table has them.`,
    ...(hidden > 0 ? [`${hidden} more are in the table alone.`] : []),
  ];
}
