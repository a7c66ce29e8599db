import { max, maxIndex } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ChartSpec, ColumnFormat } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, cutToWidth, textWidth } from '../text-width.ts';
import {
  type Chart,
  type ChartScope,
  type Drawing,
  formatNamed,
  type Frame,
  inSentence,
  leftOutNotes,
  periodKey,
} from './figure.ts';
import { bars, type Box, hatch, previousTicks, type Rule, rules, text } from './marks.ts';
import { axisTexts, createPlaceReader, placeAxis, type PlaceReader, usualStep } from './places.ts';
import { compactWriter, gridMarks, gridRoom, gridTicks, rangeFromZero } from './values.ts';

type BarsSpec = Extract<ChartSpec, { kind: 'bars' }>;
type StagesSpec = Extract<ChartSpec, { kind: 'stages' }>;

export interface Bar {
  readonly value: number | null;
  readonly previous: number | null;
  /** The part of the value that is of young posts: from 0 to the value. */
  readonly young: number;
}

interface PlacedBar extends Bar {
  readonly place: number;
}

interface Series {
  readonly reader: PlaceReader;
  readonly bars: readonly PlacedBar[];
  readonly format: ColumnFormat;
  readonly context: PageContext;
}

/** Words need a label each; of anything else more cannot be told apart. */
const maxBars = { word: 40, other: 600 } as const;
/** A few bars are left-aligned rather than broad. */
const maxStep = 100;
const [top, plotHeight] = [26, 170];

/** Bars from 0, ticks for the previous period; null for a single date, and when nothing on the axis has a value. */
export function barChart(spec: BarsSpec, scope: ChartScope): Chart | null {
  const { table, context } = scope;
  const [x, format] = [formatNamed(table, spec.x), formatNamed(table, spec.y)];
  if (!x || !format) return null;
  const reader = createPlaceReader(x, context);
  const all = readBars(spec, reader, scope);
  if (all.every(({ value }) => value === null)) return null;
  const isWords = reader.kind === 'word';
  // A single month or day is in the table.
  if (all.length === 1 && !isWords) return null;
  const shown = all.slice(0, isWords ? maxBars.word : maxBars.other);
  const series = { reader, bars: shown, format, context };
  const hasPrevious = shown.some(({ previous }) => previous !== null);
  return {
    key: periodKey({ hasPrevious, hasYoung: shown.some(({ young }) => young > 0) }, scope),
    draw: (frame) => drawBars(series, frame),
    showsAllValues: shown.length === all.length && (isWords || hasFigures(series, 928)),
    notes: leftOutNotes(shown.length, all.length),
  };
}

/** Of rows with one place the last counts; what is empty at both ends of a time is not drawn. */
function readBars(spec: BarsSpec, reader: PlaceReader, { rows }: ChartScope): PlacedBar[] {
  const read = rows.flatMap((row): PlacedBar[] => {
    const place = reader.placeOf(row.cell(spec.x));
    const value = row.number(spec.y);
    const young = Math.min(Math.max(row.number(spec.not_final) ?? 0, 0), Math.max(value ?? 0, 0));
    return place === null ? [] : [{ place, value, previous: row.number(spec.previous), young }];
  });
  if (reader.kind === 'word') return read;
  const sorted = [...new Map(read.map((bar) => [bar.place, bar])).values()].sort(
    (a, b) => a.place - b.place,
  );
  const isDrawn = ({ value, previous }: Bar) => value !== null || previous !== null;
  return sorted.slice(Math.max(0, sorted.findIndex(isDrawn)), sorted.findLastIndex(isDrawn) + 1);
}

function drawBars(series: Series, frame: Frame): Drawing {
  const { reader, format, context } = series;
  const { step } = slotsOf(series, frame.width);
  const isUpright =
    reader.kind !== 'word' ||
    series.bars.every(({ place }) => textWidth(reader.nameOf(place)) <= step - 6);
  if (isUpright) return drawUpright(series, frame);
  const write = compactWriter(format, context);
  const rows = series.bars.map((bar) => ({ ...bar, name: reader.nameOf(bar.place) }));
  return lyingBars(rows, write, frame);
}

interface Slots {
  /** Where a place's slot begins, from the left of the plot. */
  readonly at: (place: number) => number;
  /** From one to the next. */
  readonly step: number;
  readonly width: number;
}

/** Even steps along a scale, with a gap where a row is missing; side by side where places have no even steps. */
function slotsOf({ reader, bars: drawn }: Series, width: number): Slots {
  const places = drawn.map(({ place }) => place);
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const unit = usualStep(places, reader);
  const ranks = new Map(places.map((place, rank) => [place, rank]));
  const isEven = unit !== null && (last - first) / unit < maxBars.other;
  const rankOf = (place: number) => (isEven ? (place - first) / unit : (ranks.get(place) ?? 0));
  const count = isEven ? Math.round(rankOf(last)) + 1 : places.length;
  const step = Math.min(width / count, maxStep);
  return { at: (place) => rankOf(place) * step, step, width: step * count };
}

/** Whether each bar has room for its figure; else there is an axis. */
function hasFigures(series: Series, width: number): boolean {
  const write = compactWriter(series.format, series.context);
  const { step } = slotsOf(series, width);
  return series.bars.every(({ value }) => value === null || textWidth(write(value)) <= step - 4);
}

function drawUpright(series: Series, frame: Frame): Drawing {
  const { reader, bars: drawn, format, context } = series;
  const range = rangeFromZero(drawn.flatMap(({ value, previous }) => [value, previous]));
  const ticks = gridTicks(range);
  const isDirect = hasFigures(series, frame.width);
  const gutter = isDirect ? 0 : gridRoom(ticks, format, context);
  const slots = slotsOf(series, frame.width - gutter);
  const y = scaleLinear(range, [top + plotHeight, top]);
  const right = gutter + slots.width;
  const thickness = slots.step * (slots.step < 12 ? 0.85 : 0.725);
  const middle = (place: number) => gutter + slots.at(place) + slots.step / 2;
  const left = (place: number) => middle(place) - thickness / 2;
  const places = drawn.map(({ place }) => place);
  const axis = placeAxis(reader, places, middle, context);
  // Figures of negative bars are below them.
  const bottom = top + plotHeight + (range[0] < 0 ? 18 : 0);
  const start = (index: number) => left(places[index] ?? 0);
  const plot = { start, thickness, scale: y, isLying: false, id: frame.id };
  return {
    height: bottom + axis.height,
    marks: markup`${!isDirect && gridMarks({ ticks, y, width: right }, format, context)}${barMarks(drawn, plot)}${rules([[0, y(0), right, y(0)]], 'axis')}${isDirect && figureTexts(series, y, middle)}${axisTexts(axis, axis.startsAtPlace ? left : middle, { bottom, right: frame.width })}`,
  };
}

interface BarPlot {
  /** Where a bar begins across its length. */
  readonly start: (index: number) => number;
  readonly thickness: number;
  readonly scale: (value: number) => number;
  readonly isLying: boolean;
  /** Of the picture. */
  readonly id: string;
  readonly hasThinTicks?: boolean;
}

/** Bars from 0 with a hatched end for what is not final, and a tick across each for the previous period. */
export function barMarks(drawn: readonly Bar[], plot: BarPlot): Markup {
  const { start, thickness, scale, isLying, id } = plot;
  const box = (index: number, from: number, to: number): Box => {
    const [low, high] = [Math.min(scale(from), scale(to)), Math.max(scale(from), scale(to))];
    return isLying
      ? { left: low, top: start(index), width: high - low, height: thickness }
      : { left: start(index), top: low, width: thickness, height: high - low };
  };
  const reach = thickness * 0.07;
  const ticks = drawn.flatMap(({ previous }, index): Rule[] => {
    if (previous === null) return [];
    const [from, to] = [start(index) - reach, start(index) + thickness + reach];
    const at = scale(previous);
    return [isLying ? [at, from, at, to] : [from, at, to, at]];
  });
  const final = drawn.flatMap(({ value, young }, index) =>
    value === null ? [] : [box(index, 0, value - young)],
  );
  const young = drawn.flatMap(({ value, young: part }, index) =>
    value === null || part === 0 ? [] : [box(index, value - part, value)],
  );
  const pattern = `${id}-young`;
  const hatched =
    young.length > 0 && markup`${hatch(pattern, 'young')}${bars(young, 'young', pattern)}`;
  const isThin = plot.hasThinTicks ?? thickness < 9;
  return markup`${bars(final, 'bar')}${hatched}${previousTicks(ticks, !isThin)}`;
}

function largestOf(drawn: readonly Bar[]): number {
  return maxIndex(drawn, ({ value }) => value ?? Number.NEGATIVE_INFINITY);
}

/** The figure of each bar beyond its end, and beyond the tick where the two would meet; the largest is bold. */
function figureTexts(
  { bars: drawn, format, context }: Series,
  y: (value: number) => number,
  middle: (place: number) => number,
): Markup[] {
  const write = compactWriter(format, context);
  const largest = largestOf(drawn);
  return drawn.map(({ place, value, previous }, index) => {
    const end = y(value ?? 0);
    const tick = previous === null ? end : y(previous);
    const isNegative = (value ?? 0) < 0;
    const meets = isNegative
      ? tick > end - 3 && tick < end + 24
      : tick < end + 3 && tick > end - 24;
    const base = (meets ? tick : end) + (isNegative ? 16 : -6);
    if (value === null) return text(middle(place), base, '–', 'soft mid');
    return text(middle(place), base, write(value), index === largest ? 'bold mid' : 'mid');
  });
}

interface LyingBar extends Bar {
  readonly name: string;
  /** Between this bar and the one above it. */
  readonly remark?: string | null;
}

const barHeight = 18;
/** Below a key. */
const margin = 10;

/** Lying bars from 0, each after its name and before its figure: for words that need the room. */
export function lyingBars(
  rows: readonly LyingBar[],
  write: (value: number) => string,
  { width, isNarrow, id }: Frame,
): Drawing {
  const pitch = rows.some(({ remark }) => remark) ? 50 : 28;
  const names = rows.map(({ name }) => cutToWidth(name, width * (isNarrow ? 0.46 : 0.36)));
  const figures = rows.map(({ value }) => (value === null ? '–' : write(value)));
  const left = (max(names, textWidth) ?? 0) * boldWidth + 14;
  const figureRoom = (max(figures, textWidth) ?? 0) * boldWidth + 10;
  const range = rangeFromZero(rows.flatMap(({ value, previous }) => [value, previous]));
  // Figures of negative bars are before them.
  const x = scaleLinear(range, [left + (range[0] < 0 ? figureRoom : 0), width - figureRoom]);
  const largest = largestOf(rows);
  const start = (index: number) => margin + index * pitch;
  const texts = rows.map(({ value, previous, remark }, index) => {
    const base = start(index) + barHeight - 4.5;
    const ends = [x(value ?? 0), ...(previous === null ? [] : [x(previous)])];
    const isNegative = (value ?? 0) < 0;
    const end = isNegative ? Math.min(...ends) - 6 : Math.max(...ends, x(0)) + 6;
    const look = [index === largest ? 'bold' : '', isNegative ? 'end' : ''].join(' ').trim();
    const between = typeof remark === 'string' && remarkMarks(remark, x(0), start(index), width);
    return markup`${text(0, base, names[index] ?? '', 'low bidi')}${text(end, base, figures[index] ?? '', value === null ? 'soft' : look)}${between}`;
  });
  const bottom = start(rows.length - 1) + barHeight;
  const plot = { start, thickness: barHeight, scale: x, isLying: true, id };
  return {
    height: bottom + 8,
    marks: markup`${barMarks(rows, plot)}${rules([[x(0), margin - 4, x(0), bottom + 4]], 'axis')}${texts}`,
  };
}

/** Beside an arrow from the bar above, or at the right where there is no room. */
function remarkMarks(remark: string, zero: number, y: number, width: number): Markup {
  const fits = zero + 18 + textWidth(remark) <= width;
  if (!fits) return text(width, y - 10, remark, 'end');
  return markup`${rules([[zero + 8, y - 26, zero + 8, y - 7]], 'arrow')}${text(zero + 18, y - 11.5, remark)}`;
}

/** Lying bars, each with its rate of the one above it; null without a value. */
export function stagesChart(spec: StagesSpec, { rows, table, context }: ChartScope): Chart | null {
  if (rows.every((row) => row.number(spec.value) === null)) return null;
  const format = formatNamed(table, spec.value) ?? 'count';
  const write = (value: number) => context.formatter.format(value, format);
  const stages = rows.map((row, index) => {
    const before = rows[index - 1]?.text(spec.label) ?? null;
    const hasRate = before !== null && row.number(spec.rate) !== null;
    const remark = hasRate ? `${row.text(spec.rate)} of ${inSentence(before)}` : null;
    const value = row.number(spec.value);
    return { name: row.text(spec.label), value, previous: null, young: 0, remark };
  });
  return { draw: (frame) => lyingBars(stages, write, frame), showsAllValues: true };
}
