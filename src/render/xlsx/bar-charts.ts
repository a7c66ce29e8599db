import { barColor, previousMarks } from './chart-looks.ts';
import { ChartColumn, type ChartSource } from './chart-cells.ts';
import type { ChartSeries, SeriesLook } from './native-chart.ts';
import type { DrawnChart } from './native-charts.ts';

/** More names than that no axis of 16 cm shows. */
const maxNames = 25;

const looks = {
  bar: { color: barColor, kind: 'bar' },
  outline: { color: barColor, kind: 'outline' },
  light: { color: 'A9CBE6', kind: 'bar' },
  dark: { color: '0A3763', kind: 'bar' },
} as const satisfies Record<string, SeriesLook>;

/** A column for each row, and a dash for the period before. */
export function barChart(
  source: ChartSource,
  names: { readonly label: string; readonly value: string; readonly previous: string | null },
): DrawnChart | null {
  const label = ChartColumn.of(source, names.label);
  const value = ChartColumn.of(source, names.value);
  if (!label || !value) return null;
  const rows = namedRows(source, label);
  const previous = names.previous === null ? null : ChartColumn.of(source, names.previous);
  const isCompared = previous !== null && rows.some((row) => previous.number(row) !== null);
  return {
    kind: 'columns',
    format: value.format ?? 'General',
    series: [
      ...seriesOf({ label, value, rows, look: looks.bar }),
      ...(isCompared ? seriesOf({ label, value: previous, rows, look: previousMarks }) : []),
    ],
  };
}

/** Lying bars: one for each row and figure, in the order of the rows. */
export function figuresChart(
  source: ChartSource,
  labelName: string,
  figures: readonly { readonly name: string; readonly look: keyof typeof looks }[],
): DrawnChart | null {
  const label = ChartColumn.of(source, labelName);
  if (!label) return null;
  const drawn = figures.flatMap(({ name, look }) => {
    const value = ChartColumn.of(source, name);
    return value ? [{ value, look: looks[look] }] : [];
  });
  const rows = namedRows(source, label).filter((row) =>
    drawn.some(({ value }) => value.number(row) !== null),
  );
  const [first] = drawn;
  if (!first) return null;
  return {
    kind: 'bars',
    format: first.value.format ?? 'General',
    series: drawn.flatMap(({ value, look }) => seriesOf({ label, value, rows, look })),
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
