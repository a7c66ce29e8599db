import type { ChartSpec, ReportSection, ReportTable } from '../../../report/report-document.ts';
import { drawingMarkup, type DrawnChart, type DrawnWidth, drawnWidths } from '../drawn-chart.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { cutToWidth, tenth, textWidth } from '../text-width.ts';
import { type Part, type PartGroup, partGroups } from './part-groups.ts';

type StackedSpec = Extract<ChartSpec, { kind: 'stacked' }>;

const barHeight = 26;
const lineHeight = 17;
const groupGap = 30;
/** Between two names. */
const gap = 14;
/** A name farther from its part than this would be taken for another's. */
const maxShift = 110;
const swatch = 10;
/** Of the sequence, from dark to light, in the order in which parts are met; then grey. */
const hues = ['s5', 's4', 's3', 's2', 's1', 's0'] as const;

/** A bar of shares for each group, in one hue; what a kind of profile lacks is said, not drawn. */
export function stackedChart(
  section: ReportSection,
  table: ReportTable,
  spec: StackedSpec,
  context: PageContext,
): DrawnChart | null {
  const groups = partGroups(table, spec, context);
  if (groups.every(({ parts }) => parts.every(({ share }) => share === null))) return null;
  return {
    figure: markup`<figure>
${drawGroups(section, groups, 'wide')}${drawGroups(section, groups, 'narrow')}</figure>
`,
    tableName: `Table, ${table.rows.length} ${table.rows.length === 1 ? 'row' : 'rows'}`,
    showsAllValues: true,
    notes: [],
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
  const bars = places.map(({ part, left, length }) => {
    return markup`<rect class="${hueOf(part)} part" x="${tenth(left)}" y="${y}" width="${tenth(Math.max(0, length - (left + length < width - 1 ? 2 : 0)))}" height="${barHeight}"/>`;
  });
  const inside = places
    .filter(({ part, length }) => fits(part, length))
    .map(({ part, left }) => {
      const tone = part.order <= 1 ? 'high' : 'low';
      return markup`<text x="${tenth(left + 8)}" y="${y + 17.5}" class="${tone} name">${nameOf(part)}</text>`;
    });
  const outside = places.filter(({ part, length }) => !fits(part, length));
  const base = y + barHeight;
  const named = namesBelow(outside, width, base) ?? keyBelow(outside, width, base);
  return { drawn: markup`${heads}${bars}${inside}${named.drawn}`, bottom: named.bottom };
}

/** Name and sum at the left, what the group lacks at the right, or below where that does not fit. */
function headMarkup(
  { name, sum, lacks }: PartGroup,
  top: number,
  width: number,
): { readonly heads: Markup; readonly below: number } {
  const title = cutToWidth(name, width / 2);
  const sumAt = textWidth(title) * 1.08 + 14;
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

interface Place {
  readonly part: Part & { readonly share: number };
  readonly left: number;
  readonly length: number;
}

/** Side by side in their order. Shares below 0 have no length; more than the whole is drawn as the whole. */
function placesOf(parts: readonly Part[], width: number): Place[] {
  const known = parts.flatMap((part) => (part.share === null ? [] : [{ ...part, share: part.share }])); // prettier-ignore
  const whole = Math.max(
    1,
    known.reduce((sum, { share }) => sum + Math.max(0, share), 0),
  );
  let left = 0;
  return known.map((part) => {
    const length = (Math.max(0, part.share) / whole) * width;
    const place = { part, left, length };
    left += length;
    return place;
  });
}

function fits(part: Part, length: number): boolean {
  return textWidth(nameOf(part)) * 1.05 + 16 <= length;
}

interface Named {
  readonly drawn: Markup;
  /** The lower edge of what is drawn. */
  readonly bottom: number;
}

/** Names under their parts, each with a tick, moved apart; null where one line does not hold them. */
function namesBelow(places: readonly Place[], width: number, base: number): Named | null {
  let free = 0;
  const lefts = places.map(({ part, left }) => {
    const at = Math.max(left, free);
    free = at + textWidth(nameOf(part)) + gap;
    return at;
  });
  const over = Math.max(0, free - gap - width);
  if (over > 0 && (lefts[0] ?? 0) < over) return null;
  // What hangs over at the right is taken back from all: they keep their order and their gaps.
  const moved = lefts.map((left) => left - over);
  if (places.some(({ left }, index) => Math.abs((moved[index] ?? 0) - left) > maxShift))
    return null;
  const drawn = places.map(({ part, left, length }, index) => {
    const at = tenth(Math.min(left + length / 2, width - 0.5));
    return markup`<path class="axis" d="M${at} ${base}v6"/><text x="${tenth(moved[index] ?? 0)}" y="${base + 19}" class="soft">${nameOf(part)}</text>`;
  });
  return { drawn: markup`${drawn}`, bottom: base + (places.length > 0 ? 24 : 0) };
}

/** Names with the colour of their part, in lines from the left. */
function keyBelow(places: readonly Place[], width: number, base: number): Named {
  let left = 0;
  let line = 0;
  const drawn = places.map(({ part }) => {
    const text = cutToWidth(nameOf(part), width - swatch - 6);
    const room = swatch + 6 + textWidth(text);
    if (left > 0 && left + room > width) {
      left = 0;
      line += 1;
    }
    const y = base + 19 + line * lineHeight;
    const x = tenth(left);
    left += room + gap;
    return markup`<rect class="${hueOf(part)} part" x="${x}" y="${y - 10}" width="${swatch}" height="${swatch}"/><text x="${tenth(x + swatch + 6)}" y="${y}" class="soft">${text}</text>`;
  });
  return { drawn: markup`${drawn}`, bottom: base + 24 + line * lineHeight };
}

function nameOf({ name, text }: Part): string {
  return `${name} ${text}`;
}

function hueOf({ order }: Part): string {
  return hues[order] ?? 'count';
}
