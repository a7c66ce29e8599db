import { group } from 'd3-array';
import type {
  Cell,
  ChartSpec,
  ReportSection,
  ReportTable,
} from '../../../report/report-document.ts';
import type { PageContext } from '../page-context.ts';
import { cellIn, type ChartColumn, chartColumn, numberIn } from './chart-column.ts';
import { createXReader, type XReader } from './x-reader.ts';

export type MultiplesSpec = Extract<ChartSpec, { kind: 'multiples' }>;

export interface FacetBar {
  readonly place: number;
  readonly value: number | null;
  readonly previous: number | null;
}

export interface Facet {
  readonly name: string;
  /** The facet's figure in the section's own rows, as printed; null where they have none. */
  readonly figure: string | null;
  readonly bars: readonly FacetBar[];
}

export interface FacetSet {
  readonly reader: XReader;
  /** In the order of the rows. */
  readonly facets: readonly Facet[];
  /** From the first to the last place of any facet; every facet has room for all of them. */
  readonly places: readonly number[];
  readonly y: ChartColumn;
  /** Facets that had no room. */
  readonly leftOut: number;
}

/** Four rows of five on a wide page. */
const maxFacets = 20;
/** Bars thinner than 1 px tell nothing. */
const maxPlaces = 120;

/** Null where `facet`, `x` or `y` is no column, or no row has a value. */
export function facetSet(
  section: ReportSection,
  table: ReportTable,
  spec: MultiplesSpec,
  context: PageContext,
): FacetSet | null {
  const facet = chartColumn(table, spec.facet);
  const x = chartColumn(table, spec.x);
  const y = chartColumn(table, spec.y);
  if (!facet || !x || !y) return null;
  const previous = chartColumn(table, spec.previous);
  const reader = createXReader(x, context);
  const readings = table.rows.flatMap((row) => {
    const place = reader.placeOf(cellIn(row, x));
    if (place === null) return [];
    const name = nameIn(row, facet, context);
    return [{ name, place, value: numberIn(row, y), previous: numberIn(row, previous) }];
  });
  if (readings.every(({ value }) => value === null)) return null;
  const figures = section === table ? new Map<string, string>() : figuresOf(section, spec, context);
  const all = [...group(readings, ({ name }) => name)].map(([name, bars]) => ({
    name,
    figure: figures.get(name) ?? null,
    bars: bars.toSorted((a, b) => a.place - b.place),
  }));
  return {
    reader,
    facets: all.slice(0, maxFacets),
    places: placesOf(readings.map(({ place }) => place), reader), // prettier-ignore
    y,
    leftOut: Math.max(0, all.length - maxFacets),
  };
}

function nameIn(row: readonly Cell[], column: ChartColumn, { formatter }: PageContext): string {
  const cell = cellIn(row, column);
  return cell === null ? '(none)' : formatter.format(cell, column.format);
}

/** What the SQL says of each facet as a whole: a sum of the bars would not be one for every kind of figure. */
function figuresOf(
  section: ReportSection,
  spec: MultiplesSpec,
  context: PageContext,
): Map<string, string> {
  const facet = chartColumn(section, spec.facet);
  const y = chartColumn(section, spec.y);
  if (!facet || !y) return new Map();
  const pairs = section.rows.map((row): [string, string] => [
    nameIn(row, facet, context),
    context.formatter.format(cellIn(row, y), y.format),
  ]);
  return new Map(pairs);
}

/** Months in a row, with those that nobody has; other places as the rows have them. The latest, if too many. */
function placesOf(places: readonly number[], { kind }: XReader): number[] {
  const known = [...new Set(places)].sort((a, b) => a - b);
  const first = known[0] ?? 0;
  const last = known.at(-1) ?? first;
  if (kind !== 'month' || last - first > maxPlaces) return known.slice(-maxPlaces);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
