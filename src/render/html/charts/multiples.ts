import { greatest, group } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ChartSpec } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import { boldWidth, cutToWidth, tenth, textWidth } from '../text-width.ts';
import { type Bar, barMarks, lyingBars } from './bars.ts';
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
  periodKey,
} from './figure.ts';
import { rules, text, within } from './marks.ts';
import { createPlaceReader, monthAt, type PlaceReader } from './places.ts';
import { compactWriter, rangeFromZero } from './values.ts';

type MultiplesSpec = Extract<ChartSpec, { kind: 'multiples' }>;

interface FacetBar extends Bar {
  readonly place: number;
}

interface Facet {
  readonly name: string;
  /** The facet's figure in the section's own rows, as printed; null where they have none. */
  readonly figure: string | null;
  readonly bars: readonly FacetBar[];
}

interface Panels {
  readonly facets: readonly Facet[];
  /** Of all facets, each of which has room for all of them. */
  readonly places: readonly number[];
  readonly range: readonly [number, number];
  readonly write: (value: number) => string;
  /** Of the first and the last place. */
  readonly ends: readonly [string, string];
}

/** Four rows of five on a wide page. */
const maxFacets = 20;
/** Bars thinner than 1 px cannot be read. */
const maxPlaces = 120;
const plotHeight = 90;
/** Between a facet's head and its plot: room for the label of the peak. */
const peakRoom = 20;
const rowGap = 28;
/** Below the key. */
const margin = 10;

/** Small bars for each facet on one scale, the peak of each labelled; null without a value. */
export function multiplesChart(spec: MultiplesSpec, scope: ChartScope): Chart | null {
  const { table, context, rows } = scope;
  const [x, y] = [formatNamed(table, spec.x), formatNamed(table, spec.y)];
  if (!x || !y) return null;
  const reader = createPlaceReader(x, context);
  const readings = rows.flatMap((row) => {
    const place = reader.placeOf(row.cell(spec.x));
    const [value, previous] = [row.number(spec.y), row.number(spec.previous)];
    return place === null ? [] : [{ name: nameOf(spec, row), place, value, previous, young: 0 }];
  });
  if (readings.every(({ value }) => value === null)) return null;
  const figures = figuresOf(spec, scope);
  const all = [...group(readings, ({ name }) => name)].map(
    ([name, own]): Facet => ({ name, figure: figures.get(name) ?? null, bars: own }),
  );
  const facets = all.slice(0, maxFacets);
  const places = placesOf(readings, reader);
  const drawn = facets.flatMap((facet) => facet.bars);
  const panels = {
    facets,
    places,
    range: rangeFromZero(drawn.flatMap(({ value, previous }) => [value, previous])),
    write: compactWriter(y, context),
    ends: endNames(places, reader, (month) => context.words.monthName(month, 'short')),
  };
  const isOne = places.length === 1;
  const hasPrevious = readings.some(({ previous }) => previous !== null);
  const extra = facets.length > 1 && !isOne ? 'one scale for all' : null;
  return {
    key: periodKey({ hasPrevious, extra }, scope),
    draw: (frame) => (isOne ? drawOnePlace(panels, frame) : drawPanels(panels, frame)),
    showsAllValues: false,
    notes: leftOutNotes(facets.length, all.length),
  };
}

function nameOf(spec: MultiplesSpec, row: ChartRow): string {
  return row.cell(spec.facet) === null ? noName : row.text(spec.facet);
}

/** What the SQL says of each facet as a whole: a sum of the bars would not be one for every kind of figure. */
function figuresOf(spec: MultiplesSpec, scope: ChartScope): Map<string, string> {
  const { section, table, context } = scope;
  if (section === table || !formatNamed(section, spec.facet) || !formatNamed(section, spec.y))
    return new Map();
  return new Map(chartRows(section, context).map((row) => [nameOf(spec, row), row.text(spec.y)]));
}

/** Months in a row, with those without posts; other places as the rows have them. The latest, if too many. */
function placesOf(readings: readonly FacetBar[], { kind }: PlaceReader): number[] {
  const drawn = readings.filter(({ value, previous }) => value !== null || previous !== null);
  const known = [...new Set(drawn.map(({ place }) => place))].sort((a, b) => a - b);
  const [first = 0, last = 0] = [known[0], known.at(-1)];
  if (kind !== 'month' || last - first > maxPlaces) return known.slice(-maxPlaces);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Months of one year go without it. */
function endNames(
  places: readonly number[],
  reader: PlaceReader,
  monthName: (month: string) => string,
): [string, string] {
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const isOneYear = reader.kind === 'month' && Math.floor(first / 12) === Math.floor(last / 12);
  const name = (place: number) => (isOneYear ? monthName(monthAt(place)) : reader.nameOf(place));
  return [name(first), name(last)];
}

/** A period of one month is a bar for each facet. */
function drawOnePlace({ facets, write }: Panels, frame: Frame): Drawing {
  const none = { value: null, previous: null, young: 0 };
  const rows = facets.map(({ name, bars: [bar = none] }) => ({ ...bar, name }));
  return lyingBars(rows, write, frame);
}

function drawPanels(panels: Panels, { isNarrow, width, id }: Frame): Drawing {
  const columns = isNarrow ? 2 : 5;
  const panelWidth = isNarrow ? 152 : 150;
  const pitch = (width - panelWidth) / (columns - 1);
  const head = panels.facets.some(({ figure }) => figure !== null) ? 36 : 18;
  const rowHeight = head + peakRoom + plotHeight + 22 + rowGap;
  const drawn = panels.facets.map((facet, index) => {
    const left = tenth((index % columns) * pitch);
    const top = margin + Math.floor(index / columns) * rowHeight;
    return markup`<g transform="translate(${left} ${top})">${drawPanel(facet, panels, { width: panelWidth, head, id })}</g>`;
  });
  const rows = Math.ceil(panels.facets.length / columns);
  return { height: margin + rows * rowHeight - rowGap, marks: markup`${drawn}` };
}

function drawPanel(
  { name, figure, bars: own }: Facet,
  { places, range, write, ends }: Panels,
  { width, head, id }: { readonly width: number; readonly head: number; readonly id: string },
): Markup {
  const bottom = head + peakRoom + plotHeight;
  const y = scaleLinear(range, [bottom, bottom - plotHeight]);
  const step = width / places.length;
  const ranks = new Map(places.map((place, rank) => [place, rank]));
  const shown = own.filter(({ place }) => ranks.has(place));
  const left = ({ place }: FacetBar) => (ranks.get(place) ?? 0) * step;
  const start = (index: number) => (shown[index] ? left(shown[index]) + step * 0.12 : 0);
  const plot = { start, thickness: step * 0.76, scale: y, isLying: false, id, hasThinTicks: true };
  const known = shown.flatMap((bar) => (bar.value === null ? [] : [{ ...bar, value: bar.value }]));
  const peak = greatest(known, (a, b) => a.value - b.value);
  const peakWords = peak ? write(peak.value) : '–';
  const half = textWidth(peakWords) / 2;
  const at = peak ? within(left(peak) + step / 2, half, width) : half;
  const isNear = (bar: FacetBar) => left(bar) + step > at - half - 2 && left(bar) < at + half + 2;
  const near = shown.flatMap((bar) =>
    bar.previous !== null && isNear(bar) ? [y(bar.previous)] : [],
  );
  const peakY = peak ? clearOf(near, Math.min(y(peak.value), y(0))) : y(0);
  const [first, last] = ends.map((end) => cutToWidth(end, width / 2 - 6));
  return markup`${text(0, 12, cutToWidth(name, (width + 14) / boldWidth), 'bold bidi')}${figure !== null && text(0, 30, figure)}${barMarks(shown, plot)}${rules([[0, y(0), width, y(0)]], 'axis')}${text(at, peakY - 5, peakWords, peak ? 'mid' : 'soft mid')}${text(0, bottom + 17, first ?? '', 'soft')}${text(width, bottom + 17, last ?? '', 'soft end')}`;
}

/** Above marks of the previous period that the label would lie on; those far above stay where they are. */
function clearOf(marks: readonly number[], end: number): number {
  let clear = end;
  for (const mark of marks.toSorted((a, b) => b - a)) {
    if (mark < clear + 3 && mark > clear - 22) clear = mark;
  }
  return clear;
}
