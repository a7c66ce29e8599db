import { maxIndex } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ChartSpec, ColumnFormat } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { textWidth } from '../text-width.ts';
import { chartRows, columnNamed } from './chart-rows.ts';
import { type Chart, type ChartScope, type Drawing, type Frame, leftOutNotes } from './figure.ts';
import { lyingBars } from './lying-bars.ts';
import { bars, hatch, previousTicks, type Rule, rules, text } from './marks.ts';
import { periodKey } from './period-key.ts';
import {
  createPlaceReader,
  placeAxis,
  type PlaceAxis,
  type PlaceReader,
  usualStep,
} from './places.ts';
import { compactWriter, gridMarks, gridRoom, gridTicks, rangeFromZero } from './values.ts';

type BarsSpec = Extract<ChartSpec, { kind: 'bars' }>;

interface Bar {
  readonly place: number;
  readonly value: number | null;
  readonly previous: number | null;
  /** The part of the value that is of young posts: from 0 to the value. */
  readonly young: number;
}

interface Series {
  readonly reader: PlaceReader;
  readonly bars: readonly Bar[];
  readonly format: ColumnFormat;
  readonly context: PageContext;
}

/** Words need a label each; of anything else more cannot be told apart. */
const maxBars = { word: 40, other: 600 } as const;
/** A few bars stand at the left rather than grow broad. */
const maxStep = 100;
const [top, plotHeight] = [26, 170];

/** Bars from 0, ticks for the previous period; null for a single date, and when nothing on the axis has a value. */
export function barChart(spec: BarsSpec, scope: ChartScope): Chart | null {
  const { table, context, id } = scope;
  const x = columnNamed(table, spec.x);
  const y = columnNamed(table, spec.y);
  if (!x || !y) return null;
  const reader = createPlaceReader(x, context);
  const all = readBars(spec, reader, scope);
  if (all.every(({ value }) => value === null)) return null;
  // A single month or day is in the table.
  if (all.length === 1 && reader.kind !== 'word') return null;
  const shown = all.slice(0, reader.kind === 'word' ? maxBars.word : maxBars.other);
  const series = { reader, bars: shown, format: y.format, context };
  return {
    key: periodKey(
      {
        hasPrevious: shown.some(({ previous }) => previous !== null),
        hasYoung: shown.some(({ young }) => young > 0),
        id,
      },
      context,
    ),
    draw: (frame) => drawBars(series, frame),
    showsAllValues: shown.length === all.length && hasFigures(series, 928),
    notes: leftOutNotes(shown.length, all.length),
  };
}

/** Of rows with one place the last counts; what is empty at both ends of a time is not drawn. */
function readBars(spec: BarsSpec, reader: PlaceReader, { table, context }: ChartScope): Bar[] {
  const read = chartRows(table, context.formatter).flatMap((row): Bar[] => {
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
  const isTooLong =
    reader.kind === 'word' &&
    series.bars.some(({ place }) => textWidth(reader.nameOf(place)) > step - 6);
  if (!isTooLong) return drawUpright(series, frame);
  const write = compactWriter(format, context);
  const rows = series.bars.map((bar) => ({
    ...bar,
    name: reader.nameOf(bar.place),
    figure: bar.value === null ? '–' : write(bar.value),
  }));
  return lyingBars(rows, frame);
}

interface Slots {
  /** Of a place's bar, from the left of the plot. */
  readonly at: (place: number) => number;
  /** From one to the next. */
  readonly step: number;
  readonly width: number;
}

/** Even steps along a scale, with a gap where a row is missing; side by side where places have no even steps. */
function slotsOf({ reader, bars: drawn }: Pick<Series, 'reader' | 'bars'>, width: number): Slots {
  const places = drawn.map(({ place }) => place);
  const first = places[0] ?? 0;
  const unit = usualStep(places, reader);
  const count = unit === null ? 0 : Math.round(((places.at(-1) ?? first) - first) / unit) + 1;
  const isEven = unit !== null && count <= maxBars.other;
  const ranks = new Map(places.map((place, rank) => [place, rank]));
  const slots = isEven ? count : places.length;
  const step = Math.min(width / slots, maxStep);
  const rankOf = (place: number) => (isEven ? (place - first) / unit : (ranks.get(place) ?? 0));
  return { at: (place) => rankOf(place) * step, step, width: step * slots };
}

/** Whether each bar has room for its figure: else an axis tells them. */
function hasFigures(series: Series, width: number): boolean {
  const write = compactWriter(series.format, series.context);
  const { step } = slotsOf(series, width);
  const isLying = series.reader.kind === 'word';
  return (
    isLying ||
    series.bars.every(({ value }) => value === null || textWidth(write(value)) <= step - 4)
  );
}

function drawUpright(series: Series, frame: Frame): Drawing {
  const { reader, bars: drawn, format, context } = series;
  const range = rangeFromZero(drawn.flatMap(({ value, previous }) => [value, previous]));
  const ticks = gridTicks(range);
  const isDirect = hasFigures(series, frame.width);
  const gutter = isDirect ? 0 : gridRoom(ticks, format, context);
  const { at, step, width } = slotsOf(series, frame.width - gutter);
  const y = scaleLinear(range, [top + plotHeight, top]);
  const barWidth = step * (step < 12 ? 0.85 : 0.725);
  const left = ({ place }: Bar) => gutter + at(place) + (step - barWidth) / 2;
  const middle = (place: number) => gutter + at(place) + step / 2;
  const box = (bar: Bar, from: number, to: number) => {
    const [high, low] = [Math.min(y(from), y(to)), Math.max(y(from), y(to))];
    return { left: left(bar), top: high, width: barWidth, height: low - high };
  };
  const known = drawn.flatMap((bar) => (bar.value === null ? [] : [{ bar, value: bar.value }]));
  const final = known.map(({ bar, value }) => box(bar, 0, value - bar.young));
  const young = known.flatMap(({ bar, value }) =>
    bar.young > 0 ? [box(bar, value - bar.young, value)] : [],
  );
  const previous = drawn.flatMap((bar): Rule[] => {
    if (bar.previous === null) return [];
    const reach = barWidth * 0.07;
    return [[left(bar) - reach, y(bar.previous), left(bar) + barWidth + reach, y(bar.previous)]];
  });
  const places = drawn.map(({ place }) => place);
  const axis = placeAxis(reader, places, middle, context);
  // Figures of negative bars stand below them.
  const bottom = top + plotHeight + (range[0] < 0 ? 18 : 0);
  const pattern = `${frame.id}-young`;
  const grid = !isDirect && gridMarks({ ticks, y, width: gutter + width }, format, context);
  const hatched =
    young.length > 0 && markup`${hatch(pattern, 'young')}${bars(young, 'young', pattern)}`;
  const figures = isDirect && figureTexts(series, y, middle);
  return {
    height: bottom + axisHeight(axis),
    marks: markup`${grid}${bars(final, 'bar')}${hatched}${previousTicks(previous, step >= 12)}${rules([[0, y(0), gutter + width, y(0)]], 'axis')}${figures}${axisTexts(axis, axis.startsAtPlace ? (place) => middle(place) - barWidth / 2 : middle, { bottom, right: frame.width })}`,
  };
}

/** The figure of each bar beyond its end, and beyond the tick where the two would meet; the largest is bold. */
function figureTexts(
  { bars: drawn, format, context }: Series,
  y: (value: number) => number,
  middle: (place: number) => number,
): Markup[] {
  const write = compactWriter(format, context);
  const largest = maxIndex(drawn, ({ value }) => value ?? Number.NEGATIVE_INFINITY);
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

export function axisHeight({ labels }: PlaceAxis): number {
  return labels.some(({ year }) => year !== null) ? 40 : 24;
}

/** Below their marks, the year on a second line; what would leave the picture is not written. */
export function axisTexts(
  { labels, startsAtPlace }: PlaceAxis,
  x: (place: number) => number,
  { bottom, right }: { readonly bottom: number; readonly right: number },
): Markup[] {
  const look = startsAtPlace ? 'soft' : 'soft mid';
  return labels.map(({ place, text: words, year }) => {
    const at = x(place);
    if (startsAtPlace && at + textWidth(words) > right + 10) return markup``;
    return markup`${text(at, bottom + 19, words, `${look} bidi`)}${year !== null && text(at, bottom + 35, year, look)}`;
  });
}
