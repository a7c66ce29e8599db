import { ascending, group, max, mean, median, range, ticks as roundTicks } from 'd3-array';
import { scaleLog, type ScaleLogarithmic } from 'd3-scale';
import type { ChartSpec } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, tenth, textWidth } from '../text-width.ts';
import { axisTexts, firstThatFits, shortWriter } from './axes.ts';
import { type Chart, type ChartScope, formatNamed } from './figure.ts';
import { bars, rules, text, within } from './marks.ts';

type DistributionSpec = Extract<ChartSpec, { kind: 'distribution' }>;
type Scale = ScaleLogarithmic<number, number>;

/** Median or mean, as a line with its name. */
interface Middle {
  readonly words: string;
  readonly value: number;
  readonly look: string;
}

/** The top and the bottom of the stacks of dots, in px; the names of median and mean are above. */
const [top, base, height] = [48, 150, 190];
/** The least number of values for a median. */
const minForMedian = 10;
/** Dots that are stacked closer than this share of their width run into each other; bars replace them. */
const minRise = 0.62;

/** One dot a row on a logarithmic axis; null when no value is above 0. */
export function distributionChart(
  spec: DistributionSpec,
  { table, rows, context }: ChartScope,
): Chart | null {
  const values = rows.map((row) => row.number(spec.value));
  const known = values.filter((value) => value !== null);
  const positive = known.filter((value) => value > 0).sort(ascending);
  const column = table.columns.find(({ name }) => name === spec.value);
  const [low, high] = [positive[0], positive.at(-1)];
  if (!column || low === undefined || high === undefined) return null;
  const write = shortWriter(formatNamed(table, spec.value) ?? 'decimal', context);
  const middles = middlesOf(known, write, context);
  const domain = low === high ? [low / 2, high * 2] : [low, high];
  return {
    draw: ({ width, isNarrow }) => {
      const x = scaleLog(domain, [8, width - 8]);
      const labels = logLabels(x, write);
      const axis = axisTexts(labels, x, { bottom: base, right: width });
      const ticks = labels.map(({ place }) => [x(place), base, x(place), base + 5] as const);
      const stacks = stackMarks(positive.map(x), isNarrow ? 3.6 : 5.8, (count) =>
        context.formatter.format(count, 'count'),
      );
      const name = context.say('{title:text}, logarithmic scale', { title: column.title });
      return {
        height,
        marks: markup`${stacks}${rules([[0, base, width, base], ...ticks], 'axis')}${axis.marks}${text(width, height - 4, name, 'soft end')}${middleMarks(middles, x, width)}`,
      };
    },
    showsAllValues: false,
    notes: leftOutNotes(values, context),
  };
}

/** The median and the mean, the lower one first. */
function middlesOf(
  known: readonly number[],
  write: (value: number) => string,
  { say }: PageContext,
): Middle[] {
  const half = known.length < minForMedian ? 0 : (median(known) ?? 0);
  const average = mean(known) ?? 0;
  const middles = [
    { words: say('median {value:text}', { value: write(half) }), value: half, look: 'drop solid' },
    { words: say('mean {value:text}', { value: write(average) }), value: average, look: 'drop' },
  ];
  return middles.filter(({ value }) => value > 0).sort((a, b) => a.value - b.value);
}

/** The names are on the outer sides of the two marks; one without room there goes above the other mark. */
function middleMarks(middles: readonly Middle[], x: Scale, width: number): Markup[] {
  const last = middles.length - 1;
  let y = 30;
  return middles.map(({ words, value, look }, index) => {
    const at = within(x(value), 1, width);
    const room = textWidth(words) * boldWidth + 8;
    const isLeft = index < last ? at >= room : at + room > width;
    if (index < last) y = isLeft ? 30 : 14;
    else if (isLeft || y === 14) y = 44 - y;
    const name = text(at + (isLeft ? -6 : 6), y, words, isLeft ? 'bold end' : 'bold');
    return markup`${rules([[at, y - 12, at, base]], look)}${name}`;
  });
}

/** The labels at round values: fewer per decade when they would overlap. */
function logLabels(x: Scale, write: (value: number) => string) {
  const [from = 1, to = 1] = x.domain();
  const exponents = range(Math.floor(Math.log10(from)), Math.ceil(Math.log10(to)) + 1);
  const choices = [
    ...[[1, 2, 5], [1]].map((steps) =>
      exponents.flatMap((each) => steps.map((step) => step * 10 ** each)),
    ),
    ...[2, 3, 6, 12].map((stride) =>
      exponents.filter((each) => each % stride === 0).map((each) => 10 ** each),
    ),
    roundTicks(from, to, 4),
    [from],
  ];
  const labels = choices.map((values) =>
    values
      .filter((value) => value >= from && value <= to)
      .map((place) => ({ place, text: write(place) })),
  );
  return firstThatFits(labels, x);
}

/** Dots stacked where values are near each other; or bars, the tallest with its count, where dots would be too many. */
function stackMarks(
  places: readonly number[],
  pitch: number,
  write: (count: number) => string,
): Markup {
  const bins = group(places, (at) => Math.floor(at / pitch));
  const most = max(bins.values(), ({ length }) => length) ?? 1;
  const rise = Math.min(pitch, (base - top) / most);
  if (rise < pitch * minRise) {
    const unit = (base - top - 18) / most;
    const boxes = [...bins].map(([bin, { length }]) => {
      const size = { width: pitch - 1, height: length * unit };
      return { left: bin * pitch + 0.5, top: base - size.height, ...size };
    });
    const [tallest = 0] = [...bins].find(([, { length }]) => length === most) ?? [];
    return markup`${bars(boxes, 'bar')}${text((tallest + 0.5) * pitch, top + 13, write(most), 'mid')}`;
  }
  // A stack is one stroke of round dots, however many they are.
  const size = tenth(rise - 0.7);
  const stacks = [...bins].map(
    ([bin, { length }]) =>
      `M${tenth((bin + 0.5) * pitch)} ${tenth(base - 1 - size / 2)}v${tenth(-(length - 1) * rise - 0.2)}`,
  );
  return markup`<path class="dots" d="${stacks.join('')}" stroke-width="${size}" stroke-dasharray="0 ${tenth(rise)}"/>`;
}

/** Notes about values that a logarithmic axis cannot show. */
function leftOutNotes(values: readonly (number | null)[], { say }: PageContext): string[] {
  const low = values.filter((value) => value !== null && value <= 0).length;
  const unknown = values.filter((value) => value === null).length;
  const notes = [
    low > 0 &&
      say('Not drawn on the logarithmic axis, but in the mean: {n:count} of 0 or less.', {
        n: low,
      }),
    unknown > 0 && say('Not drawn: {n:count} without a value.', { n: unknown }),
  ];
  return notes.filter((note) => note !== false);
}
