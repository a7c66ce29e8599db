import { group } from 'd3-array';
import { daysBetween } from '../../core/calendar.ts';
import { createFormatter, type Formatter } from '../../languages/number-format.ts';
import {
  type ChartSpec,
  chartTable,
  type ReportDocument,
  type ReportSection,
  type ReportTable,
} from '../../report/report-document.ts';
import { endOfUnit, noteLine, notesBetween } from '../time-notes.ts';
import {
  type ChartColumn,
  chartColumn,
  type ChartMarks,
  type ChartSeries,
  type ChartSource,
  type DrawnChart,
  type NativeChart,
  type SeriesLook,
} from './chart-cells.ts';
import type { TablePlace } from './table-place.ts';

/** The most points in a chart; more would be slow to draw and show nothing new. */
const maxRows = 5_000;

export interface ChartContext extends Pick<ChartSource, 'numberFormats' | 'timezone'> {
  readonly sections: readonly { readonly section: ReportSection; readonly place: TablePlace }[];
  readonly document: ReportDocument;
  readonly say: Formatter['say'];
}

/** The chart of a section in the workbook; null when there is none, or nothing to draw. */
export function nativeChart(section: ReportSection, context: ChartContext): NativeChart | null {
  const { chart } = section;
  const sections = context.sections.map((each) => each.section);
  const table = chartTable(section, { sections });
  const place = context.sections.find((each) => each.section === table)?.place;
  if (chart === null || section.layout === 'data' || place === undefined) return null;
  if (table.rows.length > maxRows) return null;
  const drawn = drawChart(chart, { ...context, table, place });
  const isKnown = ({ values }: ChartSeries) => values.values.some((value) => value !== null);
  if (!drawn?.series.some(isKnown)) return null;
  const marks = marksOf(chart, drawn, table, context);
  return { ...drawn, ...(marks && { marks }), label: section.finding ?? section.description };
}

const timeUnits = ['month', 'quarter', 'date'] as const;

/** The notes on the days of an axis of time. */
function marksOf(
  chart: ChartSpec,
  { kind, series }: DrawnChart,
  table: ReportTable,
  { document, say }: ChartContext,
): ChartMarks | null {
  const x = 'x' in chart ? chart.x : null;
  const index = table.columns.findIndex(({ name }) => name === x);
  const unit = timeUnits.find((format) => format === table.columns[index]?.format);
  const cells = table.rows.map((row) => row[index]).filter((cell) => typeof cell === 'string');
  const days = [...new Set(cells)].sort();
  const [first, last] = [days[0], days.at(-1)];
  if (unit === undefined || first === undefined || last === undefined) return null;
  if (kind === 'bars') return null;
  const notes = notesBetween(document, first, endOfUnit(last, unit, days));
  if (notes.length === 0) return null;
  const isScatter = kind === 'scatter';
  const byDay = [...group(notes, ({ date }) => days.findLastIndex((day) => day <= date))];
  const height = Math.max(...series.flatMap(({ values }) => values.values.map(Number)));
  const places = new Set(byDay.map(([place]) => place));
  const formatter = createFormatter(document);
  return {
    name: say('Notes'),
    labels: new Map(
      byDay.map(([place, own], index) => [
        isScatter ? index : place,
        own.map(({ number }) => number).join(', '),
      ]),
    ),
    heights: isScatter
      ? byDay.map(() => height)
      : days.map((_, place) => (places.has(place) ? height : null)),
    days: isScatter
      ? byDay.map(([, [note]]) => daysBetween('1899-12-30', note?.date ?? first))
      : null,
    lines: notes.map((note) => noteLine(note, formatter)),
  };
}

function drawChart(chart: ChartSpec, source: ChartSource): DrawnChart | null {
  switch (chart.kind) {
    case 'bars':
      return hasOnePlace(source, chart.x) ? null : barChart(source, chart);
    case 'quartiles':
      return namedBars(source, source.table.columns[0]?.name ?? null, {
        [chart.low]: looks.light,
        [chart.middle]: looks.bar,
        [chart.high]: looks.dark,
      });
    case 'lines':
      return lineChart(source, chart);
    case 'multiples':
      // a period of one month has one bar for each facet
      return hasOnePlace(source, chart.x)
        ? namedBars(source, chart.facet, { [chart.y]: looks.bar })
        : lineChart(source, { ...chart, series: chart.facet, previous: null });
    // A heatmap is a colour scale of cells; the page draws shares and days.
    case 'stacked':
    case 'heatmap':
    case 'calendar':
      return null;
  }
}

function hasOnePlace(source: ChartSource, x: string): boolean {
  const column = chartColumn(source, x);
  return (
    column !== null && new Set(source.table.rows.map((_, row) => column.value(row))).size === 1
  );
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

/** The looks of several series, which differ in dash and mark as well as in colour. */
const categoryLooks: readonly SeriesLook[] = [
  { color: '1A76C4', kind: 'line', dash: 'solid', mark: 'circle' },
  { color: 'DE5F0B', kind: 'line', dash: 'dash', mark: 'square' },
  { color: '0B3B3A', kind: 'line', dash: 'sysDot', mark: 'triangle' },
  { color: '8C319B', kind: 'line', dash: 'dashDot', mark: 'diamond' },
  { color: '5C4D06', kind: 'line', dash: 'lgDash', mark: 'x' },
  { color: '7B8491', kind: 'line', dash: 'solid' },
];

/** The most names on an axis of 16 cm. */
const maxNames = 25;

function seriesOf(
  label: ChartColumn,
  value: ChartColumn,
  rows: readonly number[],
  { look, name = value.head }: { look: SeriesLook; name?: ChartSeries['name'] },
): ChartSeries[] {
  const [categories, values] = [label.cells(rows), value.cells(rows)];
  return categories && values ? [{ name, categories, values, look }] : [];
}

/** A column for each time, with a hatched part for values that are not final, a dash for the previous period, and a line for the target; or a bar for each name. */
function barChart(
  source: ChartSource,
  chart: Extract<ChartSpec, { kind: 'bars' }>,
): DrawnChart | null {
  const [label, value] = [chartColumn(source, chart.x), chartColumn(source, chart.y)];
  if (!label || !value) return null;
  const rows = [...source.table.rows.keys()].filter((row) => label.value(row) !== null);
  if (typeof label.value(rows[0] ?? 0) !== 'number')
    return namedBars(source, chart.x, { [chart.y]: looks.bar });
  const known = (name: string | null, look: SeriesLook) => {
    const column = chartColumn(source, name);
    const hasFigure = column && rows.some((row) => (column.number(row) ?? 0) !== 0);
    return hasFigure ? seriesOf(label, column, rows, { look }) : [];
  };
  const marked = chartColumn(source, chart.marked);
  const beside = rows.flatMap((row, at) => (marked && marked.value(row) !== 'true' ? at : []));
  return {
    kind: 'columns',
    format: value.format ?? 'General',
    series: [
      ...seriesOf(label, value, rows, { look: looks.bar }).map((bars) => ({
        ...bars,
        ...(marked && { beside }),
      })),
      ...known(chart.not_final, looks.notFinal),
      ...known(chart.previous, looks.previous),
      ...known(chart.target, looks.target),
    ],
  };
}

/** The heights of one horizontal bar with its gap, of the space around the bars, and of the whole chart, in centimetres. */
const barHeight = 0.55;
const aroundBars = 1.6;
/** The row that holds the chart can be at most 14.4 cm high. */
const heightLimits = [4, 14] as const;

/** Horizontal bars, one for each row and figure, in the order of the rows; only the first rows can be labelled. */
function namedBars(
  source: ChartSource,
  name: string | null,
  figures: Readonly<Record<string, SeriesLook>>,
): DrawnChart | null {
  const label = chartColumn(source, name);
  if (!label) return null;
  const named = [...source.table.rows.keys()].filter((row) => label.value(row) !== null);
  const drawn = Object.entries(figures).flatMap(([figure, look]) => {
    const value = chartColumn(source, figure);
    const isKnown = value && named.some((row) => value.number(row) !== null);
    return isKnown ? [{ value, look }] : [];
  });
  const [first] = drawn;
  if (!first) return null;
  const rows = named
    .slice(0, maxNames)
    .filter((row) => drawn.some(({ value }) => value.number(row) !== null));
  const bars = rows.length * Math.max(drawn.length, 2);
  return {
    kind: 'bars',
    format: first.value.format ?? 'General',
    hasValues: drawn.length === 1,
    height: Math.min(heightLimits[1], Math.max(heightLimits[0], aroundBars + barHeight * bars)),
    series: drawn.flatMap(({ value, look }) => seriesOf(label, value, rows, { look })),
  };
}

/** The most days that fit beside each other. */
const maxDays = 6;

interface LineNames {
  readonly x: string;
  readonly y: string;
  /** The column of the series; null when all rows are one line. */
  readonly series: string | null;
  readonly previous: string | null;
}

/**
 * A line for each of the six largest series. They share categories only if all have the same ones at even distances,
 * since places side by side say nothing about what lies between.
 */
function lineChart(source: ChartSource, names: LineNames): DrawnChart | null {
  const [x, y] = [chartColumn(source, names.x), chartColumn(source, names.y)];
  if (!x || !y) return null;
  const name = chartColumn(source, names.series);
  const before = chartColumn(source, names.previous);
  // A value without a place on the axis would be drawn at the wrong place.
  const rows = [...source.table.rows.keys()].filter((row) => x.number(row) !== null);
  const groups = name === null ? [rows] : largestGroups(rows, name, y);
  const places = groups.map((own) => own.map((row) => x.number(row) ?? 0));
  const [first = []] = places;
  // Days are wide, so that many of them need an axis of time, which leaves some out.
  const isCrowded = x.column.format === 'date' && first.length > maxDays;
  const isEven = x.column.format === 'month' || (!isCrowded && areEven(first));
  const lines = groups.flatMap((own, index) => {
    const look = categoryLooks[index] ?? looks.previousLine;
    return seriesOf(x, y, own, { look, name: name ? name.nameAt(own[0] ?? 0) : y.head });
  });
  const [only = [], ...others] = groups;
  const hasBefore =
    others.length === 0 && only.some((row) => (before?.number(row) ?? null) !== null);
  const previous =
    before && hasBefore ? seriesOf(x, before, only, { look: looks.previousLine }) : [];
  const isShared = isEven && new Set(places.map((own) => JSON.stringify(own))).size <= 1;
  return {
    kind: isShared ? 'lines' : 'scatter',
    format: y.format ?? 'General',
    series: [...lines, ...previous],
  };
}

/** The largest of the series with a value, in the order of the rows. */
function largestGroups(
  rows: readonly number[],
  name: ChartColumn,
  y: ChartColumn,
): (readonly number[])[] {
  const size = (own: readonly number[]) => Math.max(...own.map((row) => y.number(row) ?? 0));
  const groups = [...group(rows, name.value).values()].filter((own) =>
    own.some((row) => y.number(row) !== null),
  );
  const largest = groups.toSorted((a, b) => size(b) - size(a)).slice(0, categoryLooks.length);
  return groups.filter((own) => largest.includes(own));
}

function areEven(places: readonly number[]): boolean {
  const steps = places.slice(1).map((place, index) => place - (places[index] ?? place));
  return new Set(steps).size <= 1;
}
