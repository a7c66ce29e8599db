import type { ChartDefinition } from './chart-schema.ts';

/** A column that a chart draws. */
export interface DrawnColumn {
  /** Its key in report.yaml, for example `y`. */
  readonly part: string;
  readonly column: string;
  /** What the chart can draw there; null: anything. */
  readonly kind: 'number' | 'boolean' | null;
}

/** Parts that hold no name of a column. */
const settings = new Set(['kind', 'rows', 'steps', 'minimum']);

const labels = new Set(['x', 'series', 'facet', 'label', 'group', 'part', 'row', 'column']);

/** The columns that a chart names, in its own order. */
export function drawnColumns(chart: ChartDefinition): DrawnColumn[] {
  return Object.entries(chart).flatMap(([part, column]) =>
    settings.has(part) || typeof column !== 'string' ? [] : [{ part, column, kind: kindOf(part) }],
  );
}

function kindOf(part: string): DrawnColumn['kind'] {
  if (labels.has(part)) return null;
  return part === 'used' ? 'boolean' : 'number';
}
