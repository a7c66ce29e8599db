import { scaleLinear, scaleLog } from 'd3-scale';
import { textWidth } from '../text-width.ts';

/** Of values above 0. */
export interface LogAxis {
  readonly x: (value: number) => number;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
}

/** Fewer steps a decade, until labels have room beside each other. */
const steps = [[1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];
const strides = [2, 3, 6, 12, 24];

/** @param range least and largest value, both above 0 */
export function logAxis(
  [low, high]: readonly [number, number],
  [left, right]: readonly [number, number],
  write: (value: number) => string,
): LogAxis {
  const [from, to] = low === high ? [low / 2, high * 2] : [low, high];
  const x = scaleLog([from, to], [left, right]);
  const isInside = (value: number) => value >= from && value <= to;
  const choices = [
    ...steps.map((each) => decadeValues(from, to).flatMap((decade) => each.map((step) => step * decade))), // prettier-ignore
    ...strides.map((stride) => decadeValues(from, to).filter((decade) => Math.round(Math.log10(decade)) % stride === 0)), // prettier-ignore
    scaleLinear([from, to], [0, 1]).ticks(4),
  ]
    .map((values) => values.filter(isInside))
    .map((values) => values.map((value) => ({ value, text: write(value) })));
  const fits = (ticks: LogAxis['ticks']) =>
    ticks.length > 1 &&
    ticks.every((tick, index) => {
      const before = ticks[index - 1];
      if (!before) return true;
      const room = (textWidth(tick.text) + textWidth(before.text)) / 2 + 12;
      return tick.text !== before.text && x(tick.value) - x(before.value) >= room;
    });
  return { x, ticks: choices.find(fits) ?? [from, to].filter((each) => each === low || each === high).map((value) => ({ value, text: write(value) })) }; // prettier-ignore
}

/** Powers of ten from the one at or below `from`. */
function decadeValues(from: number, to: number): number[] {
  const first = Math.floor(Math.log10(from));
  const last = Math.ceil(Math.log10(to));
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}
