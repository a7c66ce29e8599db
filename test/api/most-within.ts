/** The most of these times that lie in one interval of `periodMs`, its two ends included. */
export function mostWithin(timesMs: readonly number[], periodMs: number): number {
  const sorted = timesMs.toSorted((a, b) => a - b);
  return Math.max(
    ...sorted.map((start, at) => sorted.slice(at).filter((t) => t <= start + periodMs).length),
  );
}
