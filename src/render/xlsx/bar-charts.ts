import { barColor, notFinalBar, previousMarks } from './chart-looks.ts';
import { ChartColumn, type ChartSource } from './chart-cells.ts';
import type { ChartSeries, DrawnChart, SeriesLook } from './native-chart.ts';

/** More names than that no axis of 16 cm shows. */
const maxNames = 25;

const looks = {
  bar: { color: barColor, kind: 'bar' },
  outline: { color: barColor, kind: 'outline' },
  light: { color: 'A9CBE6', kind: 'bar' },
  dark: { color: '0A3763', kind: 'bar' },
} as const satisfies Record<string, SeriesLook>;

/** A column for each row, hatched what may still change, and a dash for the period before. */
export function barChart(
  source: ChartSource,
  names: {
    readonly label: string;
    readonly value: string;
    readonly previous: string | null;
    readonly notFinal: string | null;
  },
): DrawnChart | null {
  const label = ChartColumn.of(source, names.label);
  const value = ChartColumn.of(source, names.value);
  if (!label || !value) return null;
  const rows = namedRows(source, label);
  const knownColumn = (name: string | null) => {
    const column = name === null ? null : ChartColumn.of(source, name);
    return column && rows.some((row) => (column.number(row) ?? 0) !== 0) ? column : null;
  };
  const notFinal = knownColumn(names.notFinal);
  const previous = knownColumn(names.previous);
  return {
    kind: 'columns',
    format: value.format ?? 'General',
    series: [
      ...seriesOf({ label, value, rows, look: looks.bar }),
      ...(notFinal ? seriesOf({ label, value: notFinal, rows, look: notFinalBar }) : []),
      ...(previous ? seriesOf({ label, value: previous, rows, look: previousMarks }) : []),
    ],
  };
}

/** In centimetres: of one lying bar with its gap, of what is around all of them, and of the whole chart. */
const barHeight = 0.55;
const aroundBars = 1.6;
const heightLimits = [4, 16] as const;

/**
 * Lying bars: one for each row and figure, in the order of the rows.
 * @param names.used the column that is true for the row in use; the others are drawn lighter
 */
export function figuresChart(
  source: ChartSource,
  names: { readonly label: string; readonly used?: string },
  figures: readonly { readonly name: string; readonly look: keyof typeof looks }[],
): DrawnChart | null {
  const label = ChartColumn.of(source, names.label);
  const used = names.used === undefined ? null : ChartColumn.of(source, names.used);
  if (!label) return null;
  const drawn = figures.flatMap(({ name, look }) => {
    const value = ChartColumn.of(source, name);
    const isKnown = value && source.table.rows.some((_, row) => value.number(row) !== null);
    return isKnown ? [{ value, look: looks[look] }] : [];
  });
  const rows = namedRows(source, label).filter((row) =>
    drawn.some(({ value }) => value.number(row) !== null),
  );
  const [first] = drawn;
  if (!first) return null;
  const bars = Math.max(rows.length * drawn.length, 2 * rows.length);
  const painted = rows.flatMap((row, index) =>
    used === null || used.cell(row) === true ? [] : [{ index, color: looks.light.color }],
  );
  return {
    kind: 'bars',
    format: first.value.format ?? 'General',
    hasValues: drawn.length === 1,
    height: Math.min(heightLimits[1], Math.max(heightLimits[0], aroundBars + barHeight * bars)),
    series: drawn.flatMap(({ value, look }) =>
      seriesOf({ label, value, rows, look }).map((series) => ({ ...series, painted })),
    ),
  };
}

/** Rows that a mark can be named by: those of times all, of names the first. */
function namedRows({ table }: ChartSource, label: ChartColumn): number[] {
  const rows = [...table.rows.keys()].filter((row) => label.value(row) !== null);
  return typeof label.value(rows[0] ?? 0) === 'number' ? rows : rows.slice(0, maxNames);
}

function seriesOf(parts: {
  readonly label: ChartColumn;
  readonly value: ChartColumn;
  readonly rows: readonly number[];
  readonly look: SeriesLook;
}): ChartSeries[] {
  const { label, value, rows, look } = parts;
  const categories = label.cells(rows);
  const values = value.cells(rows);
  return categories && values ? [{ name: value.head(), categories, values, look }] : [];
}
