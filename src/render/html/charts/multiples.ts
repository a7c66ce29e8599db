import { greatest, group } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ChartSpec } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import { boldWidth, cutToWidth, textWidth } from '../text-width.ts';
import { chartRows, columnNamed, noName } from './chart-rows.ts';
import { type Chart, type ChartScope, type Drawing, type Frame, leftOutNotes } from './figure.ts';
import { lyingBars } from './lying-bars.ts';
import { bars, previousTicks, type Rule, rules, text, within } from './marks.ts';
import { periodKey } from './period-key.ts';
import { createPlaceReader, monthAt, type PlaceReader } from './places.ts';
import { compactWriter, rangeFromZero } from './values.ts';

type MultiplesSpec = Extract<ChartSpec, { kind: 'multiples' }>;

interface FacetBar {
  readonly place: number;
  readonly value: number | null;
  readonly previous: number | null;
}

interface Facet {
  readonly name: string;
  /** The facet's figure in the section's own rows, as printed; null where they have none. */
  readonly figure: string | null;
  readonly bars: readonly FacetBar[];
}

interface Panels {
  readonly facets: readonly Facet[];
  /** From the first to the last place of any facet; every facet has room for all of them. */
  readonly places: readonly number[];
  readonly reader: PlaceReader;
  readonly range: readonly [number, number];
  readonly write: (value: number) => string;
  readonly scope: ChartScope;
}

/** Four rows of five on a wide page. */
const maxFacets = 20;
/** Bars thinner than 1 px tell nothing. */
const maxPlaces = 120;
const plotHeight = 90;
/** Between a facet's head and its plot: the label of the peak stands there. */
const peakRoom = 20;
const rowGap = 28;
/** Below the key. */
const margin = 10;

/** Small bars for each facet on one scale, the peak of each labelled; null without a value. */
export function multiplesChart(spec: MultiplesSpec, scope: ChartScope): Chart | null {
  const { table, context, id } = scope;
  const x = columnNamed(table, spec.x);
  const y = columnNamed(table, spec.y);
  if (!x || !y) return null;
  const reader = createPlaceReader(x, context);
  const readings = chartRows(table, context.formatter).flatMap((row) => {
    const place = reader.placeOf(row.cell(spec.x));
    const name = row.cell(spec.facet) === null ? noName : row.text(spec.facet);
    const [value, previous] = [row.number(spec.y), row.number(spec.previous)];
    return place === null ? [] : [{ name, place, value, previous }];
  });
  if (readings.every(({ value }) => value === null)) return null;
  const figures = figuresOf(spec, scope);
  const all = [...group(readings, ({ name }) => name)].map(
    ([name, own]): Facet => ({ name, figure: figures.get(name) ?? null, bars: own }),
  );
  const facets = all.slice(0, maxFacets);
  const drawn = readings.filter(({ value, previous }) => value !== null || previous !== null);
  const panels = {
    facets,
    places: placesOf(
      drawn.map(({ place }) => place),
      reader,
    ),
    reader,
    range: scaleOf(facets.flatMap((facet) => facet.bars)),
    write: compactWriter(y.format, context),
    scope,
  };
  const isOne = panels.places.length === 1;
  return {
    key: periodKey(
      {
        hasPrevious: readings.some(({ previous }) => previous !== null),
        extra: facets.length > 1 && !isOne ? 'one scale for all' : null,
        id,
      },
      context,
    ),
    draw: (frame) => (isOne ? drawOnePlace(panels, frame) : drawPanels(panels, frame)),
    showsAllValues: false,
    notes: [
      ...(isOne ? [] : cutNotes(panels, (value) => context.formatter.format(value, y.format))),
      ...leftOutNotes(facets.length, all.length),
    ],
  };
}

/** What the SQL says of each facet as a whole: a sum of the bars would not be one for every kind of figure. */
function figuresOf(
  spec: MultiplesSpec,
  { section, table, context }: ChartScope,
): Map<string, string> {
  if (section === table || !columnNamed(section, spec.facet) || !columnNamed(section, spec.y))
    return new Map();
  return new Map(
    chartRows(section, context.formatter).map((row) => [
      row.cell(spec.facet) === null ? noName : row.text(spec.facet),
      row.text(spec.y),
    ]),
  );
}

/** Months in a row, with those that nobody has; other places as the rows have them. The latest, if too many. */
function placesOf(places: readonly number[], { kind }: PlaceReader): number[] {
  const known = [...new Set(places)].sort((a, b) => a - b);
  const [first = 0, last = 0] = [known[0], known.at(-1)];
  if (kind !== 'month' || last - first > maxPlaces) return known.slice(-maxPlaces);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** One value this many times the next one would leave the others without height. */
const dominance = 4;
const maxCut = 3;

/**
 * From 0 to the largest value, unless up to three values are four times the next one or more: then the scale
 * ends a little above that next one. Marks of the previous period are never cut.
 */
function scaleOf(drawn: readonly FacetBar[]): readonly [number, number] {
  const values = drawn.flatMap(({ value }) => value ?? []).sort((a, b) => b - a);
  const marks = drawn.flatMap(({ previous }) => previous ?? []);
  const [low, high] = rangeFromZero([...values, ...marks]);
  // Where nearly all are cut, there is nothing to compare with.
  for (let cut = 1; cut <= maxCut && values.length >= 2 * maxCut; cut += 1) {
    const next = Math.max(values[cut] ?? 0, 0, ...marks);
    if (next > 0 && (values[cut - 1] ?? 0) >= next * dominance) return [low, next * 1.3];
  }
  return [low, high];
}

/** A period of one month is a bar for each facet. */
function drawOnePlace({ facets, write }: Panels, frame: Frame): Drawing {
  const rows = facets.map(({ name, bars: [bar] }) => {
    const value = bar?.value ?? null;
    return {
      name,
      value,
      figure: value === null ? '–' : write(value),
      previous: bar?.previous ?? null,
      young: 0,
    };
  });
  return lyingBars(rows, frame);
}

function drawPanels(panels: Panels, { isNarrow, width }: Frame): Drawing {
  const columns = isNarrow ? 2 : 5;
  const panelWidth = isNarrow ? 152 : 150;
  const pitch = (width - panelWidth) / (columns - 1);
  const head = panels.facets.some(({ figure }) => figure !== null) ? 36 : 18;
  const rowHeight = head + peakRoom + plotHeight + 22 + rowGap;
  const drawn = panels.facets.map((facet, index) => {
    const left = (index % columns) * pitch;
    const top = margin + Math.floor(index / columns) * rowHeight;
    return markup`<g transform="translate(${left.toFixed(1).replace('.0', '')} ${top})">${drawPanel(facet, panels, { width: panelWidth, head })}</g>`;
  });
  const rows = Math.ceil(panels.facets.length / columns);
  return { height: margin + rows * rowHeight - rowGap, marks: markup`${drawn}` };
}

function drawPanel(
  { name, figure, bars: own }: Facet,
  { places, range, write, reader, scope }: Panels,
  { width, head }: { width: number; head: number },
): Markup {
  const bottom = head + peakRoom + plotHeight;
  const y = scaleLinear(range, [bottom, bottom - plotHeight]).clamp(true);
  const step = width / places.length;
  const ranks = new Map(places.map((place, rank) => [place, rank]));
  const shown = own.filter(({ place }) => ranks.has(place));
  const left = ({ place }: FacetBar) => (ranks.get(place) ?? 0) * step;
  const known = shown.flatMap((bar) => (bar.value === null ? [] : [{ bar, value: bar.value }]));
  const boxes = known.map(({ bar, value }) => {
    const [high, low] = [Math.min(y(value), y(0)), Math.max(y(value), y(0))];
    return { left: left(bar) + step * 0.12, top: high, width: step * 0.76, height: low - high };
  });
  const marks = shown.flatMap((bar): Rule[] =>
    bar.previous === null
      ? []
      : [[left(bar) + step * 0.04, y(bar.previous), left(bar) + step * 0.96, y(bar.previous)]],
  );
  // Two slanted gaps through a bar that is cut, just below its end.
  const breaks = known.flatMap(({ bar, value }): Rule[] =>
    value > range[1]
      ? [12, 17].map((drop) => [
          left(bar) - 2,
          y(range[1]) + drop + 3,
          left(bar) + step + 2,
          y(range[1]) + drop - 3,
        ])
      : [],
  );
  const peak = greatest(known, (a, b) => a.value - b.value);
  const peakWords = peak ? write(peak.value) : '–';
  const half = textWidth(peakWords) / 2;
  const at = peak ? within(left(peak.bar) + step / 2, half, width) : half;
  const near = marks
    .filter(([from, , to]) => to > at - half - 2 && from < at + half + 2)
    .map(([, mark]) => mark);
  const peakY = peak ? clearOf(near, Math.min(y(peak.value), y(0))) : y(0);
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const inOneYear =
    reader.kind === 'month' && monthAt(first).slice(0, 4) === monthAt(last).slice(0, 4);
  const end = (place: number) =>
    inOneYear
      ? scope.context.words.monthName(monthAt(place), 'short')
      : cutToWidth(reader.nameOf(place), width / 2 - 6);
  return markup`${text(0, 12, cutToWidth(name, (width + 14) / boldWidth), 'bold bidi')}${figure !== null && text(0, 30, figure)}${bars(boxes, 'bar')}${rules(breaks, 'break')}${rules([[0, y(0), width, y(0)]], 'axis')}${previousTicks(marks, false)}${text(at, peakY - 5, peakWords, peak ? 'mid' : 'soft mid')}${text(0, bottom + 17, end(first), 'soft')}${text(width, bottom + 17, end(last), 'soft end')}`;
}

/** Above marks of the previous period that the label would lie on; those far above stay where they are. */
function clearOf(marks: readonly number[], end: number): number {
  let clear = end;
  for (const mark of marks.toSorted((a, b) => b - a)) {
    if (mark < clear + 3 && mark > clear - 22) clear = mark;
  }
  return clear;
}

/** Which bars are longer than they are drawn. */
function cutNotes({ facets, range, reader }: Panels, print: (value: number) => string): string[] {
  const cut = facets.flatMap(({ name, bars: own }) =>
    own.flatMap(({ place, value }) =>
      value !== null && value > range[1]
        ? [`${name}, ${reader.nameOf(place)}: ${print(value)}`]
        : [],
    ),
  );
  if (cut.length === 0) return [];
  return [
    `${cut.length === 1 ? 'One bar is' : `${cut.length} bars are`} cut where the scale ends (${cut.join('; ')}).`,
  ];
}
