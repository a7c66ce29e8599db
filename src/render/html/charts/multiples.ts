import { scaleLinear } from 'd3-scale';
import type { ChartSpec } from '../../../report/report-document.ts';
import { dayAt, exactPosition, isTimeKind } from '../../chart-axis.ts';
import { chartRows, formatNamed } from '../../chart-rows.ts';
import {
  type Axis,
  type Drawn,
  type DrawnPoint,
  type DrawnSeries,
  endsOf,
  largestWhole,
  positionsOn,
  unnamedSeries,
} from '../../drawn.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, cutToWidth, tenth, textWidth } from '../text-width.ts';
import { positionName, shortWriter } from './axes.ts';
import { barMarks, horizontalBars } from './bars.ts';
import {
  type Chart,
  type ChartScope,
  type Drawing,
  type Frame,
  leftOutNotes,
  partKey,
  periodKeys,
} from './figure.ts';
import { rangeFromZero, type Rule, rules, text, within } from './marks.ts';

type MultiplesSpec = Extract<ChartSpec, { kind: 'multiples' }>;

const [panelWidth, plotHeight] = [150, 90];
/** The room between the head of a facet and its plot, for the label of the peak. */
const peakRoom = 20;
/** The room for the numbers of notes, above that of the peaks. */
const noteRoom = 14;

/** A small bar chart for each facet, all on one scale, with the peak labelled. */
export function multiplesChart(drawn: Drawn, spec: MultiplesSpec, scope: ChartScope): Chart {
  const { context } = scope;
  const { axis, count, format, hasPrevious, series } = drawn;
  const figures = figuresOf(spec, scope);
  const positions = positionsOn(axis);
  const known = series.flatMap(({ points }) => points);
  const range = rangeFromZero(known.flatMap(({ value, previous }) => [value, previous]));
  const [first, last] = endsOf(axis);
  const ends = [first, last].map((end) => endName(end, axis, context));
  const isOne = positions.length === 1;
  const write = shortWriter(format, context);
  const heads = series.some(({ name }) => figures.has(name ?? '')) ? 36 : 18;
  const headOf = ({ notes }: Frame) => heads + (notes.length > 0 ? noteRoom : 0);
  const drawFacet = (facet: DrawnSeries, frame: Frame) => {
    const { id, notes } = frame;
    const head = headOf(frame);
    const figure = figures.get(facet.name ?? '');
    const name = cutToWidth(facet.name ?? '', (panelWidth + 14) / boldWidth);
    const [from, to] = ends.map((end) => cutToWidth(end, panelWidth / 2 - 6));
    const foot = head + peakRoom + plotHeight + 17;
    const { kind } = axis;
    const events = notes.map(({ date, number }) => {
      const position = isTimeKind(kind) ? exactPosition(date, kind) : first;
      return { number, at: ((position - first) / positions.length) * panelWidth };
    });
    const plot = { positions, range, write, head, id };
    return markup`${text(0, 12, name, 'bold bidi')}${figure !== undefined && text(0, 30, figure)}${noteMarks(events, head)}${panelBars(facet.points, plot)}${text(0, foot, from ?? '', 'soft')}${text(panelWidth, foot, to ?? '', 'soft end')}`;
  };
  return {
    key: [
      ...periodKeys(hasPrevious, context),
      partKey(known, `${scope.id}-part-key`, context),
      series.length > 1 && !isOne ? { mark: null, words: context.say('one scale for all') } : null,
    ],
    draw: (frame) => {
      // A period of one month has one bar for each facet.
      if (isOne)
        return horizontalBars(
          series.flatMap(({ name, points: [bar] }) => (bar ? [{ ...bar, name: name ?? '' }] : [])),
          write,
          frame,
        );
      const rowHeight = headOf(frame) + peakRoom + plotHeight + 50;
      return drawPanels(
        series.map((facet) => drawFacet(facet, frame)),
        rowHeight,
        frame,
      );
    },
    showsAllValues: false,
    notes: leftOutNotes(series.length, count, context, context.say('charts')),
  };
}

/** The first or last position of a chart, without its year where the whole chart is shorter. */
function endName(position: number, axis: Axis, context: PageContext): string {
  const { words } = context;
  const isShort = axis.categories.length <= 12;
  if (axis.kind === 'month' && isShort) return words.monthName(dayAt(position, 'month'));
  if (axis.kind === 'day' && isShort) return words.day(dayAt(position, 'day'));
  return positionName(position, axis, context);
}

/** The figure of each whole facet, as the SQL gives it: not every kind of figure can be added up from the bars. */
function figuresOf(
  spec: MultiplesSpec,
  { section, table, context }: ChartScope,
): Map<string, string> {
  if (section === table || !formatNamed(section, spec.facet) || !formatNamed(section, spec.y))
    return new Map();
  const { formatter } = context;
  return new Map(
    chartRows(section, formatter).map((row) => [
      row.cell(spec.facet) === null ? unnamedSeries(formatter) : row.text(spec.facet),
      row.text(spec.y),
    ]),
  );
}

/** Lays out panels in rows, five on a wide page and two on a narrow one. */
function drawPanels(
  panels: readonly Markup[],
  rowHeight: number,
  { isNarrow, width }: Frame,
): Drawing {
  const columns = isNarrow ? 2 : 5;
  const pitch = (width - panelWidth) / (columns - 1);
  const drawn = panels.map((panel, index) => {
    const [left, top] = [(index % columns) * pitch, Math.floor(index / columns) * rowHeight];
    return markup`<g transform="translate(${tenth(left)} ${top})">${panel}</g>`;
  });
  const rows = Math.ceil(panels.length / columns);
  return { height: rows * rowHeight - 28, marks: markup`${drawn}` };
}

interface Plot {
  readonly positions: readonly number[];
  readonly range: readonly [number, number];
  readonly write: (value: number) => string;
  readonly head: number;
  readonly id: string;
}

function panelBars(
  bars: readonly DrawnPoint[],
  { positions, range, write, head, id }: Plot,
): Markup {
  const bottom = head + peakRoom + plotHeight;
  const y = scaleLinear(range, [bottom, bottom - plotHeight]);
  const step = panelWidth / positions.length;
  const left = ({ position }: DrawnPoint) => positions.indexOf(position) * step;
  const start = (index: number) => (bars[index] ? left(bars[index]) + step * 0.12 : 0);
  const plot = { start, thickness: step * 0.76, scale: y, isHorizontal: false, id };
  const peak = largestWhole(bars) ?? bars.find(({ value }) => value !== null) ?? bars[0];
  const value = peak?.value ?? null;
  const words = value === null ? '–' : write(value);
  const half = textWidth(words) / 2;
  const at = peak ? within(left(peak) + step / 2, half, panelWidth) : half;
  const near = bars.filter((bar) => left(bar) + step > at - half - 2 && left(bar) < at + half + 2);
  const marks = near.flatMap(({ previous }) => (previous === null ? [] : [y(previous)]));
  const peakY = clearOf(marks, Math.min(y(value ?? 0), y(0)));
  return markup`${barMarks(bars, plot)}${rules([[0, y(0), panelWidth, y(0)]], 'axis')}<g class="over">${text(at, peakY - 5, words, 'mid')}</g>`;
}

/** A dotted line on the day of each note, with its number above it. */
function noteMarks(
  events: readonly { readonly number: number; readonly at: number }[],
  head: number,
): Markup {
  const bottom = head + peakRoom + plotHeight;
  const numbers = events.map(({ number, at }) =>
    text(within(at, 4, panelWidth), head - 2, String(number), 'mid soft'),
  );
  return markup`${rules(
    events.map(({ at }): Rule => [at, head + 2, at, bottom]),
    'event',
  )}${numbers}`;
}

/** The height of a label above the nearby marks of the previous period, which it would cover. */
function clearOf(marks: readonly number[], end: number): number {
  let clear = end;
  for (const mark of marks.toSorted((a, b) => b - a)) {
    if (mark < clear + 3 && mark > clear - 22) clear = mark;
  }
  return clear;
}
