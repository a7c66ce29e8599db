import { group, max, min } from 'd3-array';
import type { ChartSpec } from '../../../report/report-document.ts';
import { chartRows, noName } from './chart-rows.ts';
import type { ChartScope } from './figure.ts';
import { type PlaceReader, usualStep } from './places.ts';

export type LinesSpec = Extract<ChartSpec, { kind: 'lines' }>;

export interface Point {
  readonly at: number;
  readonly value: number;
}

/** Points that a line joins. */
export type Stretch = readonly Point[];

export interface LineSeries {
  /** Null where the chart has a single line without a name. */
  readonly name: string | null;
  /** Of the six that have a colour, a dash and a shape; the last is that of what has no name. */
  readonly category: number;
  /** One of many, which have no label. */
  readonly isOther: boolean;
  readonly stretches: readonly Stretch[];
  readonly previous: readonly Stretch[];
  /** How many posts it rests on, as its last row has it. */
  readonly n: number | null;
}

const maxNamed = 5;

/** Lines with a value. Null values and missing places end a stretch; nothing is filled in. */
export function lineSeries(
  spec: LinesSpec,
  reader: PlaceReader,
  { table, context }: ChartScope,
): LineSeries[] {
  const readings = chartRows(table, context.formatter).flatMap((row) => {
    const at = reader.placeOf(row.cell(spec.x));
    const name = row.cell(spec.series) === null ? noName : row.text(spec.series);
    if (at === null) return [];
    return [
      {
        at,
        name: spec.series === null ? null : name,
        value: row.number(spec.y),
        previous: row.number(spec.previous),
        n: row.number(spec.n),
      },
    ];
  });
  const joins = joinRule(
    spec,
    readings.map(({ at }) => at),
    reader,
  );
  const lines = [...group(readings, ({ name }) => name)].map(([name, own]) => {
    const sorted = own.toSorted((a, b) => a.at - b.at);
    return {
      name,
      stretches: stretchesOf(
        sorted.map(({ at, value }) => ({ at, value })),
        joins,
      ),
      previous: stretchesOf(
        sorted.map(({ at, previous }) => ({ at, value: previous })),
        joins,
      ),
      n: sorted.findLast(({ n }) => n !== null)?.n ?? null,
    };
  });
  return withCategories(lines.filter(({ stretches }) => stretches.length > 0));
}

export function lastPoint(stretches: readonly Stretch[]): Point | null {
  return stretches.at(-1)?.at(-1) ?? null;
}

type Joins = (from: number, to: number) => boolean;

/** Neighbours on the axis: at the usual distance, or the next place that any row has. */
function joinRule({ steps }: LinesSpec, all: readonly number[], reader: PlaceReader): Joins {
  if (steps) return () => true;
  const places = [...new Set(all)].sort((a, b) => a - b);
  if (reader.kind === 'month' || reader.kind === 'day') {
    const step = usualStep(places, reader) ?? 1;
    return (from, to) => to - from <= step;
  }
  const ranks = new Map(places.map((place, rank) => [place, rank]));
  return (from, to) => (ranks.get(to) ?? 0) - (ranks.get(from) ?? 0) <= 1;
}

function stretchesOf(
  readings: readonly { readonly at: number; readonly value: number | null }[],
  joins: Joins,
): Stretch[] {
  const stretches: Point[][] = [];
  let before: number | null = null;
  for (const { at, value } of readings) {
    if (value !== null) {
      if (before === null || !joins(before, at)) stretches.push([]);
      stretches.at(-1)?.push({ at, value });
    }
    before = value === null ? null : at;
  }
  return stretches;
}

/** In the order of the rows; beyond six the five that end highest, and the rest as one category. */
function withCategories(lines: readonly Omit<LineSeries, 'category' | 'isOther'>[]): LineSeries[] {
  const named = lines.filter(({ name }) => name !== noName);
  const isMany = lines.length > maxNamed + 1;
  const endOf = ({ stretches }: { stretches: readonly Stretch[] }) =>
    lastPoint(stretches)?.value ?? 0;
  const leading = new Set(
    isMany ? named.toSorted((a, b) => endOf(b) - endOf(a)).slice(0, maxNamed) : named,
  );
  const order = named.filter((line) => leading.has(line));
  return lines.map((line) => {
    const place = order.indexOf(line);
    return {
      ...line,
      category: place < 0 ? 6 : Math.min(place + 1, 6),
      isOther: isMany && place < 0,
    };
  });
}

export interface Scales {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
}

/** The path of joined points, in steps that hold a value until the next one or straight; lone points are not in it. */
export function linePath(
  stretches: readonly Stretch[],
  scales: Scales,
  isStepped: boolean,
): string {
  return stretches
    .filter((stretch) => stretch.length > 1)
    .map((stretch) => {
      const spots = thinOut(
        stretch.map(({ at, value }) => ({
          x: Math.round(scales.x(at) * 10) / 10,
          y: Math.round(scales.y(value) * 10) / 10,
        })),
      );
      const [first, ...others] = spots;
      if (!first) return '';
      let y = first.y;
      const path = others.map((spot) => {
        if (!isStepped) return `L${spot.x} ${spot.y}`;
        if (spot.y === y) return '';
        y = spot.y;
        return `H${spot.x}V${spot.y}`;
      });
      const last = spots.at(-1) ?? first;
      const end = isStepped && spots.at(-2)?.y === last.y ? `H${last.x}` : '';
      return `M${first.x} ${first.y}${path.join('')}${end}`;
    })
    .join('');
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Of more than four spots in one px the first, the lowest, the highest and the last: nobody sees others. */
function thinOut(spots: readonly Spot[]): Spot[] {
  return [...group(spots, ({ x }) => Math.floor(x)).values()].flatMap((column) => {
    if (column.length <= 4) return column;
    const ends = [min(column, ({ y }) => y), max(column, ({ y }) => y)];
    const inner = ends.map((end) => column.findIndex(({ y }) => y === end));
    const kept = [...new Set([0, ...inner, column.length - 1])].sort((a, b) => a - b);
    return kept.flatMap((index) => column[index] ?? []);
  });
}
