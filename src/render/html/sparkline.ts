import { maxIndex } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { rangeFromZero } from './charts/marks.ts';
import { markup, type Markup } from './markup.ts';
import { cleanAttribute } from './plain-text.ts';
import { tenth } from './text-width.ts';

/** In px; on a card the line has a base, in a cell it has none. */
interface SparkFrame {
  readonly width: number;
  readonly height: number;
  readonly hasBase: boolean;
}

export const cardSpark: SparkFrame = { width: 114, height: 24, hasBase: true };
export const cellSpark: SparkFrame = { width: 84, height: 20, hasBase: false };

/** A line without an axis, from 0, its peak dotted; unknown values are gaps. Null under two values. */
export function sparkline(
  values: readonly (number | null)[],
  label: string,
  { width, height, hasBase }: SparkFrame,
): Markup | null {
  if (values.filter((value) => value !== null).length < 2) return null;
  const x = scaleLinear([0, values.length - 1], [hasBase ? 0 : 3, hasBase ? width : width - 3]);
  const y = scaleLinear(rangeFromZero(values), [height - 2.5, 3]);
  const draw = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => tenth(x(index)))
    .y((value) => tenth(y(value ?? 0)));
  const peak = maxIndex(values, (value) => value ?? Number.NEGATIVE_INFINITY);
  const base = hasBase && markup`<path class="base" d="M0 ${height - 0.5}H${width}"/>`;
  return markup`<svg class="spark" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${cleanAttribute(label)}">${base}<path class="trend" d="${draw(values) ?? ''}"/>${lonePoints(values).map((index) => markup`<circle class="lone" cx="${tenth(x(index))}" cy="${tenth(y(values[index] ?? 0))}" r="1"/>`)}<circle class="peak" cx="${tenth(x(peak))}" cy="${tenth(y(values[peak] ?? 0))}" r="2.2"/></svg>`;
}

/** Known values between two unknown ones: a line has no length there. */
function lonePoints(values: readonly (number | null)[]): number[] {
  return values.flatMap((value, index) => {
    const isAlone = (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;
    return value !== null && isAlone ? [index] : [];
  });
}
