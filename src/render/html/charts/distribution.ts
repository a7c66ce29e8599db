import { group, max, mean, median, pairs, range, ticks as roundTicks } from 'd3-array';
import { scaleLog } from 'd3-scale';
import type { ChartSpec, ColumnFormat } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, tenth, textWidth } from '../text-width.ts';
import { type Chart, type ChartScope, type Drawing, formatNamed, type Frame } from './figure.ts';
import { bars, rules, text, within } from './marks.ts';

type DistributionSpec = Extract<ChartSpec, { kind: 'distribution' }>;
type Write = (value: number) => string;

/** The values of a column, and which of them a logarithmic axis can have. */
interface Spread {
  /** Above 0, ascending. */
  readonly positive: readonly number[];
  readonly zeros: number;
  readonly negatives: number;
  readonly unknown: number;
  /** Of all known values, those without a place on the axis too; null where they are too few to have one. */
  readonly median: number | null;
  readonly mean: number;
}

/** Stacks of dots between these, in px; the names of median and mean are above. */
const [top, base, height] = [48, 150, 190];
/** Half of fewer values than these says nothing of the rest. */
const minForMedian = 10;
/** The largest values are set off where they are few among many. */
const [topCount, minForTop] = [10, 100];
/** More dots than these cannot be counted; bars replace them. */
const maxDots = 1500;
/** Dots nearer than this share of their distance run into each other. */
const minRise = 0.62;

/** One dot a row on a logarithmic axis; null when no value is above 0. */
export function distributionChart(
  spec: DistributionSpec,
  { table, rows, context }: ChartScope,
): Chart | null {
  const values = rows.map((row) => row.number(spec.value));
  const known = values.filter((value) => value !== null);
  const positive = known.filter((value) => value > 0).sort((a, b) => a - b);
  const format = formatNamed(table, spec.value);
  if (!format || positive.length === 0) return null;
  const spread: Spread = {
    positive,
    zeros: known.filter((value) => value === 0).length,
    negatives: known.filter((value) => value < 0).length,
    unknown: values.length - known.length,
    median: known.length < minForMedian ? null : (median(known) ?? null),
    mean: mean(known) ?? 0,
  };
  const title = table.columns.find(({ name }) => name === spec.value)?.title ?? '';
  return {
    draw: (frame) => drawSpread(spread, roundWriter(format, context), { title, context, frame }),
    showsAllValues: false,
    notes: spreadNotes(spread, context),
  };
}

/** Without cents where they say little: the axis and the names of the lines are no place for them. */
function roundWriter(format: ColumnFormat, { formatter }: PageContext): Write {
  return (value) => {
    const isRound = format === 'money_exact' && (value >= 10 || Number.isInteger(value));
    return formatter.format(value, isRound ? 'money' : format, { compact: value >= 100_000 });
  };
}

function drawSpread(
  spread: Spread,
  write: Write,
  { title, context, frame }: { title: string; context: PageContext; frame: Frame },
): Drawing {
  const { width, isNarrow } = frame;
  const [low = 1, high = 1] = [spread.positive[0], spread.positive.at(-1)];
  const x = scaleLog(low === high ? [low / 2, high * 2] : [low, high], [8, width - 8]);
  const ticks = logTicks(x, write);
  const strokes = ticks.map((tick) => [x(tick), base, x(tick), base + 5] as const);
  const names = ticks.map((tick) => {
    const at = within(x(tick), textWidth(write(tick)) / 2, width);
    return text(at, base + 19, write(tick), 'soft mid');
  });
  const axisName = `${title}, logarithmic${isNarrow ? '' : ' scale'}`;
  const count = (rows: number) => context.formatter.format(rows, 'count');
  return {
    height,
    marks: markup`${stacks(spread.positive, x, count, frame)}${rules([[0, base, width, base], ...strokes], 'axis')}${names}${text(width, height - 4, axisName, 'soft end')}${middleMarks(spread, x, write, frame)}`,
  };
}

/** Round values, fewer a decade until their labels have room beside each other. */
function logTicks(x: ReturnType<typeof scaleLog<number>>, write: Write): number[] {
  const [from = 1, to = 1] = x.domain();
  const exponents = range(Math.floor(Math.log10(from)), Math.ceil(Math.log10(to)) + 1);
  const decades = [[1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]].map((steps) =>
    exponents.flatMap((exponent) => steps.map((step) => step * 10 ** exponent)),
  );
  const sparse = [2, 3, 6, 12, 24].map((stride) =>
    exponents.filter((exponent) => exponent % stride === 0).map((exponent) => 10 ** exponent),
  );
  const fits = (values: readonly number[]) =>
    values.length > 1 &&
    pairs(values).every(([value, next]) => {
      const room = (textWidth(write(value)) + textWidth(write(next))) / 2 + 12;
      return write(value) !== write(next) && x(next) - x(value) >= room;
    });
  const choices = [...decades, ...sparse, roundTicks(from, to, 4)];
  const inside = choices.map((values) => values.filter((value) => value >= from && value <= to));
  return inside.find(fits) ?? [from];
}

interface Bin {
  /** The middle, in px. */
  readonly x: number;
  readonly count: number;
  /** Of them among the largest. */
  readonly top: number;
}

/** One dot a value, stacked where values are near each other; or bars where dots would be too many. */
function stacks(
  values: readonly number[],
  x: (value: number) => number,
  write: Write,
  { isNarrow, width }: Frame,
): Markup {
  const pitch = isNarrow ? 3.6 : 5.8;
  const bins = binsOf(values, x, pitch);
  const rise = Math.min(pitch, (base - top) / (max(bins, ({ count }) => count) ?? 1));
  if (values.length > maxDots || rise < pitch * minRise) {
    return histogram(binsOf(values, x, pitch * 2), pitch * 2, write);
  }
  const size = tenth(rise - 0.7);
  // A stack is one stroke of round dots, however many they are.
  const column = (at: number, below: number, count: number) => {
    const foot = base - 1 - size / 2 - below * rise;
    return count === 0 ? '' : `M${tenth(at)} ${tenth(foot)}v${tenth(-(count - 1) * rise - 0.2)}`;
  };
  const dots = (look: string, path: string) =>
    path !== '' &&
    markup`<path class="${look}" d="${path}" stroke-width="${size}" stroke-dasharray="0 ${tenth(rise)}"/>`;
  const others = bins.map(({ x: at, count, top: own }) => column(at, 0, count - own)).join('');
  const tops = bins.map(({ x: at, count, top: own }) => column(at, count - own, own)).join('');
  return markup`${dots('dots', others)}${dots('dots top', tops)}${tops !== '' && topText(bins, rise, width)}`;
}

function binsOf(values: readonly number[], x: (value: number) => number, pitch: number): Bin[] {
  const firstTop = values.length >= minForTop ? values.length - topCount : values.length;
  const ranks = values.map((_, rank) => rank);
  const binOf = (rank: number) => Math.floor(x(values[rank] ?? 1) / pitch);
  return [...group(ranks, binOf)].map(([bin, own]) => ({
    x: (bin + 0.5) * pitch,
    count: own.length,
    top: own.filter((rank) => rank >= firstTop).length,
  }));
}

/** To one scale; the tallest says how many it stands for. */
function histogram(bins: readonly Bin[], pitch: number, write: Write): Markup {
  const most = max(bins, ({ count }) => count) ?? 1;
  const boxes = bins.map(({ x, count }) => {
    const size = (count / most) * (base - top - 18);
    return { left: x - pitch / 2 + 0.5, top: base - size, width: pitch - 1, height: size };
  });
  const tallest = bins.find(({ count }) => count === most);
  return markup`${bars(boxes, 'bar')}${tallest !== undefined && text(tallest.x, top + 13, write(most), 'mid')}`;
}

/** Above the first of the largest ten. */
function topText(bins: readonly Bin[], rise: number, width: number): Markup {
  const words = `top ${topCount}`;
  const half = (textWidth(words) * boldWidth) / 2;
  const first = Math.min(...bins.flatMap(({ x, top: own }) => (own > 0 ? [x] : [])));
  const middle = Math.min(first + half, width - half);
  const near = bins.filter(({ x }) => Math.abs(x - middle) <= half + 6);
  const y = Math.min(base - (max(near, ({ count }) => count) ?? 0) * rise, base - 10) - 8;
  return text(middle, Math.max(y, top + 4), words, 'strong mid tone c1');
}

/**
 * The median as a solid line and the mean as a dotted one, each named on the side that is away from the other.
 * A name without room on its side goes to the other one, above the other name.
 */
function middleMarks(
  { median: half, mean: average }: Spread,
  x: (value: number) => number,
  write: Write,
  { width }: Frame,
): Markup {
  const place = (value: number | null, name: string, look: string, isRight: boolean) => {
    if (value === null || value <= 0) return null;
    const at = within(x(value), 1, width);
    const words = `${name} ${write(value)}`;
    const room = textWidth(words) * boldWidth + 8;
    const fits = isRight ? at + room <= width : at >= room;
    return { at, words, look, fits, goesRight: fits === isRight };
  };
  const isMeanRight = half === null || average >= half;
  const names = [
    place(half, 'median', 'drop solid', !isMeanRight),
    place(average, 'mean', 'drop', isMeanRight),
  ].filter((name) => name !== null);
  const areBothTurned = names.every(({ fits }) => !fits);
  return markup`${names.map(({ at, words, look, fits, goesRight }) => {
    const y = fits || (areBothTurned && look === 'drop') ? 30 : 14;
    return markup`${rules([[at, y - 12, at, base]], look)}${text(at + (goesRight ? 6 : -6), y, words, goesRight ? 'bold' : 'bold end')}`;
  })}`;
}

/** What the axis leaves out, and why. */
function spreadNotes(
  { zeros, negatives, unknown, median: half }: Spread,
  { formatter }: PageContext,
): string[] {
  const count = (values: number) => formatter.format(values, 'count');
  const off = [
    ...(zeros > 0 ? [`${count(zeros)} ${zeros === 1 ? 'value is' : 'values are'} 0`] : []),
    ...(negatives > 0 ? [`${count(negatives)} ${negatives === 1 ? 'is' : 'are'} below 0`] : []),
  ];
  const counted = half === null ? 'the mean counts' : 'median and mean count';
  return [
    ...(off.length > 0
      ? [`${off.join(' and ')}: a logarithmic axis has no place for them; ${counted} them.`]
      : []),
    ...(half === null ? [`Fewer than ${minForMedian} values: too few for a median.`] : []),
    ...(unknown > 0
      ? [`${count(unknown)} without a value ${unknown === 1 ? 'is' : 'are'} not drawn.`]
      : []),
  ];
}
