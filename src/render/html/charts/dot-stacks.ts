import { group, max } from 'd3-array';
import { markup, type Markup } from '../markup.ts';
import { tenth } from '../text-width.ts';

/** One dot a value, stacked where values are near each other; or bars where dots would be too many. */
export interface Stacks {
  readonly drawn: Markup;
  /** The top of what stands between two places, in px. */
  readonly topBetween: (from: number, to: number) => number;
  /** The count of the tallest bar with its place; null for dots, which can be counted. */
  readonly tallest: { readonly x: number; readonly y: number; readonly count: number } | null;
}

export interface StackFrame {
  readonly x: (value: number) => number;
  readonly width: number;
  /** Stacks stand on the first and reach the second, in px. */
  readonly base: number;
  readonly top: number;
  /** Px from dot to dot. */
  readonly pitch: number;
  /** So many of the largest values are set off; 0: none. */
  readonly topCount: number;
}

/** More dots than these are not counted by anyone. */
const maxDots = 1500;
/** Dots nearer than this share of their pitch run into each other. */
const leastRise = 0.62;

/** @param values ascending */
export function stackValues(values: readonly number[], frame: StackFrame): Stacks {
  const columns = binsOf(values, frame, frame.pitch);
  const room = frame.base - frame.top;
  const rise = Math.min(frame.pitch, room / (max(columns, ({ count }) => count) ?? 1));
  if (values.length > maxDots || rise < frame.pitch * leastRise) return histogram(values, frame);
  return dots(columns, rise, frame);
}

interface Bin {
  /** The middle, in px. */
  readonly x: number;
  readonly count: number;
  /** Of them among the largest. */
  readonly top: number;
}

function binsOf(values: readonly number[], { x, topCount }: StackFrame, pitch: number): Bin[] {
  const firstTop = values.length - topCount;
  const places = values.map((value, index) => ({ bin: Math.floor(x(value) / pitch), isTop: index >= firstTop })); // prettier-ignore
  return [...group(places, ({ bin }) => bin)].map(([bin, members]) => ({
    x: (bin + 0.5) * pitch,
    count: members.length,
    top: members.filter(({ isTop }) => isTop).length,
  }));
}

/** A stack is one stroke of round dots, however many they are. */
function dots(bins: readonly Bin[], rise: number, { base, pitch }: StackFrame): Stacks {
  const size = tenth(Math.min(rise, pitch) - 0.7);
  const foot = base - 1 - size / 2;
  const column = (x: number, below: number, count: number) =>
    count === 0 ? '' : `M${tenth(x)} ${tenth(foot - below * rise)}v${tenth(-(count - 1) * rise - 0.2)}`; // prettier-ignore
  const others = bins.map(({ x, count, top }) => column(x, 0, count - top)).join('');
  const tops = bins.map(({ x, count, top }) => column(x, count - top, top)).join('');
  const look = markup` stroke-width="${size}" stroke-dasharray="0 ${tenth(rise)}"`;
  return {
    drawn: markup`${others !== '' && markup`<path class="dots" d="${others}"${look}/>`}${tops !== '' && markup`<path class="dots top" d="${tops}"${look}/>`}`,
    topBetween: topOf(bins, (count) => base - count * rise),
    tallest: null,
  };
}

function histogram(values: readonly number[], frame: StackFrame): Stacks {
  const pitch = frame.pitch * 2;
  const bins = binsOf(values, { ...frame, topCount: 0 }, pitch);
  const most = max(bins, ({ count }) => count) ?? 1;
  const yOf = (count: number) => frame.base - (count / most) * (frame.base - frame.top - 18);
  const path = bins.map(
    ({ x, count }) =>
      `M${tenth(x - pitch / 2 + 0.5)} ${frame.base}V${tenth(yOf(count))}h${tenth(pitch - 1)}V${frame.base}z`,
  );
  const tallest = bins.find(({ count }) => count === most);
  return {
    drawn: markup`<path class="bar" d="${path.join('')}"/>`,
    topBetween: topOf(bins, yOf),
    tallest: tallest ? { x: tallest.x, y: yOf(most), count: most } : null,
  };
}

function topOf(bins: readonly Bin[], yOf: (count: number) => number): Stacks['topBetween'] {
  return (from, to) => {
    const near = bins.filter(({ x }) => x >= from && x <= to);
    return yOf(max(near, ({ count }) => count) ?? 0);
  };
}
