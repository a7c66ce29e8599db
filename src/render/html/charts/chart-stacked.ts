import type { ChartSpec, ReportSection, ReportTable } from '../../../report/report-document.ts';
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
import { type Part, type PartGroup, partGroups } from './part-groups.ts';
import { limitNotes } from './part-limits.ts';
import { fitsInside, partNames, type PlacedPart } from './part-names.ts';

type StackedSpec = Extract<ChartSpec, { kind: 'stacked' }>;

const barHeight = 26;
const lineHeight = 17;
const groupGap = 30;
/** Of the sequence, from dark to light, in the order in which parts are met; then grey. */
const tones = ['s5', 's4', 's3', 's2', 's1', 's0'] as const;
/** Those that text lies on in the ground's colour. */
const darkTones = new Set(['s5', 's4']);

/** A bar of shares for each group, in one hue; what a kind of profile lacks is said, not drawn. */
export function stackedChart(
  section: ReportSection,
  table: ReportTable,
  spec: StackedSpec,
  context: PageContext,
): DrawnChart | null {
  const { groups, limits } = partGroups(table, spec, context);
  const notes = limitNotes(limits);
  if (groups.every(({ parts }) => parts.every(({ share }) => share === null))) return null;
  return {
    figure: markup`<figure>
${drawGroups(section, groups, 'wide')}${drawGroups(section, groups, 'narrow')}</figure>
`,
    tableName: tableOf(table.rows.length, context),
    showsAllValues: notes.length === 0,
    notes,
  };
}

function drawGroups(
  section: ReportSection,
  groups: readonly PartGroup[],
  width: DrawnWidth,
): Markup {
  let y = 14;
  const drawn = groups.map((group) => {
    const made = drawGroup(group, y, drawnWidths[width]);
    y = made.bottom + groupGap;
    return made.drawn;
  });
  return drawingMarkup(section, { width, height: y - groupGap, drawn: markup`${drawn}` });
}

function drawGroup(
  group: PartGroup,
  top: number,
  width: number,
): { readonly drawn: Markup; readonly bottom: number } {
  const { heads, below } = headMarkup(group, top, width);
  const y = below + 8;
  const places = placesOf(group.parts, width);
  const bars = places.map(({ look, left, length }) => {
    return markup`<rect class="${look} part" x="${tenth(left)}" y="${y}" width="${tenth(Math.max(0, length - (left + length < width - 1 ? 2 : 0)))}" height="${barHeight}"/>`;
  });
  const inside = places.filter(fitsInside).map(({ look, left, text }) => {
    const tone = darkTones.has(look) ? 'high' : 'low';
    return markup`<text x="${tenth(left + 8)}" y="${y + 17.5}" class="${tone} name">${text}</text>`;
  });
  const outside = places.filter((place) => !fitsInside(place));
  const named = partNames(outside, width, y + barHeight);
  return { drawn: markup`${heads}${bars}${inside}${named.drawn}`, bottom: named.bottom };
}

/** Name and sum at the left, what the group lacks at the right, or below where that does not fit. */
function headMarkup(
  { name, sum, lacks }: PartGroup,
  top: number,
  width: number,
): { readonly heads: Markup; readonly below: number } {
  const title = cutToWidth(
    name,
    Math.max(width / 2, (width - textWidth(sum ?? '') - 18) / boldWidth),
  );
  const sumAt = textWidth(title) * boldWidth + 14;
  const free = width - sumAt - textWidth(sum ?? '') - 24;
  const sumText = sum !== null && markup`<text x="${tenth(sumAt)}" y="${top}" class="soft">${sum}</text>`; // prettier-ignore
  const isBeside = textWidth(lacks ?? '') <= free;
  const y = isBeside ? top : top + lineHeight;
  const lack =
    lacks !== null &&
    (isBeside
      ? markup`<text x="${width}" y="${y}" class="soft end">${lacks}</text>`
      : markup`<text x="0" y="${y}" class="soft">${cutToWidth(lacks, width)}</text>`);
  return {
    heads: markup`<text x="0" y="${top}" class="bold">${title}</text>${sumText}${lack}`,
    below: lacks === null ? top : y,
  };
}

/** Side by side in their order. Shares below 0 have no length; more than the whole is drawn as the whole. */
function placesOf(parts: readonly Part[], width: number): PlacedPart[] {
  const known = parts.flatMap((part) => (part.share === null ? [] : [{ ...part, share: part.share }])); // prettier-ignore
  const whole = Math.max(
    1,
    known.reduce((sum, { share }) => sum + Math.max(0, share), 0),
  );
  let left = 0;
  return known.map((part) => {
    const length = (Math.max(0, part.share) / whole) * width;
    const place = { text: textOf(part), look: toneOf(part), left, length };
    left += length;
    return place;
  });
}

function textOf({ name, text }: Part): string {
  return `${isolate(name)} ${text}`;
}

/** A name from right to left keeps its share at its end, whatever follows. */
function isolate(name: string): string {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u.test(name) ? `\u2068${name}\u2069` : name;
}

function toneOf({ order }: Part): string {
  return order === null ? 'count' : (tones[order] ?? 'count');
}
