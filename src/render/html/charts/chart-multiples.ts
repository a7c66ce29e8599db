import { greatest } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ReportSection, ReportTable } from '../../../report/report-document.ts';
import { compactWriter } from '../chart-numbers.ts';
import {
  drawingMarkup,
  type DrawnChart,
  type DrawnWidth,
  drawnWidths,
  tableOf,
} from '../drawn-chart.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, cutToWidth, tenth, textWidth } from '../text-width.ts';
import { type CutScale, cutScale } from './cut-scale.ts';
import { type Facet, type FacetBar, facetSet, type FacetSet, type MultiplesSpec } from './facet-series.ts'; // prettier-ignore
import { periodKey } from './period-key.ts';
import { monthAt } from './x-reader.ts';

const layouts = {
  wide: { columns: 5, width: 150 },
  narrow: { columns: 2, width: 152 },
} as const;
const plotHeight = 90;
/** Between a facet's head and its plot: the label of the peak stands there. */
const peakRoom = 18;
const rowGap = 28;
/** Below the key. */
const margin = 10;

/** Small bars for each facet on one scale, the peak of each labelled; null without a value. */
export function multiplesChart(
  section: ReportSection,
  table: ReportTable,
  spec: MultiplesSpec,
  context: PageContext,
): DrawnChart | null {
  const set = facetSet(section, table, spec, context);
  if (!set) return null;
  const scale = cutScale(set.facets.flatMap(({ bars }) => bars));
  const hasPrevious = set.facets.some(({ bars }) => bars.some(({ previous }) => previous !== null));
  const extras = [set.facets.length > 1 ? markup`<span>one scale for all</span>` : null];
  const key = periodKey({ hasPrevious, hasYoung: false, mark: 'bar', extras, hatch: '' }, context);
  const draw = (width: DrawnWidth) => {
    const { height, drawn } = drawFacets(set, scale, { width, context });
    return drawingMarkup(section, { width, height, drawn });
  };
  return {
    figure: markup`<figure>
${key}${draw('wide')}${draw('narrow')}</figure>
`,
    tableName: tableOf(table.rows.length, context),
    showsAllValues: false,
    notes: [...cutNotes(set, scale, context), ...leftOutNotes(set)],
  };
}

function drawFacets(
  set: FacetSet,
  scale: CutScale,
  { width, context }: { width: DrawnWidth; context: PageContext },
): { height: number; drawn: Markup } {
  const { columns, width: facetWidth } = layouts[width];
  const pitch = (drawnWidths[width] - facetWidth) / (columns - 1);
  const headHeight = set.facets.some(({ figure }) => figure !== null) ? 36 : 18;
  const rowHeight = headHeight + peakRoom + plotHeight + 22 + rowGap;
  const rows = Math.ceil(set.facets.length / columns);
  const drawn = set.facets.map((facet, index) => {
    const left = tenth((index % columns) * pitch);
    const top = margin + Math.floor(index / columns) * rowHeight;
    const content = facetMarkup(facet, { set, scale, context, width: facetWidth, headHeight });
    return markup`<g transform="translate(${left} ${top})">${content}</g>`;
  });
  return { height: margin + rows * rowHeight - rowGap, drawn: markup`${drawn}` };
}

interface FacetScope {
  readonly set: FacetSet;
  readonly scale: CutScale;
  readonly context: PageContext;
  readonly width: number;
  readonly headHeight: number;
}

function facetMarkup(facet: Facet, scope: FacetScope): Markup {
  const { set, scale, width, headHeight } = scope;
  const bottom = headHeight + peakRoom + plotHeight;
  const y = scaleLinear([scale.low, scale.high], [bottom, bottom - plotHeight]).clamp(true);
  const step = width / set.places.length;
  const places = new Map(set.places.map((place, index) => [place, index]));
  const left = ({ place }: FacetBar) => (places.get(place) ?? 0) * step;
  const shown = facet.bars.filter(({ place }) => places.has(place));
  const base = tenth(y(0));
  const bars = shown.map((bar) =>
    bar.value === null
      ? ''
      : `M${tenth(left(bar) + step * 0.12)} ${base}V${tenth(y(bar.value))}h${tenth(step * 0.76)}V${base}z`,
  );
  const marks = shown.map((bar) =>
    bar.previous === null
      ? ''
      : `M${tenth(left(bar) + step * 0.04)} ${tenth(y(bar.previous))}h${tenth(step * 0.92)}`,
  );
  const breaks = shown.flatMap((bar) => ((bar.value ?? 0) > scale.high ? [breakPath(left(bar), step, y(scale.high))] : [])); // prettier-ignore
  return markup`${headMarkup(facet, width)}<path class="bar" d="${bars.join('')}"/>${breaks.length > 0 && markup`<path class="break" d="${breaks.join('')}"/>`}<path class="axis" d="M0 ${base}H${width}"/>${marks.some((mark) => mark !== '') && markup`<path class="tick thin" d="${marks.join('')}"/>`}${peakText(shown, scope, { left, step, y })}${endTexts(scope, bottom)}`;
}

function headMarkup({ name, figure }: Facet, width: number): Markup {
  return markup`<text x="0" y="12" class="bold bidi">${cutToWidth(name, (width + 14) / boldWidth)}</text>${figure !== null && markup`<text x="0" y="30">${figure}</text>`}`;
}

/** Two slanted gaps through the bar, just below its end. */
function breakPath(left: number, step: number, top: number): string {
  const line = (y: number) => `M${tenth(left - 2)} ${tenth(y + 3)}l${tenth(step + 4)}-6`;
  return `${line(top + 12)}${line(top + 17)}`;
}

/** The largest value of the facet alone, above its bar and within the facet's width. */
function peakText(
  bars: readonly FacetBar[],
  { set, context, width, headHeight }: FacetScope,
  { left, step, y }: { left: (bar: FacetBar) => number; step: number; y: (value: number) => number }, // prettier-ignore
): Markup {
  const known = bars.flatMap((bar) => (bar.value === null ? [] : [{ bar, value: bar.value }]));
  const peak = greatest(known, (a, b) => a.value - b.value);
  if (!peak) {
    return markup`<text x="0" y="${headHeight + peakRoom + plotHeight - 6}" class="soft">–</text>`;
  }
  const text = compactWriter(set.y.format, context)(peak.value);
  const half = textWidth(text) / 2;
  const middle = Math.min(Math.max(left(peak.bar) + step / 2, half), width - half);
  const near = bars.filter((bar) => Math.abs(left(bar) + step / 2 - middle) < half + step / 2);
  const marks = near.flatMap(({ previous }) => (previous === null ? [] : [y(previous)]));
  return markup`<text x="${tenth(middle)}" y="${tenth(clearOf(marks, Math.min(y(peak.value), y(0))) - 5)}" class="mid">${text}</text>`;
}

/** Above marks of the previous period that the label would lie on; those far above stay where they are. */
function clearOf(marks: readonly number[], end: number): number {
  let clear = end;
  for (const mark of marks.toSorted((a, b) => b - a)) {
    if (mark < clear + 3 && mark > clear - 20) clear = mark;
  }
  return clear;
}

/** The first and the last place of the axis. */
function endTexts({ set, context, width }: FacetScope, bottom: number): Markup {
  const first = set.places[0] ?? 0;
  const last = set.places.at(-1) ?? first;
  const inOneYear = monthAt(first).slice(0, 4) === monthAt(last).slice(0, 4);
  const text = (place: number) =>
    set.reader.kind === 'month' && inOneYear
      ? context.words.monthName(monthAt(place), 'short')
      : cutToWidth(set.reader.nameOf(place), width / 2 - 6);
  const end = first === last ? null : markup`<text x="${width}" y="${bottom + 17}" class="soft end">${text(last)}</text>`; // prettier-ignore
  return markup`<text x="0" y="${bottom + 17}" class="soft">${text(first)}</text>${end}`;
}

/** Which bars are longer than they are drawn. */
function cutNotes(set: FacetSet, { high }: CutScale, context: PageContext): string[] {
  const cut = set.facets.flatMap(({ name, bars }) =>
    bars.flatMap(({ place, value }) => {
      if (value === null || value <= high) return [];
      const figure = context.formatter.format(value, set.y.format);
      return [`${name}, ${set.reader.nameOf(place)}: ${figure}`];
    }),
  );
  if (cut.length === 0) return [];
  const bars = cut.length === 1 ? 'One bar is' : `${cut.length} bars are`;
  return [`${bars} cut where the scale ends (${cut.join('; ')}).`];
}

function leftOutNotes({ leftOut, facets }: FacetSet): string[] {
  if (leftOut === 0) return [];
  return [`The first ${facets.length} are drawn; ${leftOut} more are in the table.`];
}
