import { max, maxIndex } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { Day } from '../../../core/calendar.ts';
import type { ChartSpec, ColumnFormat } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, cutToWidth, textWidth } from '../text-width.ts';
import {
  axisTexts,
  createPlaceReader,
  daysOf,
  exactPlace,
  placeLabels,
  type PlaceReader,
  shortWriter,
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
  notFinalKey,
  periodKeys,
  targetKey,
} from './figure.ts';
import { bars, type Box, hatch, rangeFromZero, type Rule, rules, text } from './marks.ts';

type BarsSpec = Extract<ChartSpec, { kind: 'bars' }>;

export interface Bar {
  readonly value: number | null;
  readonly previous: number | null;
  /** The part of the value that comes from posts whose figures are not final, from 0 to the value. */
  readonly young: number;
  /** True for a bar beside those that the report is about. */
  readonly isBeside?: boolean;
}

export interface PlacedBar extends Bar {
  readonly place: number;
}

interface Series {
  /** What each bar should reach; null without a target. */
  readonly target: number | null;
  readonly reader: PlaceReader;
  readonly bars: readonly PlacedBar[];
  readonly format: ColumnFormat;
  readonly context: PageContext;
}

type Write = (value: number) => string;

/** The most bars that can be told apart; bars of words need a label each. */
const maxBars = { word: 40, other: 600 } as const;
/** The widest bar, in px: a few bars are left-aligned instead of wide. */
const maxStep = 100;
const [top, base] = [26, 196];

/** Bars from 0, ticks for the previous period; null for a single date, and when nothing on the axis has a value. */
export function barChart(spec: BarsSpec, scope: ChartScope): Chart | null {
  const { table, rows, context, id } = scope;
  const [x, format] = [formatNamed(table, spec.x), formatNamed(table, spec.y)];
  if (!x || !format) return null;
  const reader = createPlaceReader(x, context);
  const all = readBars(spec, reader, scope);
  if (all.every(({ value }) => value === null)) return null;
  const isWords = reader.kind === 'word';
  // A single month or day is in the table.
  if (all.length === 1 && !isWords) return null;
  const shown = all.slice(0, isWords ? maxBars.word : maxBars.other);
  const target = max(rows, (row) => row.number(spec.target) ?? undefined) ?? null;
  const series = { target, reader, bars: shown, format, context };
  const hasPrevious = shown.some(({ previous }) => previous !== null);
  return {
    key: [
      ...periodKeys(hasPrevious, context),
      target === null ? null : targetKey(context),
      shown.some(({ young }) => young > 0) ? notFinalKey(`${id}-key`, context) : null,
    ],
    draw: (frame) => (isWords ? drawWords : drawUpright)(series, frame),
    showsAllValues: shown.length === all.length && (isWords || hasFigures(series, 928)),
    notes: leftOutNotes(shown.length, all.length, context, context.say('bars')),
    ...daysOfSeries(series),
  };
}

/** The days of the axis, where it is one of time in even steps. */
function daysOfSeries({ reader, bars: drawn }: Series): Pick<Chart, 'days'> {
  const places = drawn.map(({ place }) => place);
  const step = usualStep(places, reader) ?? 1;
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  return (last - first) / step >= maxBars.other ? {} : daysOf(reader, first, last + step);
}

/** One bar for each place. The last row of a place wins, and empty bars at both ends of an axis of time are left out. */
function readBars(spec: BarsSpec, reader: PlaceReader, { rows }: ChartScope): PlacedBar[] {
  const read = rows.flatMap((row): PlacedBar[] => {
    const place = reader.placeOf(row.cell(spec.x));
    const value = row.number(spec.y);
    const young = Math.min(Math.max(row.number(spec.not_final) ?? 0, 0), Math.max(value ?? 0, 0));
    const isBeside = spec.marked !== null && row.cell(spec.marked) !== true;
    return place === null
      ? []
      : [{ place, value, previous: row.number(spec.previous), young, isBeside }];
  });
  if (reader.kind === 'word') return read;
  const sorted = [...new Map(read.map((bar) => [bar.place, bar])).values()].sort(
    (a, b) => a.place - b.place,
  );
  const isDrawn = ({ value, previous }: Bar) => value !== null || previous !== null;
  return sorted.slice(Math.max(0, sorted.findIndex(isDrawn)), sorted.findLastIndex(isDrawn) + 1);
}

interface Slots {
  /** The left edge of the slot of a place, in px from the left of the plot. */
  readonly at: (place: number) => number;
  readonly step: number;
  readonly width: number;
}

/** Slots in even steps with gaps for missing rows, or side by side when the places have no even steps. */
function slotsOf({ reader, bars: drawn }: Series, width: number): Slots {
  const places = drawn.map(({ place }) => place);
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const unit = usualStep(places, reader);
  const ranks = new Map(places.map((place, rank) => [place, rank]));
  const isEven = unit !== null && (last - first) / unit < maxBars.other;
  const rankOf = (place: number) => (isEven ? (place - first) / unit : (ranks.get(place) ?? 0));
  const count = Math.round(rankOf(last)) + 1;
  const step = Math.min(width / count, maxStep);
  return { at: (place) => rankOf(place) * step, step, width: step * count };
}

/** Tells whether each bar has room for its figure; otherwise the chart has an axis. */
function hasFigures(series: Series, width: number): boolean {
  const write = shortWriter(series.format, series.context);
  const { step } = slotsOf(series, width);
  return series.bars.every(({ value }) => value === null || textWidth(write(value)) <= step - 4);
}

function drawUpright(series: Series, frame: Frame): Drawing {
  const { target, reader, bars: drawn, format, context } = series;
  const range = rangeFromZero([
    target,
    ...drawn.flatMap(({ value, previous }) => [value, previous]),
  ]);
  const { y, room, grid } = valueAxis(range, [base, top], format, context);
  const isDirect = hasFigures(series, frame.width);
  const gutter = isDirect ? 0 : room;
  const slots = slotsOf(series, frame.width - gutter);
  const right = gutter + slots.width;
  const thickness = slots.step * (slots.step < 12 ? 0.85 : 0.725);
  const middle = (place: number) => gutter + slots.at(place) + slots.step / 2;
  const places = drawn.map(({ place }) => place);
  const start = (index: number) => middle(places[index] ?? 0) - thickness / 2;
  const plot = { start, thickness, scale: y, isHorizontal: false, id: frame.id };
  // The figures of negative bars are below them.
  const bottom = base + (range[0] < 0 ? 18 : 0);
  const names = placeLabels(reader, places, middle, context);
  const axis = axisTexts(names, middle, { bottom, right: frame.width });
  const { kind } = reader;
  const half = kind === 'day' && usualStep(places, reader) === 1 ? 0.5 : 0;
  return {
    ...(kind !== 'word' &&
      kind !== 'number' && {
        timeline: {
          x: (day: Day) => gutter + slots.at(exactPlace(day, kind) + half),
          bottom: base,
        },
      }),
    height: axis.height,
    marks: markup`${!isDirect && grid(right)}${barMarks(drawn, plot)}${target !== null && rules([[gutter, y(target), right, y(target)]], 'target')}${rules([[0, y(0), right, y(0)]], 'axis')}${isDirect && markup`<g class="over">${figureTexts(drawn, plot, shortWriter(format, context))}</g>`}${axis.marks}`,
  };
}

function drawWords({ reader, bars: drawn, format, context }: Series, frame: Frame): Drawing {
  const rows = drawn.map((bar) => ({ ...bar, name: reader.nameOf(bar.place) }));
  return horizontalBars(rows, shortWriter(format, context), frame);
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
export function barMarks(drawn: readonly Bar[], plot: BarPlot): Markup {
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
  const finalBars = (beside: boolean) =>
    drawn.flatMap(({ value, young, isBeside = false }, index) =>
      value === null || isBeside !== beside ? [] : [box(index, 0, value - young)],
    );
  const young = drawn.flatMap(({ value, young: part }, index) =>
    value === null || part === 0 ? [] : [box(index, value - part, value)],
  );
  const pattern = `${id}-young`;
  const hatched =
    young.length > 0 && markup`${hatch(pattern, 'young')}${bars(young, 'young', pattern)}`;
  // A halo would cover the neighbours of thin bars.
  const isThin = thickness < 12;
  return markup`${bars(finalBars(true), 'bar beside')}${bars(finalBars(false), 'bar')}${hatched}${!isThin && rules(ticks, 'halo')}${rules(ticks, isThin ? 'tick thin' : 'tick')}`;
}

/** The figure of each bar beyond its end, and beyond the tick where the two would meet; that of the largest is bold. */
function figureTexts(
  drawn: readonly Bar[],
  { start, thickness, scale, isHorizontal }: BarPlot,
  write: Write,
): Markup[] {
  const largest = maxIndex(drawn, ({ value }) => value ?? Number.NEGATIVE_INFINITY);
  return drawn.map(({ value, previous }, index) => {
    const words = value === null ? '–' : write(value);
    const isNegative = (value ?? 0) < 0;
    const away = isHorizontal === isNegative ? -1 : 1;
    const end = scale(value ?? 0);
    const tick = previous === null ? end : scale(previous);
    const room = isHorizontal ? textWidth(words) * boldWidth + 12 : 24;
    const meets = (tick - end) * away > -3 && (tick - end) * away < room;
    const at = meets ? tick : end;
    const middle = start(index) + thickness / 2;
    const tone = value === null ? 'soft' : index === largest ? 'bold' : '';
    if (!isHorizontal)
      return text(middle, at + (isNegative ? 16 : -6), words, `${tone} mid`.trim());
    return text(at + 6 * away, middle + 4.5, words, `${tone}${isNegative ? ' end' : ''}`.trim());
  });
}

interface HorizontalBar extends Bar {
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
