import { group } from 'd3-array';
import { daysBetween } from '../../core/calendar.ts';
import type { Formatter } from '../../languages/number-format.ts';
import {
  type ChartSpec,
  chartTable,
  type ReportDocument,
  type ReportSection,
} from '../../report/report-document.ts';
import { dayAt, isTimeKind } from '../chart-axis.ts';
import {
  chartLimits,
  type Drawn,
  type DrawnPoint,
  noteLine,
  positionsOn,
  readableSeries,
  readDrawn,
} from '../drawn.ts';
import {
  type ChartColumn,
  chartColumn,
  type ChartMarks,
  type ChartSeries,
  type ChartSource,
  type NativeChart,
  type SeriesLook,
  type UnlabelledChart,
} from './chart-cells.ts';
import { lightColors } from '../html/colors.ts';
import type { TableAddress } from './table-address.ts';

export interface ChartContext extends Pick<ChartSource, 'numberFormats' | 'timezone'> {
  readonly sections: readonly { readonly section: ReportSection; readonly address: TableAddress }[];
  readonly document: ReportDocument;
  readonly formatter: Formatter;
}

/** The chart of a section in the workbook; null when there is none, or nothing to draw. */
export function nativeChart(section: ReportSection, context: ChartContext): NativeChart | null {
  const { chart } = section;
  const sections = context.sections.map((each) => each.section);
  const table = chartTable(section, { sections });
  const address = context.sections.find((each) => each.section === table)?.address;
  if (chart === null || section.layout === 'data' || address === undefined) return null;
  const source = { ...context, table, address };
  const label = section.finding ?? section.description;
  if (chart.kind === 'quartiles') {
    const bars = quartileBars(source, chart);
    return bars && { ...inBrandColors(bars, context.document), label };
  }
  const document = { ...context.document, sections };
  const drawn = readDrawn(section, document, context.formatter);
  const shape = drawn && drawChart(drawn, chart, source, context.formatter);
  if (!drawn || !shape) return null;
  const marks = marksOf(drawn, shape, context.formatter);
  return { ...inBrandColors(shape, context.document), ...(marks && { marks }), label };
}

/** The chart with the tones of the brand in place of the usual blue ones. */
function inBrandColors(chart: UnlabelledChart, { brand }: ReportDocument): UnlabelledChart {
  const { bar, s2, s6 } = lightColors(brand?.color ?? null);
  const tones = new Map([
    [barColor, bar],
    [looks.light.color, s2],
    [looks.dark.color, s6],
  ]);
  const toned = (look: SeriesLook): SeriesLook => {
    const tone = tones.get(look.color)?.slice(1).toUpperCase();
    return tone === undefined ? look : { ...look, color: tone };
  };
  const series = chart.series.map((each) => ({
    ...each,
    look: toned(each.look),
    ...(each.points && {
      points: new Map([...each.points].map(([at, look]) => [at, toned(look)] as const)),
    }),
  }));
  return { ...chart, series };
}

/** The notes on the days of an axis of time. */
function marksOf(
  { axis, notes, series: [first] }: Drawn,
  { kind, series }: UnlabelledChart,
  formatter: Formatter,
): ChartMarks | null {
  const unit = axis.kind;
  if (notes.length === 0 || kind === 'bars' || !isTimeKind(unit)) return null;
  const isScatter = kind === 'scatter';
  const categories = isScatter ? axis.categories : (first?.points ?? []);
  const days = categories.map(({ position }) => dayAt(position, unit));
  const byDay = [...group(notes, ({ date }) => days.findLastIndex((day) => day <= date))];
  const height = Math.max(...series.flatMap(({ values }) => values.values.map(Number)));
  const marked = new Set(byDay.map(([category]) => category));
  return {
    name: formatter.say('Notes'),
    labels: new Map(
      byDay.map(([category, own], index) => [
        isScatter ? index : category,
        own.map(({ number }) => number).join(', '),
      ]),
    ),
    heights: isScatter
      ? byDay.map(() => height)
      : days.map((_, category) => (marked.has(category) ? height : null)),
    days: isScatter
      ? byDay.flatMap(([, [note]]) => (note ? [daysBetween('1899-12-30', note.date)] : []))
      : null,
    lines: notes.map((note) => noteLine(note, formatter)),
  };
}

/** The chart of what is drawn; the shares of a group, a calendar and a heatmap are only on the page. */
function drawChart(
  drawn: Drawn,
  chart: ChartSpec,
  source: ChartSource,
  formatter: Formatter,
): UnlabelledChart | null {
  if (chart.kind === 'bars')
    return drawn.axis.kind === 'word'
      ? namedBars(source, chart.x, rowsOf(drawn), { [chart.y]: looks.bar })
      : barChart(source, chart, drawn);
  if (chart.kind === 'lines') return lineChart(source, { ...chart, name: chart.series }, drawn);
  if (chart.kind !== 'multiples') return null;
  // a period of one month has one bar for each facet
  if (drawn.axis.categories.length === 1)
    return namedBars(source, chart.facet, rowsOf(drawn), { [chart.y]: looks.bar });
  const lines = { ...drawn, series: readableSeries(drawn.series, formatter) };
  return lineChart(source, { ...chart, name: chart.facet, previous: null }, lines);
}

function rowsOf({ series }: Drawn): number[] {
  return series.flatMap(({ points }) => points.map(({ row }) => row));
}

const barColor = '1A76C4';

const looks = {
  bar: { color: barColor, kind: 'bar' },
  light: { color: 'A9CBE6', kind: 'bar' },
  dark: { color: '0A3763', kind: 'bar' },
  /** The look of values that are not final, within their bar. */
  notFinal: { color: barColor, kind: 'hatch' },
  /** The look of the previous period: dashes without a line. */
  previous: { color: '15191F', kind: 'marks', mark: 'dash' },
  target: { color: 'DE5F0B', kind: 'line', dash: 'dash' },
  previousLine: { color: '7B8491', kind: 'line', dash: 'dash' },
} as const satisfies Record<string, SeriesLook>;

/** The looks of several series by their colour, which differ in dash and mark as well as in colour. */
const seriesLooks: readonly SeriesLook[] = [
  { color: '1A76C4', kind: 'line', dash: 'solid', mark: 'circle' },
  { color: 'DE5F0B', kind: 'line', dash: 'dash', mark: 'square' },
  { color: '0B3B3A', kind: 'line', dash: 'sysDot', mark: 'triangle' },
  { color: '8C319B', kind: 'line', dash: 'dashDot', mark: 'diamond' },
  { color: '5C4D06', kind: 'line', dash: 'lgDash', mark: 'x' },
  { color: '7B8491', kind: 'line', dash: 'solid' },
];

function seriesOf(
  label: ChartColumn,
  value: ChartColumn | null,
  rows: readonly number[],
  { look, name = value?.head }: { look: SeriesLook; name?: ChartSeries['name'] | undefined },
): ChartSeries[] {
  const [categories, values] = [label.cells(rows), value?.cells(rows)];
  return categories && values && name ? [{ name, categories, values, look }] : [];
}

/** A column for each time, with a hatched part for values that are not final, a dash for the previous period, and a line for the target. */
function barChart(
  source: ChartSource,
  chart: Extract<ChartSpec, { kind: 'bars' }>,
  drawn: Drawn,
): UnlabelledChart | null {
  const [label, value] = [chartColumn(source, chart.x), chartColumn(source, chart.y)];
  if (!label || !value) return null;
  const points = drawn.series.flatMap((each) => each.points);
  const rows = rowsOf(drawn);
  const over = (isShown: boolean, name: string | null, look: SeriesLook) =>
    isShown ? seriesOf(label, chartColumn(source, name), rows, { look }) : [];
  // where the period has some days of a month, its part has bars of its own over the lighter ones
  const isSplit = points.some(({ within, value: whole }) => within !== 0 && within !== whole);
  const isLight = ({ within, value: whole }: DrawnPoint) =>
    isSplit || (within === 0 && whole !== 0);
  const bars = seriesOf(label, value, rows, { look: isSplit ? looks.light : looks.bar });
  const inside = over(isSplit, chart.within, looks.bar);
  return {
    kind: 'columns',
    format: value.format ?? 'General',
    series: [
      ...withLooks(bars, points, isLight),
      ...withLooks(inside, points, () => false),
      ...over(points.some(isYoung), chart.not_final, looks.notFinal),
      ...over(drawn.hasPrevious, chart.previous, looks.previous),
      ...over(drawn.target !== null, chart.target, looks.target),
    ],
  };
}

/** Gives each bar its look where that is not the one of its series: lighter ones, and parts of a month. */
function withLooks(
  series: readonly ChartSeries[],
  drawn: readonly DrawnPoint[],
  isLight: (point: DrawnPoint) => boolean,
): ChartSeries[] {
  return series.map((each) => {
    const points = drawn.flatMap((point, index): [number, SeriesLook][] => {
      const color = (isLight(point) ? looks.light : looks.bar).color;
      const kind = point.isPart ? 'portion' : 'bar';
      const isUsual = color === each.look.color && kind === each.look.kind;
      return isUsual ? [] : [[index, { color, kind }]];
    });
    return { ...each, points: new Map(points) };
  });
}

function isYoung({ young }: DrawnPoint): boolean {
  return young > 0;
}

/** The heights of one horizontal bar with its gap, of the space around the bars, and of the whole chart, in centimetres. */
const barHeight = 0.55;
const aroundBars = 1.6;
/** The row that holds the chart can be at most 14.4 cm high. */
const heightLimits = [4, 14] as const;

/** Three bars for each name that has quartiles. */
function quartileBars(
  source: ChartSource,
  chart: Extract<ChartSpec, { kind: 'quartiles' }>,
): UnlabelledChart | null {
  const looksOf = { [chart.low]: looks.light, [chart.middle]: looks.bar, [chart.high]: looks.dark };
  const numbersOf = (row: number) =>
    Object.keys(looksOf).map((figure) => chartColumn(source, figure)?.number(row) ?? null);
  const rows = [...source.table.rows.keys()]
    .slice(0, chartLimits.words)
    .filter((row) => numbersOf(row).some((figure) => figure !== null));
  return namedBars(source, source.table.columns[0]?.name ?? null, rows, looksOf);
}

/** Horizontal bars, one for each row and figure, in the order of the rows. */
function namedBars(
  source: ChartSource,
  name: string | null,
  rows: readonly number[],
  figures: Readonly<Record<string, SeriesLook>>,
): UnlabelledChart | null {
  const label = chartColumn(source, name);
  if (!label || rows.length === 0) return null;
  const series = Object.entries(figures).flatMap(([figure, look]) =>
    seriesOf(label, chartColumn(source, figure), rows, { look }),
  );
  const bars = rows.length * Math.max(series.length, 2);
  return {
    kind: 'bars',
    format: series[0]?.values.format ?? 'General',
    hasValues: series.length === 1,
    height: Math.min(heightLimits[1], Math.max(heightLimits[0], aroundBars + barHeight * bars)),
    series,
  };
}

/** The most days that fit beside each other. */
const maxDays = 6;

interface LineColumns {
  readonly x: string;
  readonly y: string;
  /** The column with the names of the series; null when all rows are one line. */
  readonly name: string | null;
  readonly previous: string | null;
}

/**
 * The lines share categories only if all have the same ones at even distances, since categories side by side say
 * nothing about what lies between.
 */
function lineChart(
  source: ChartSource,
  columns: LineColumns,
  { axis, series, hasPrevious }: Drawn,
): UnlabelledChart | null {
  const [x, y] = [chartColumn(source, columns.x), chartColumn(source, columns.y)];
  if (!x || !y) return null;
  const names = chartColumn(source, columns.name);
  const before = hasPrevious ? chartColumn(source, columns.previous) : null;
  const lines = series.flatMap(({ color, points }): ChartSeries[] => {
    const rows = points.map(({ row }) => row);
    const look = seriesLooks[color - 1] ?? looks.previousLine;
    return [
      ...seriesOf(x, y, rows, { look, name: names?.nameAt(rows[0] ?? 0) }),
      ...seriesOf(x, before, rows, { look: looks.previousLine }),
    ];
  });
  const positions = series.map(({ points }) => points.map(({ position }) => position).join(' '));
  const isShared = new Set(positions).size <= 1 && hasEvenCategories(axis);
  return { kind: isShared ? 'lines' : 'scatter', format: y.format ?? 'General', series: lines };
}

/** Days are wide, so that many of them need an axis of time, which leaves some out. */
function hasEvenCategories(axis: Drawn['axis']): boolean {
  if (axis.kind === 'month' || axis.kind === 'quarter') return true;
  const positions = positionsOn(axis);
  if (axis.kind === 'day' && positions.length > maxDays) return false;
  const steps = positions.slice(1).map((position, index) => position - (positions[index] ?? 0));
  return new Set(steps).size <= 1;
}
