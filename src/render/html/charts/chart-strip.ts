import { sum } from 'd3-array';
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
import { boldWidth, tenth, textWidth } from '../text-width.ts';
import { cellIn, chartColumn, numberIn } from './chart-column.ts';
import { fitsInside, partNames } from './part-names.ts';

export type StripSpec = Extract<ChartSpec, { kind: 'strip' }>;

interface Part {
  readonly label: string;
  readonly share: number;
  readonly figure: string;
}

/** From dark to light, in the order of the rows; the last of several is the rest, and the lightest. */
const steps = [5, 4, 3, 2] as const;
const maxParts = 12;
const barHeight = 22;
/** Those that text lies on in the ground's colour. */
const darkLooks = new Set(['s5', 's4']);

/** One bar in parts; null when no part is above 0. */
export function stripChart(
  section: ReportSection,
  table: ReportTable,
  spec: StripSpec,
  context: PageContext,
): DrawnChart | null {
  const parts = readParts(table, spec, context);
  if (parts.length === 0) return null;
  const draw = (width: DrawnWidth) => {
    const { height, drawn } = drawParts(parts, drawnWidths[width]);
    return drawingMarkup(section, { width, height, drawn });
  };
  const missing = table.rows.length - parts.length;
  return {
    figure: markup`<figure>
${draw('wide')}${draw('narrow')}</figure>
`,
    tableName: tableOf(table.rows.length, context),
    showsAllValues: missing === 0,
    notes: missing === 0 ? [] : [`${missing} of ${table.rows.length} parts ${missing === 1 ? 'is' : 'are'} in the table alone.`], // prettier-ignore
  };
}

/** Parts with a share above 0; a bar has no length for others. */
function readParts(table: ReportTable, spec: StripSpec, context: PageContext): Part[] {
  const label = chartColumn(table, spec.label);
  const share = chartColumn(table, spec.share);
  if (!label || !share) return [];
  const parts = table.rows.flatMap((row): Part[] => {
    const value = numberIn(row, share);
    if (value === null || value <= 0) return [];
    const text = context.formatter.format(cellIn(row, label), label.format);
    return [{ label: text, share: value, figure: context.formatter.format(value, 'share') }];
  });
  return parts.slice(0, maxParts);
}

/** Each part is named above and below where all have room; else within it, or below with a tick. */
function drawParts(parts: readonly Part[], width: number): { height: number; drawn: Markup } {
  const whole = Math.max(
    1,
    sum(parts, ({ share }) => share),
  );
  const placed = parts.map((part, index) => {
    const left = (sum(parts.slice(0, index), ({ share }) => share) / whole) * width;
    return { ...part, left, right: left + (part.share / whole) * width, look: lookOf(index, parts.length) }; // prettier-ignore
  });
  const fits = placed.every(({ label, figure, left }, index) => {
    const room = (placed[index + 1]?.left ?? width) - left;
    return room >= Math.max(textWidth(label), textWidth(figure) * boldWidth) + 6;
  });
  const top = fits ? 20 : 2;
  const bars = placed.map(
    ({ left, right, look }) =>
      markup`<path class="${look}" d="M${tenth(left)} ${top}H${tenth(Math.max(right - 1.5, left + 0.5))}v${barHeight}H${tenth(left)}z"/>`,
  );
  const frame = markup`<rect class="frame" x=".5" y="${top + 0.5}" width="${width - 1}" height="${barHeight - 1}"/>`;
  if (fits) {
    const texts = placed.map(
      ({ label, figure, left }) =>
        markup`<text x="${tenth(left)}" y="13" class="bold">${figure}</text><text x="${tenth(left)}" y="${top + barHeight + 17}" class="soft bidi">${label}</text>`,
    );
    return { height: top + barHeight + 24, drawn: markup`${frame}${bars}${texts}` };
  }
  const segments = placed.map(({ label, figure, left, right, look }) => ({ left, length: right - left, text: `${label} ${figure}`, look })); // prettier-ignore
  const inside = segments
    .filter(fitsInside)
    .map(
      ({ left, text, look }) =>
        markup`<text x="${tenth(left + 8)}" y="${top + 15.5}" class="${darkLooks.has(look) ? 'high' : 'low'} name bidi">${text}</text>`,
    );
  const outside = segments.filter((segment) => !fitsInside(segment));
  const names = partNames(outside, width, top + barHeight);
  return { height: names.bottom + 2, drawn: markup`${frame}${bars}${inside}${names.drawn}` };
}

function lookOf(index: number, count: number): string {
  const isRest = count > 1 && index === count - 1;
  return `s${isRest ? 1 : (steps[index] ?? 2)}`;
}
