import { max, maxIndex } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ChartSpec } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import { boldWidth, cutToWidth, textWidth } from '../text-width.ts';
import { chartRows } from './chart-rows.ts';
import type { Chart, ChartScope, Drawing, Frame } from './figure.ts';
import { bars, hatch, previousTicks, type Rule, rules, text } from './marks.ts';
import { rangeFromZero } from './values.ts';

export interface LyingBar {
  readonly name: string;
  readonly value: number | null;
  /** As it stands behind the bar. */
  readonly figure: string;
  readonly previous: number | null;
  readonly young: number;
  /** Between this bar and the one above it. */
  readonly remark?: string | null;
}

const barHeight = 18;
/** Below a key. */
const top = 10;

/** Lying bars from 0, each after its name and before its figure: for words that need the room. */
export function lyingBars(rows: readonly LyingBar[], { width, isNarrow, id }: Frame): Drawing {
  const pitch = rows.some(({ remark }) => remark) ? 50 : 28;
  const names = rows.map(({ name }) => cutToWidth(name, width * (isNarrow ? 0.42 : 0.36)));
  const left = (max(names, textWidth) ?? 0) * boldWidth + 14;
  const figureRoom = (max(rows, ({ figure }) => textWidth(figure)) ?? 0) * boldWidth + 10;
  const range = rangeFromZero(rows.flatMap(({ value, previous }) => [value, previous]));
  // Figures of negative bars stand before them.
  const x = scaleLinear(range, [left + (range[0] < 0 ? figureRoom : 0), width - figureRoom]);
  const largest = maxIndex(rows, ({ value }) => value ?? Number.NEGATIVE_INFINITY);
  const y = (index: number) => top + index * pitch;
  const box = (index: number, from: number, to: number) => {
    const [low, high] = [Math.min(x(from), x(to)), Math.max(x(from), x(to))];
    return { left: low, top: y(index), width: high - low, height: barHeight };
  };
  const final = rows.flatMap(({ value, young }, index) =>
    value === null ? [] : [box(index, 0, value - young)],
  );
  const young = rows.flatMap(({ value, young: part }, index) =>
    value === null || part === 0 ? [] : [box(index, value - part, value)],
  );
  const ticks = rows.flatMap(({ previous }, index): Rule[] =>
    previous === null
      ? []
      : [[x(previous), y(index) - 1.5, x(previous), y(index) + barHeight + 1.5]],
  );
  const texts = rows.map(({ value, previous, figure, remark }, index) => {
    const base = y(index) + barHeight - 4.5;
    const ends = [x(value ?? 0), ...(previous === null ? [] : [x(previous)])];
    const isNegative = (value ?? 0) < 0;
    const end = isNegative ? Math.min(...ends) - 6 : Math.max(...ends, x(0)) + 6;
    const look = [index === largest ? 'bold' : '', isNegative ? 'end' : ''].join(' ').trim();
    const between = typeof remark === 'string' && remarkMarks(remark, x(0), y(index), width);
    return markup`${text(0, base, names[index] ?? '', 'low bidi')}${text(end, base, figure, value === null ? 'soft' : look)}${between}`;
  });
  const bottom = y(rows.length - 1) + barHeight;
  const pattern = `${id}-young`;
  return {
    height: bottom + 8,
    marks: markup`${bars(final, 'bar')}${young.length > 0 && markup`${hatch(pattern, 'young')}${bars(young, 'young', pattern)}`}${previousTicks(ticks, true)}${rules([[x(0), top - 4, x(0), bottom + 4]], 'axis')}${texts}`,
  };
}

/** Beside an arrow from the bar above, or at the right where there is no room. */
function remarkMarks(remark: string, zero: number, y: number, width: number): Markup {
  const fits = zero + 18 + textWidth(remark) <= width;
  if (!fits) return text(width, y - 10, remark, 'end');
  return markup`${rules([[zero + 8, y - 26, zero + 8, y - 7]], 'arrow')}${text(zero + 18, y - 11.5, remark)}`;
}

type StagesSpec = Extract<ChartSpec, { kind: 'stages' }>;

/** Lying bars, each with its rate of the one above it; null without a value. */
export function stagesChart(spec: StagesSpec, { table, context }: ChartScope): Chart | null {
  const rows = chartRows(table, context.formatter);
  if (rows.every((row) => row.number(spec.value) === null)) return null;
  const stages = rows.map((row, index) => {
    const before = rows[index - 1]?.text(spec.label) ?? null;
    const hasRate = before !== null && row.number(spec.rate) !== null;
    return {
      name: row.text(spec.label),
      value: row.number(spec.value),
      figure: row.text(spec.value),
      previous: null,
      young: 0,
      remark: hasRate ? `${row.text(spec.rate)} of ${inSentence(before)}` : null,
    };
  });
  return { draw: (frame) => lyingBars(stages, frame), showsAllValues: true };
}

/** `Likes` is `likes` within a sentence, but `EMV` and `Bo Bielak` stay as they are. */
export function inSentence(label: string): string {
  const isWord = /^\p{Lu}\p{Ll}/u.test(label) && !/\s\p{Lu}/u.test(label);
  return isWord ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}
