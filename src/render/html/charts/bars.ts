import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { Day } from '../../../core/calendar.ts';
import { exactPosition, isTimeKind } from '../../chart-axis.ts';
import {
  type Drawn,
  type DrawnPoint,
  endsOf,
  hasEvenBars,
  largestWhole,
  positionsOn,
} from '../../drawn.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, cutToWidth, textWidth } from '../text-width.ts';
import { axisLabels, axisTexts, shortWriter, valueAxis } from './axes.ts';
import {
  type Chart,
  type ChartScope,
  type Drawing,
  type Frame,
  leftOutNotes,
  notFinalKey,
  partKey,
  periodKeys,
  targetKey,
} from './figure.ts';
import { bars, type Box, hatch, rangeFromZero, type Rule, rules, text } from './marks.ts';

type Write = (value: number) => string;

/** The widest bar, in px: a few bars are left-aligned instead of wide. */
const maxStep = 100;
const [top, base] = [26, 196];

/** Bars from 0, ticks for the previous period. */
export function barChart(drawn: Drawn, x: string, { rows, context, id }: ChartScope): Chart {
  const { axis, count, format, hasPrevious, target } = drawn;
  const points = drawn.series.flatMap((series) => series.points);
  const isOfWords = axis.kind === 'word';
  const named = points.map((point) => ({ ...point, name: rows[point.row]?.text(x) ?? '' }));
  return {
    key: [
      ...periodKeys(hasPrevious, context),
      target === null ? null : targetKey(context),
      points.some(({ young }) => young > 0) ? notFinalKey(`${id}-key`, context) : null,
      partKey(points, `${id}-part-key`, context),
    ],
    draw: (frame) =>
      isOfWords
        ? horizontalBars(named, shortWriter(format, context), frame)
        : drawUpright(drawn, points, context, frame),
    showsAllValues:
      points.length === count && (isOfWords || hasFigures(drawn, points, context, 928)),
    notes: leftOutNotes(points.length, count, context, context.say('bars')),
  };
}

interface Slots {
  /** The left edge of the slot of a position, in px from the left of the plot. */
  readonly left: (position: number) => number;
  readonly step: number;
  readonly width: number;
}

/** Slots in even steps with gaps for missing rows, or side by side when the positions have no even steps. */
function slotsOf({ axis }: Drawn, width: number): Slots {
  const [first, last] = endsOf(axis);
  const ranks = new Map(positionsOn(axis).map((position, rank) => [position, rank]));
  const rankOf = (position: number) =>
    hasEvenBars(axis) ? (position - first) / (axis.step ?? 1) : (ranks.get(position) ?? 0);
  const count = Math.round(rankOf(last)) + 1;
  const step = Math.min(width / count, maxStep);
  return { left: (position) => rankOf(position) * step, step, width: step * count };
}

/** Tells whether each bar has room for its figure; otherwise the chart has an axis. */
function hasFigures(
  drawn: Drawn,
  points: readonly DrawnPoint[],
  context: PageContext,
  width: number,
): boolean {
  const write = shortWriter(drawn.format, context);
  const { step } = slotsOf(drawn, width);
  return points.every(({ value }) => value === null || textWidth(write(value)) <= step - 4);
}

function drawUpright(
  drawn: Drawn,
  points: readonly DrawnPoint[],
  context: PageContext,
  frame: Frame,
): Drawing {
  const { axis, format, target } = drawn;
  const range = rangeFromZero([
    target,
    ...points.flatMap(({ value, previous }) => [value, previous]),
  ]);
  const { y, room, grid } = valueAxis(range, [base, top], format, context);
  const isDirect = hasFigures(drawn, points, context, frame.width);
  const gutter = isDirect ? 0 : room;
  const slots = slotsOf(drawn, frame.width - gutter);
  const right = gutter + slots.width;
  const thickness = slots.step * (slots.step < 12 ? 0.85 : 0.725);
  const middle = (position: number) => gutter + slots.left(position) + slots.step / 2;
  const start = (index: number) => middle(points[index]?.position ?? 0) - thickness / 2;
  const plot = { start, thickness, scale: y, isHorizontal: false, id: frame.id };
  // The figures of negative bars are below them.
  const bottom = base + (range[0] < 0 ? 18 : 0);
  const names = axisLabels(axis, middle, context);
  const below = axisTexts(names, middle, { bottom, right: frame.width });
  const { kind, step } = axis;
  const half = kind === 'day' && step === 1 ? 0.5 : 0;
  return {
    ...(isTimeKind(kind) && {
      timeline: {
        x: (day: Day) => gutter + slots.left(exactPosition(day, kind) + half),
        bottom: base,
      },
    }),
    height: below.height,
    marks: markup`${!isDirect && grid(right)}${barMarks(points, plot)}${target !== null && rules([[gutter, y(target), right, y(target)]], 'target')}${rules([[0, y(0), right, y(0)]], 'axis')}${isDirect && markup`<g class="over">${figureTexts(points, plot, shortWriter(format, context))}</g>`}${below.marks}`,
  };
}

interface BarPlot {
  /** The left edge of the bar, or its upper edge when it is horizontal. */
  readonly start: (index: number) => number;
  readonly thickness: number;
  readonly scale: (value: number) => number;
  readonly isHorizontal: boolean;
  readonly id: string;
}

/** Bars from 0 with a hatched end for values that are not final, and a tick for the previous period. */
export function barMarks(drawn: readonly DrawnPoint[], plot: BarPlot): Markup {
  const { start, thickness, scale, isHorizontal, id } = plot;
  const box = (index: number, from: number, to: number): Box => {
    const [low, high] = [Math.min(scale(from), scale(to)), Math.max(scale(from), scale(to))];
    return isHorizontal
      ? { left: low, top: start(index), width: high - low, height: thickness }
      : { left: start(index), top: low, width: thickness, height: high - low };
  };
  const reach = thickness * 0.07;
  const ticks = drawn.flatMap(({ previous }, index): Rule[] => {
    if (previous === null) return [];
    const [from, to] = [start(index) - reach, start(index) + thickness + reach];
    const at = scale(previous);
    return [isHorizontal ? [at, from, at, to] : [from, at, to, at]];
  });
  const boxes = (ofParts: boolean, ends: (point: DrawnPoint) => readonly [number, number]) =>
    drawn.flatMap((point, index) => {
      const [from, to] = ends(point);
      const isShown = point.value !== null && point.isPart === ofParts;
      return isShown && (from !== to || point.value === 0) ? [box(index, from, to)] : [];
    });
  // where the figures of young posts begin, and where what the report is about ends
  const finalEnd = ({ value, young, isPart }: DrawnPoint) => (value ?? 0) - (isPart ? 0 : young);
  const ownEnd = (point: DrawnPoint) =>
    Math.abs(point.within) < Math.abs(finalEnd(point)) ? point.within : finalEnd(point);
  const own = (point: DrawnPoint) => [0, ownEnd(point)] as const;
  const beside = (point: DrawnPoint) => [ownEnd(point), finalEnd(point)] as const;
  const young = drawn.flatMap(({ value, young: size, isPart }, index) =>
    value === null || size === 0 || isPart ? [] : [box(index, value - size, value)],
  );
  const pattern = `${id}-young`;
  const hatched =
    young.length > 0 && markup`${hatch(pattern, 'young')}${bars(young, 'young', pattern)}`;
  const stripes = `${id}-portion`;
  const parts = drawn.some(({ isPart }) => isPart) && [
    hatch(stripes, 'portion'),
    bars(boxes(true, beside), 'portion beside', stripes),
    bars(boxes(true, own), 'portion', stripes),
  ];
  // A halo would cover the neighbours of thin bars.
  const isThin = thickness < 12;
  return markup`${bars(boxes(false, beside), 'bar beside')}${bars(boxes(false, own), 'bar')}${hatched}${parts}${!isThin && rules(ticks, 'halo')}${rules(ticks, isThin ? 'tick thin' : 'tick')}`;
}

/** The figure of each bar beyond its end, and beyond the tick where the two would meet; that of the largest whole one is bold. */
function figureTexts(
  drawn: readonly DrawnPoint[],
  { start, thickness, scale, isHorizontal }: BarPlot,
  write: Write,
): Markup[] {
  const largest = largestWhole(drawn);
  return drawn.map((point, index) => {
    const { value, previous } = point;
    const words = value === null ? '–' : write(value);
    const isNegative = (value ?? 0) < 0;
    const away = isHorizontal === isNegative ? -1 : 1;
    const end = scale(value ?? 0);
    const tick = previous === null ? end : scale(previous);
    const room = isHorizontal ? textWidth(words) * boldWidth + 12 : 24;
    const meets = (tick - end) * away > -3 && (tick - end) * away < room;
    const at = meets ? tick : end;
    const middle = start(index) + thickness / 2;
    const tone = value === null ? 'soft' : point === largest ? 'bold' : '';
    if (!isHorizontal)
      return text(middle, at + (isNegative ? 16 : -6), words, `${tone} mid`.trim());
    return text(at + 6 * away, middle + 4.5, words, `${tone}${isNegative ? ' end' : ''}`.trim());
  });
}

interface HorizontalBar extends DrawnPoint {
  readonly name: string;
}

const [thickness, pitch] = [18, 28];

/** Horizontal bars from 0, with the name on the left and the figure on the right. */
export function horizontalBars(
  rows: readonly HorizontalBar[],
  write: Write,
  { width, isNarrow, id }: Frame,
): Drawing {
  const names = rows.map(({ name }) => cutToWidth(name, width * (isNarrow ? 0.5 : 0.36)));
  const figures = rows.map(({ value }) => (value === null ? '–' : write(value)));
  const left = (max(names, textWidth) ?? 0) + 14;
  const figureRoom = (max(figures, textWidth) ?? 0) * boldWidth + 10;
  const range = rangeFromZero(rows.flatMap(({ value, previous }) => [value, previous]));
  // The figures of negative bars are to the left of them.
  const x = scaleLinear(range, [left + (range[0] < 0 ? figureRoom : 0), width - figureRoom]);
  const start = (index: number) => 4 + index * pitch;
  const plot = { start, thickness, scale: x, isHorizontal: true, id };
  const zero = x(0);
  const words = names.map((name, index) =>
    text(0, start(index) + thickness - 4.5, name, 'low bidi'),
  );
  const bottom = start(rows.length - 1) + thickness;
  return {
    height: bottom + 8,
    marks: markup`${barMarks(rows, plot)}${rules([[zero, 0, zero, bottom + 4]], 'axis')}${words}${figureTexts(rows, plot, write)}`,
  };
}
