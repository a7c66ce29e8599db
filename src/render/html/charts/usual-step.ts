import { min } from 'd3-array';

/** The distance of more than half of the neighbours, where all places are whole; else null. */
export function usualStep(places: readonly number[]): number | null {
  if (!places.every(Number.isInteger)) return null;
  const counts = new Map<number, number>();
  for (const distance of distancesOf(places)) {
    counts.set(distance, (counts.get(distance) ?? 0) + 1);
  }
  return [...counts].find(([, count]) => count > (places.length - 1) / 2)?.[0] ?? null;
}

/** For days, which all exist: that distance, or the least one if the others are multiples of it, or one day. */
export function dayStep(places: readonly number[]): number {
  const usual = usualStep(places);
  if (usual !== null) return usual;
  const distances = distancesOf(places);
  const least = min(distances) ?? 1;
  return distances.every((distance) => distance % least === 0) ? least : 1;
}

function distancesOf(places: readonly number[]): number[] {
  return places.slice(1).map((place, index) => place - (places[index] ?? 0));
}
