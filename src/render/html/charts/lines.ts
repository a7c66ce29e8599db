import { extent, group, max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { curveLinear, curveStepAfter, line } from 'd3-shape';
import type { Day } from '../../../core/calendar.ts';
import type { ChartSpec, ColumnFormat } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, cutToWidth, tenth, textWidth } from '../text-width.ts';
import {
  axisTexts,
  createPlaceReader,
  daysOf,
  placeLabels,
  type PlaceReader,
  shortWriter,
  timePlace,
  usualStep,
  valueAxis,
} from './axes.ts';
import {
  type Chart,
  type ChartScope,
  type Drawing,
  formatNamed,
  type Frame,
  leftOutNotes,
  noName,
} from './figure.ts';
import { dot, moveApart, rangeFromZero, rules, text } from './marks.ts';

type LinesSpec = Extract<ChartSpec, { kind: 'lines' }>;

interface Point {
  readonly at: number;
  readonly value: number;
}

interface Line {
  /** Null when the chart has a single line without a name. */
  readonly name: string | null;
  /** The class for colour and dash: `c1` to `c6`, or `before` for the previous period. */
  readonly look: string;
  /** Runs of points that are joined; values between two runs are unknown. */
  readonly stretches: readonly (readonly Point[])[];
  readonly end: Point;
  /** The last value, and the number of posts behind it. */
  readonly figure: string;
}

interface Plot {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  readonly width: number;
}

/** The number of named lines; the sixth colour is for the group without a name. */
const maxNamed = 5;
const [top, bottom] = [26, 236];
/** The margin that keeps the centred labels of the first and last point in the picture. */
const inset = 18;
const labelDistance = 34;
const [maxNameWidth, labelGap] = [240, 14];
const legendRow = 24;

/** A line for each series, or for the period and the previous one; null when none has two points. */
export function linesChart(spec: LinesSpec, scope: ChartScope): Chart | null {
  const { table, context } = scope;
  const [x, format] = [formatNamed(table, spec.x), formatNamed(table, spec.y)];
  if (!x || !format) return null;
  const reader = createPlaceReader(x, context);
  const all = readLines(spec, reader, shortWriter(format, context), scope);
  const lines = withLooks(all, noName(context));
  if (lines.every((each) => each.look === 'before' || each.stretches.flat().length < 2))
    return null;
  const points = lines.flatMap(({ stretches }) => stretches.flat());
  const [first = 0, last = 0] = extent(points, ({ at }) => at);
  return {
    draw: (frame) => drawLines(lines, { reader, format, steps: spec.steps, context, frame }),
    showsAllValues: false,
    notes: leftOutNotes(lines.length, all.length, context, context.say('lines')),
    ...daysOf(reader, first, last + 1),
  };
}

/** The lines that have a value. Missing values are gaps. */
function readLines(
  spec: LinesSpec,
  reader: PlaceReader,
  write: (value: number) => string,
  { rows, context }: ChartScope,
): Line[] {
  const isCompared = spec.series === null && rows.some((row) => row.number(spec.previous) !== null);
  const readings = rows.flatMap((row) => {
    const at = reader.placeOf(row.cell(spec.x));
    if (at === null) return [];
    const own = row.cell(spec.series) === null ? noName(context) : row.text(spec.series);
    const name = spec.series === null ? (isCompared ? context.head.period : null) : own;
    const now = { at, name, look: '', value: row.number(spec.y), n: row.number(spec.n) };
    if (!isCompared) return [now];
    const previous = { name: context.head.previousPeriod, value: row.number(spec.previous) };
    return [{ ...now, ...previous, look: 'before', n: null }, now];
  });
  const places = [...new Set(readings.map(({ at }) => at))].sort((a, b) => a - b);
  const isTime = reader.kind === 'month' || reader.kind === 'day';
  const step = isTime && !spec.steps ? usualStep(places, reader) : null;
  return [...group(readings, ({ name }) => name)].flatMap(([name, own]): Line[] => {
    const sorted = own.toSorted((a, b) => a.at - b.at);
    const n = sorted.findLast((each) => each.n !== null)?.n ?? null;
    const posts = context.say('{n:count} {n|post|posts}', { n });
    const stretches = stretchesOf(sorted, step ?? Infinity);
    const end = stretches.at(-1)?.at(-1);
    if (!end) return [];
    const figure = n === null ? write(end.value) : `${write(end.value)} · ${posts}`;
    return [{ name, look: own[0]?.look ?? '', stretches, end, figure }];
  });
}

/** The lines in the order of the rows: of more than six, the five with the highest last value and the unnamed group. */
function withLooks(lines: readonly Line[], unnamed: string): Line[] {
  const named = lines.filter(({ name, look }) => name !== unnamed && look === '');
  const highest = named.toSorted((a, b) => b.end.value - a.end.value).slice(0, maxNamed);
  const kept = named.filter((each) => lines.length <= maxNamed + 1 || highest.includes(each));
  return lines.flatMap((each): Line[] => {
    if (each.look !== '') return [each];
    if (each.name === unnamed) return [{ ...each, look: 'c6' }];
    return kept.includes(each) ? [{ ...each, look: `c${kept.indexOf(each) + 1}` }] : [];
  });
}

/** @param step the largest distance of two points that are joined */
function stretchesOf(
  readings: readonly { readonly at: number; readonly value: number | null }[],
  step: number,
): Point[][] {
  const stretches: Point[][] = [];
  let before = -Infinity;
  for (const { at, value } of readings) {
    if (value === null) {
      before = -Infinity;
      continue;
    }
    if (before === -Infinity || at - before > step) stretches.push([]);
    stretches.at(-1)?.push({ at, value });
    before = at;
  }
  return stretches;
}

interface Setting {
  readonly reader: PlaceReader;
  readonly format: ColumnFormat;
  readonly steps: boolean;
  readonly context: PageContext;
  readonly frame: Frame;
}

/** Lines are named at their end on a wide page, below the plot on a narrow one. */
function drawLines(
  lines: readonly Line[],
  { reader, format, steps, context, frame }: Setting,
): Drawing {
  const isBelow = frame.isNarrow && lines.some(({ name }) => name !== null);
  const width = isBelow ? frame.width : frame.width - labelRoom(lines);
  const points = lines.flatMap(({ stretches }) => stretches.flat());
  const range = rangeFromZero(points.map(({ value }) => value));
  const { y, room, grid } = valueAxis(range, [bottom, top], format, context);
  const places = [...new Set(points.map(({ at }) => at))].sort((a, b) => a - b);
  const right = width - (reader.kind === 'day' ? 0 : inset);
  const x = scaleLinear([places[0] ?? 0, places.at(-1) ?? 0], [Math.max(room, inset), right]);
  const names = placeLabels(reader, places, x, context);
  const axis = axisTexts(names, x, { bottom, right: frame.width });
  const ticks = names.map(({ place }) => [x(place), bottom, x(place), bottom + 5] as const);
  const plot = { x, y, width };
  const legend = isBelow ? namesBelow(lines, axis.height, frame.width) : namesBeside(lines, plot);
  const { kind } = reader;
  const isTime = kind !== 'word' && kind !== 'number';
  return {
    ...(isTime && { timeline: { x: (day: Day) => x(timePlace(day, kind) ?? 0), bottom } }),
    height: axis.height + (isBelow ? lines.length * legendRow + 8 : 0),
    marks: markup`${grid(width)}${rules([[0, y(0), width, y(0)], ...ticks], 'axis')}${axis.marks}${lines.map((each) => lineMarks(each, plot, steps))}${legend}`,
  };
}

/** The line with a dot at its end; a value between two gaps is a dot. */
function lineMarks({ name, look, stretches, end }: Line, { x, y }: Plot, steps: boolean): Markup {
  const draw = line<Point>()
    .x(({ at }) => tenth(x(at)))
    .y(({ value }) => tenth(y(value)))
    .curve(steps ? curveStepAfter : curveLinear);
  const long = stretches.filter((stretch) => stretch.length > 1);
  const path = long.map((stretch) => draw(steps ? cornersOf(stretch) : [...stretch]) ?? '');
  const lone = stretches
    .flatMap((stretch) => (stretch.length === 1 ? stretch : []))
    .map(({ at, value }) => `M${tenth(x(at))} ${tenth(y(value))}h0`);
  const title = name !== null && markup`<title>${name}</title>`;
  return markup`${path.length > 0 && markup`<path class="line ${look}" d="${path.join('')}">${title}</path>`}${lone.length > 0 && markup`<path class="point ${look}" d="${lone.join('')}"/>`}${dot(x(end.at), y(end.value), 3.5, `mark ${look}`)}`;
}

/** The first and the last point of each run of equal values. */
function cornersOf(stretch: readonly Point[]): Point[] {
  return stretch.filter(
    ({ value }, index) => value !== stretch[index - 1]?.value || index === stretch.length - 1,
  );
}

function labelRoom(labels: readonly Line[]): number {
  const widths = labels.map(({ name, figure }) =>
    Math.max(textWidth(name ?? figure) * boldWidth, textWidth(figure)),
  );
  return Math.min(max(widths) ?? 0, maxNameWidth) + labelGap;
}

/** The names at the right, as close to the ends of their lines as their distance allows, joined by leaders. */
function namesBeside(labels: readonly Line[], { x, y, width }: Plot): Markup[] {
  const sorted = labels.toSorted((a, b) => y(a.end.value) - y(b.end.value));
  const wanted = sorted.map(({ end }) => y(end.value));
  const distances = wanted.map(() => labelDistance);
  const places = moveApart(wanted, distances, [top - 8, bottom - 4]);
  const left = width + labelGap;
  return sorted.map(({ name, figure, end, look }, index) => {
    const [from, to] = [wanted[index] ?? 0, places[index] ?? 0];
    const start = x(end.at) + 6;
    const isMoved = Math.abs(to - from) >= 1;
    const turn = isMoved ? `L${tenth(left - 4)} ${tenth(to)}` : '';
    const leader =
      (isMoved || width - start >= 2) &&
      markup`<path class="leader" d="M${tenth(start)} ${tenth(from)}H${tenth(Math.max(width, start))}${turn}"/>`;
    const tone = `strong tone ${look} bidi`;
    if (name === null) return markup`${leader}${text(left, to + 4, figure, tone)}`;
    return markup`${leader}${text(left, to, cutInMiddle(name, maxNameWidth), tone)}${text(left, to + 15, figure)}`;
  });
}

/** The names below the plot with their figures, in the order of the last values. */
function namesBelow(labels: readonly Line[], from: number, width: number): Markup[] {
  const sorted = labels.toSorted((a, b) => b.end.value - a.end.value);
  return sorted.map(({ name, figure, look }, index) => {
    const y = from + 16 + index * legendRow;
    const words = cutInMiddle(name ?? '', width - 54 - textWidth(figure));
    return markup`${rules([[0, y, 30, y]], `line ${look}`)}${text(40, y + 4.5, words, `strong tone ${look} bidi`)}${text(width, y + 4.5, figure, 'end')}`;
  });
}

/** A name that is cut in the middle, since names of one series often differ only at the end: `… 2025`, `… 2026`. */
function cutInMiddle(name: string, width: number): string {
  const room = width / boldWidth;
  if (textWidth(name) <= room) return name;
  const end = Array.from(name).slice(-5).join('').trim();
  return `${cutToWidth(name, room - textWidth(end))}${end}`;
}
