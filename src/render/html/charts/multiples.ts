import { greatest, group } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ChartSpec } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, cutToWidth, tenth, textWidth } from '../text-width.ts';
import {
  createPlaceReader,
  dayAt,
  daysOf,
  exactPlace,
  type PlaceReader,
  shortWriter,
} from './axes.ts';
import { barMarks, horizontalBars, type PlacedBar } from './bars.ts';
import {
  type Chart,
  type ChartRow,
  chartRows,
  type ChartScope,
  type Drawing,
  formatNamed,
  type Frame,
  leftOutNotes,
  noName,
  periodKeys,
} from './figure.ts';
import { rangeFromZero, type Rule, rules, text, within } from './marks.ts';

type MultiplesSpec = Extract<ChartSpec, { kind: 'multiples' }>;

interface Facet {
  readonly name: string;
  /** The printed figure of the facet in the rows of the section; null when they have none. */
  readonly figure: string | null;
  readonly bars: readonly PlacedBar[];
}

/** Four rows of five on a wide page. */
const maxFacets = 20;
/** Bars thinner than 1 px cannot be read. */
const maxPlaces = 120;
const [panelWidth, plotHeight] = [150, 90];
/** The room between the head of a facet and its plot, for the label of the peak. */
const peakRoom = 20;
/** The room for the numbers of notes, above that of the peaks. */
const noteRoom = 14;

/** A small bar chart for each facet, all on one scale, with the peak labelled; null without a value. */
export function multiplesChart(spec: MultiplesSpec, scope: ChartScope): Chart | null {
  const { table, context, rows } = scope;
  const [x, y] = [formatNamed(table, spec.x), formatNamed(table, spec.y)];
  if (!x || !y) return null;
  const reader = createPlaceReader(x, context);
  const drawn = rows.flatMap((row) => {
    const place = reader.placeOf(row.cell(spec.x));
    const [value, previous] = [row.number(spec.y), row.number(spec.previous)];
    return place === null
      ? []
      : [{ name: nameOf(spec, row, context), place, value, previous, young: 0 }];
  });
  if (drawn.every(({ value }) => value === null)) return null;
  const figures = figuresOf(spec, scope);
  const all = [...group(drawn, ({ name }) => name)].map(
    ([name, own]): Facet => ({ name, figure: figures.get(name) ?? null, bars: own }),
  );
  const facets = all.slice(0, maxFacets);
  const places = placesOf(drawn, reader);
  const known = facets.flatMap((facet) => facet.bars);
  const range = rangeFromZero(known.flatMap(({ value, previous }) => [value, previous]));
  const ends = [places[0] ?? 0, places.at(-1) ?? 0].map((place) =>
    endName(place, reader, places.length, context),
  );
  const isOne = places.length === 1;
  const write = shortWriter(y, context);
  const heads = facets.some(({ figure }) => figure !== null) ? 36 : 18;
  const headOf = ({ notes }: Frame) => heads + (notes.length > 0 ? noteRoom : 0);
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const { kind } = reader;
  const unit = (kind === 'month' || kind === 'quarter') && last - first < maxPlaces ? kind : null;
  const drawFacet = (facet: Facet, frame: Frame) => {
    const { id, notes } = frame;
    const head = headOf(frame);
    const bars = facet.bars.filter(({ place }) => places.includes(place));
    const name = cutToWidth(facet.name, (panelWidth + 14) / boldWidth);
    const [from, to] = ends.map((end) => cutToWidth(end, panelWidth / 2 - 6));
    const foot = head + peakRoom + plotHeight + 17;
    const events = notes.map(({ date, number }) => ({
      number,
      at: ((exactPlace(date, unit ?? 'month') - first) / places.length) * panelWidth,
    }));
    return markup`${text(0, 12, name, 'bold bidi')}${facet.figure !== null && text(0, 30, facet.figure)}${noteMarks(events, head)}${panelBars(bars, { places, range, write, head, id })}${text(0, foot, from ?? '', 'soft')}${text(panelWidth, foot, to ?? '', 'soft end')}`;
  };
  const hasPrevious = known.some(({ previous }) => previous !== null);
  return {
    key: [
      ...periodKeys(hasPrevious, context),
      facets.length > 1 && !isOne ? { mark: null, words: context.say('one scale for all') } : null,
    ],
    draw: (frame) => {
      // A period of one month has one bar for each facet.
      if (isOne)
        return horizontalBars(
          facets.flatMap(({ name, bars: [bar] }) => (bar ? [{ ...bar, name }] : [])),
          write,
          frame,
        );
      const rowHeight = headOf(frame) + peakRoom + plotHeight + 50;
      return drawPanels(
        facets.map((facet) => drawFacet(facet, frame)),
        rowHeight,
        frame,
      );
    },
    showsAllValues: false,
    ...(unit && !isOne && daysOf(reader, first, last + 1)),
    notes: leftOutNotes(facets.length, all.length, context, context.say('charts')),
  };
}

/** The first or last place of a chart, without its year where the whole chart is shorter. */
function endName(place: number, reader: PlaceReader, n: number, { words }: PageContext): string {
  if (reader.kind === 'month' && n <= 12) return words.monthName(dayAt(place, 'month'));
  return reader.kind === 'day' && n <= 12 ? words.day(dayAt(place, 'day')) : reader.nameOf(place);
}

function nameOf(spec: MultiplesSpec, row: ChartRow, context: PageContext): string {
  return row.cell(spec.facet) === null ? noName(context) : row.text(spec.facet);
}

/** The figure of each whole facet, as the SQL gives it: not every kind of figure can be added up from the bars. */
function figuresOf(spec: MultiplesSpec, scope: ChartScope): Map<string, string> {
  const { section, table, context } = scope;
  if (section === table || !formatNamed(section, spec.facet) || !formatNamed(section, spec.y))
    return new Map();
  return new Map(
    chartRows(section, context).map((row) => [nameOf(spec, row, context), row.text(spec.y)]),
  );
}

/** The last months in a row, including those without posts; for other kinds, the last places that the rows have. */
function placesOf(all: readonly PlacedBar[], { kind }: PlaceReader): number[] {
  const drawn = all.filter(({ value, previous }) => value !== null || previous !== null);
  const known = [...new Set(drawn.map(({ place }) => place))].sort((a, b) => a - b);
  const [first = 0, last = 0] = [known[0], known.at(-1)];
  if ((kind !== 'month' && kind !== 'quarter') || last - first > maxPlaces)
    return known.slice(-maxPlaces);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
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
  readonly places: readonly number[];
  readonly range: readonly [number, number];
  readonly write: (value: number) => string;
  readonly head: number;
  readonly id: string;
}

function panelBars(bars: readonly PlacedBar[], { places, range, write, head, id }: Plot): Markup {
  const bottom = head + peakRoom + plotHeight;
  const y = scaleLinear(range, [bottom, bottom - plotHeight]);
  const step = panelWidth / places.length;
  const left = (bar: PlacedBar) => places.indexOf(bar.place) * step;
  const start = (index: number) => (bars[index] ? left(bars[index]) + step * 0.12 : 0);
  const plot = { start, thickness: step * 0.76, scale: y, isHorizontal: false, id };
  const peak = greatest(bars, (a, b) => (a.value ?? -Infinity) - (b.value ?? -Infinity));
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

/** The place of a label above the nearby marks of the previous period, which it would cover. */
function clearOf(marks: readonly number[], end: number): number {
  let clear = end;
  for (const mark of marks.toSorted((a, b) => b - a)) {
    if (mark < clear + 3 && mark > clear - 22) clear = mark;
  }
  return clear;
}
