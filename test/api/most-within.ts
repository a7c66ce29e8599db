/** Returns the largest number of times within one interval of `periodMs`, including both ends. */
export function mostWithin(timesMs: readonly number[], periodMs: number): number {
  const sorted = timesMs.toSorted((a, b) => a - b);
  return Math.max(
    ...sorted.map((start, at) => sorted.slice(at).filter((t) => t <= start + periodMs).length),
  );
}
