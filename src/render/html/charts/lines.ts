import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { curveLinear, curveStepAfter, line } from 'd3-shape';
import type { Day } from '../../../core/calendar.ts';
import { isTimeKind, timePosition } from '../../chart-axis.ts';
import { type Drawn, type DrawnSeries, endsOf } from '../../drawn.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, cutToWidth, tenth, textWidth } from '../text-width.ts';
import { axisLabels, axisTexts, shortWriter, valueAxis } from './axes.ts';
import { type Chart, type Drawing, type Frame, leftOutNotes, swatch } from './figure.ts';
import { dot, moveApart, rangeFromZero, rules, text } from './marks.ts';

interface Point {
  readonly at: number;
  readonly value: number;
}

interface Spot {
  readonly at: number;
  readonly value: number | null;
  readonly isPart: boolean;
}

interface Line {
  /** Null when the chart has a single line without a name. */
  readonly name: string | null;
  /** The class for colour and dash: `c1` to `c6`, or `before` for the previous period. */
  readonly look: string;
  /** Runs of points that are joined; values between two runs are unknown. */
  readonly stretches: readonly (readonly Point[])[];
  readonly end: Point;
  /** The points of weeks, months or quarters that are not whole. */
  readonly parts: readonly Spot[];
  /** The last value, and the number of posts behind it. */
  readonly figure: string;
}

interface Plot {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  readonly width: number;
}

const [top, bottom] = [26, 236];
/** The margin that keeps the centred labels of the first and last point in the picture. */
const inset = 18;
const labelDistance = 34;
const [maxNameWidth, labelGap] = [240, 14];
const legendRow = 24;

/**
 * A line for each series, or for the period and the previous one.
 * @param steps whether a value holds until the next one
 */
export function linesChart(drawn: Drawn, steps: boolean, context: PageContext): Chart {
  const { axis, count, format, series } = drawn;
  const write = shortWriter(format, context);
  const step = isTimeKind(axis.kind) && !steps ? (axis.step ?? Infinity) : Infinity;
  const lines = series.flatMap((each) => linesOf(each, drawn, { step, write, context }));
  const hollow = swatch(10, dot(5, 6, 3.5, partLook));
  return {
    key: [
      lines.some(({ parts }) => parts.length > 0)
        ? { mark: hollow, words: context.say('not whole') }
        : null,
    ],
    draw: (frame) => drawLines(lines, drawn, { steps, context, frame }),
    showsAllValues: false,
    notes: leftOutNotes(series.length, count, context, context.say('lines')),
  };
}

/** The line of the previous period, if there is one, and that of the series. Missing values are gaps. */
function linesOf(
  { name, color, points }: DrawnSeries,
  { hasPrevious }: Drawn,
  reading: {
    /** The largest distance of two points that are joined. */
    readonly step: number;
    readonly write: (value: number) => string;
    readonly context: PageContext;
  },
): Line[] {
  const { step, write, context } = reading;
  const lineOf = (named: Pick<Line, 'name' | 'look'>, spots: readonly Spot[]): Line[] => {
    const stretches = stretchesOf(spots, step);
    const end = stretches.at(-1)?.at(-1);
    const parts = spots.filter(({ isPart }) => isPart);
    return end ? [{ ...named, stretches, end, parts, figure: write(end.value) }] : [];
  };
  const now = points.map(({ position, value, isPart }) => ({ at: position, value, isPart }));
  const look = `c${color}`;
  if (hasPrevious) {
    const before = points.map(({ position, previous }) => ({
      at: position,
      value: previous,
      isPart: false,
    }));
    const { period, previousPeriod } = context.head;
    return [
      ...lineOf({ name: previousPeriod, look: 'before' }, before),
      ...lineOf({ name: period, look }, now),
    ];
  }
  const n = points.findLast((point) => point.n !== null)?.n ?? null;
  const posts = n === null ? '' : ` · ${context.say('{n:count} {n|post|posts}', { n })}`;
  return lineOf({ name, look }, now).map((each) => ({ ...each, figure: each.figure + posts }));
}

/** @param step the largest distance of two points that are joined */
function stretchesOf(spots: readonly Spot[], step: number): Point[][] {
  const stretches: Point[][] = [];
  let before = -Infinity;
  for (const { at, value } of spots) {
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
  readonly steps: boolean;
  readonly context: PageContext;
  readonly frame: Frame;
}

/** Lines are named at their end on a wide page, below the plot on a narrow one. */
function drawLines(
  lines: readonly Line[],
  { axis, format }: Drawn,
  { steps, context, frame }: Setting,
): Drawing {
  const isBelow = frame.isNarrow && lines.some(({ name }) => name !== null);
  const width = isBelow ? frame.width : frame.width - labelRoom(lines);
  const points = lines.flatMap(({ stretches }) => stretches.flat());
  const range = rangeFromZero(points.map(({ value }) => value));
  const { y, room, grid } = valueAxis(range, [bottom, top], format, context);
  const { kind } = axis;
  const right = width - (kind === 'day' ? 0 : inset);
  const x = scaleLinear(endsOf(axis), [Math.max(room, inset), right]);
  const names = axisLabels(axis, x, context);
  const below = axisTexts(names, x, { bottom, right: frame.width });
  const ticks = names.map(({ position }) => {
    const at = x(position);
    return [at, bottom, at, bottom + 5] as const;
  });
  const plot = { x, y, width };
  const legend = isBelow ? namesBelow(lines, below.height, frame.width) : namesBeside(lines, plot);
  return {
    ...(isTimeKind(kind) && {
      timeline: { x: (day: Day) => x(timePosition(day, kind) ?? 0), bottom },
    }),
    height: below.height + (isBelow ? lines.length * legendRow + 8 : 0),
    marks: markup`${grid(width)}${rules([[0, y(0), width, y(0)], ...ticks], 'axis')}${below.marks}${lines.map((each) => lineMarks(each, plot, steps))}${legend}`,
  };
}

/** The line with a dot at its end; a value between two gaps is a dot. */
function lineMarks(
  { name, look, stretches, end, parts }: Line,
  { x, y }: Plot,
  steps: boolean,
): Markup {
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
  return markup`${path.length > 0 && markup`<path class="line ${look}" d="${path.join('')}">${title}</path>`}${lone.length > 0 && markup`<path class="point ${look}" d="${lone.join('')}"/>`}${dot(x(end.at), y(end.value), 3.5, `mark ${look}`)}${parts.map(({ at, value }) => value !== null && dot(x(at), y(value), 3.5, partLook))}`;
}

/** Draws a hollow dot. */
const partLook = 'ratio';

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

/** The names at the right, above the labels of the axis, as close to the ends of their lines as their distance allows, joined by leaders. */
function namesBeside(labels: readonly Line[], { x, y, width }: Plot): Markup[] {
  const sorted = labels.toSorted((a, b) => y(a.end.value) - y(b.end.value));
  const wanted = sorted.map(({ end }) => y(end.value));
  const distances = wanted.map(() => labelDistance);
  const heights = moveApart(wanted, distances, [top - 8, bottom - 15]);
  const left = width + labelGap;
  return sorted.map(({ name, figure, end, look }, index) => {
    const [from, to] = [wanted[index] ?? 0, heights[index] ?? 0];
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
