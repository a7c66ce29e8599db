import { maxIndex } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { rangeFromZero } from './charts/marks.ts';
import { markup, type Markup } from './markup.ts';
import { cleanAttribute } from './plain-text.ts';
import { tenth } from './text-width.ts';

/** The sizes in px; the line on a card has a base, the one in a cell has none. */
interface SparkFrame {
  readonly width: number;
  readonly height: number;
  readonly hasBase: boolean;
}

export const cardSpark: SparkFrame = { width: 114, height: 24, hasBase: true };
export const cellSpark: SparkFrame = { width: 84, height: 20, hasBase: false };

/** A line from 0 without an axis, with a dot at its peak and gaps for unknown values; null for fewer than two values. */
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
  return markup`<svg class="spark" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${cleanAttribute(label)}">${base}<path class="trend" d="${draw(values) ?? ''}"/><circle class="peak" cx="${tenth(x(peak))}" cy="${tenth(y(values[peak] ?? 0))}" r="2.2"/></svg>`;
}
