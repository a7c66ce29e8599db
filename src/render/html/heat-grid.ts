import { max, min, sum } from 'd3-array';
import type { ChartSpec, ReportTable } from '../../report/report-document.ts';
import { figureOf } from './change.ts';

export type HeatmapSpec = Extract<ChartSpec, { kind: 'heatmap' }>;

export interface HeatCell {
  /** 1 = Monday. */
  readonly weekday: number;
  readonly hour: number;
  readonly posts: number;
  readonly value: number | null;
  /** Colour from 0 (low) to 6 (high), equal steps of value; null where there are too few posts. */
  readonly step: number | null;
  /** Among the three highest of those with enough posts. */
  readonly isTop: boolean;
}

export interface HeatGrid {
  /** Those with a post. */
  readonly cells: readonly HeatCell[];
  /** From the first to the last hour with a post. */
  readonly hours: readonly number[];
  /** Of the coloured cells; null when none is. */
  readonly range: readonly [number, number] | null;
}

export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
export const heatSteps = [0, 1, 2, 3, 4, 5, 6] as const;
const topCount = 3;

export function heatGrid(table: ReportTable, spec: HeatmapSpec): HeatGrid {
  const slots = readSlots(table, spec);
  const ranked = slots
    .filter(({ posts }) => posts >= spec.minimum)
    .flatMap(({ value }) => value ?? [])
    .sort((a, b) => b - a);
  const range = rangeOf(ranked);
  const threshold = ranked[topCount - 1] ?? Number.NEGATIVE_INFINITY;
  const hours = slots.map(({ hour }) => hour);
  return {
    cells: slots.map((slot) => {
      const { value, posts } = slot;
      if (value === null || range === null || posts < spec.minimum) {
        return { ...slot, step: null, isTop: false };
      }
      return { ...slot, step: stepOf(value, range), isTop: value >= threshold };
    }),
    hours: hoursBetween(min(hours), max(hours)),
    range,
  };
}

export function postsIn(
  { cells }: HeatGrid,
  where: Partial<Pick<HeatCell, 'weekday' | 'hour'>>,
): number {
  return sum(
    cells.filter(
      ({ weekday, hour }) =>
        weekday === (where.weekday ?? weekday) && hour === (where.hour ?? hour),
    ),
    ({ posts }) => posts,
  );
}

type Slot = Omit<HeatCell, 'step' | 'isTop'>;

function readSlots({ columns, rows }: ReportTable, spec: HeatmapSpec): Slot[] {
  const place = (name: string) => columns.findIndex((column) => column.name === name);
  const at = {
    weekday: place(spec.row),
    hour: place(spec.column),
    posts: place(spec.n),
    value: place(spec.value),
  };
  return rows.flatMap((row) => {
    const weekday = figureOf(row[at.weekday] ?? null);
    const hour = figureOf(row[at.hour] ?? null);
    const posts = figureOf(row[at.posts] ?? null) ?? 0;
    if (weekday === null || hour === null || posts === 0) return [];
    return [{ weekday, hour, posts, value: figureOf(row[at.value] ?? null) }];
  });
}

function rangeOf(descending: readonly number[]): [number, number] | null {
  const high = descending[0];
  const low = descending.at(-1);
  return high === undefined || low === undefined ? null : [low, high];
}

/** Where all are equal none is high or low: the middle. */
function stepOf(value: number, [low, high]: readonly [number, number]): number {
  if (low === high) return 3;
  return Math.min(6, Math.floor(((value - low) / (high - low)) * heatSteps.length));
}

function hoursBetween(first = 0, last = -1): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
