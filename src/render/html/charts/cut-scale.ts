import type { FacetBar } from './facet-series.ts';

/** A common scale; bars beyond its top are cut there. */
export interface CutScale {
  readonly low: number;
  readonly high: number;
}

/** One value this many times the next one would leave the others without height. */
const dominance = 4;
const maxCut = 3;
/** Above the largest bar that is not cut. */
const headroom = 1.3;

/**
 * From 0 to the largest value, unless up to three values are four times the next one or more: then the scale
 * ends a little above that next one. Marks of the previous period are never cut.
 */
export function cutScale(bars: readonly FacetBar[]): CutScale {
  const values = bars.flatMap(({ value }) => value ?? []).sort((a, b) => b - a);
  const marks = bars.flatMap(({ previous }) => previous ?? []);
  const leastHigh = Math.max(0, ...marks);
  const low = Math.min(0, values.at(-1) ?? 0, ...marks);
  const largest = Math.max(values[0] ?? 0, leastHigh);
  const plain = { low, high: low === 0 && largest === 0 ? 1 : largest };
  // Where nearly all are cut, there is nothing to compare with.
  if (values.length < 2 * maxCut) return plain;
  for (let cut = 1; cut <= maxCut; cut += 1) {
    const next = Math.max(values[cut] ?? 0, leastHigh);
    if (next > 0 && (values[cut - 1] ?? 0) >= next * dominance) {
      return { low, high: next * headroom };
    }
  }
  return plain;
}
