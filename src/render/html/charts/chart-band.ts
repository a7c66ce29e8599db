import { max, min } from 'd3-array';
import { scaleLinear } from 'd3-scale';
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
import { cellIn, chartColumn, numberIn } from './chart-column.ts';

export type BandSpec = Extract<ChartSpec, { kind: 'band' }>;

interface BandTick {
  readonly value: number;
  /** As printed: `€42,571`. */
  readonly figure: string;
  /** `low, CPM 20.00`. */
  readonly name: string;
  readonly isUsed: boolean;
}

/** The figure in use is set this much larger than text in charts. */
const bigSize = 22 / 13;
/** So many ticks can be told apart. */
const maxTicks = 12;
const track = 56;
const height = 100;

/** A scale from 0 with a tick a row, the one in use thick; null when no row has a value. */
export function bandChart(
  section: ReportSection,
  table: ReportTable,
  spec: BandSpec,
  context: PageContext,
): DrawnChart | null {
  const ticks = readTicks(table, spec, context);
  if (ticks.length === 0) return null;
  const missing = table.rows.length - ticks.length;
  const draw = (width: DrawnWidth) =>
    drawingMarkup(section, { width, height, drawn: drawBand(ticks, drawnWidths[width]) });
  return {
    figure: markup`<figure>
${draw('wide')}${draw('narrow')}</figure>
`,
    tableName: tableOf(table.rows.length, context),
    showsAllValues: missing === 0,
    notes:
      missing === 0
        ? []
        : [
            `${missing} of ${table.rows.length} rows ${missing === 1 ? 'is' : 'are'} in the table alone.`,
          ],
  };
}

function readTicks(table: ReportTable, spec: BandSpec, { formatter }: PageContext): BandTick[] {
  const [label, value, at, used] = [spec.label, spec.value, spec.at, spec.used].map((name) => chartColumn(table, name)); // prettier-ignore
  if (!label || !value) return [];
  const ticks = table.rows.flatMap((row): BandTick[] => {
    const figure = numberIn(row, value);
    if (figure === null) return [];
    const place = at ? cellIn(row, at) : null;
    const word = formatter.format(cellIn(row, label), label.format);
    const name = at && place !== null ? `${word}, ${at.title} ${formatter.format(place, at.format)}` : word; // prettier-ignore
    return [{ value: figure, figure: formatter.format(figure, value.format), name, isUsed: cellIn(row, used ?? null) === true }]; // prettier-ignore
  });
  const shown = ticks.filter(({ isUsed }, index) => isUsed || index < maxTicks).slice(-maxTicks);
  return shown.sort((a, b) => a.value - b.value);
}

/** A text that stands around a place, moved into the picture and off its neighbours. */
interface Placed extends BandTick {
  readonly x: number;
  readonly width: number;
}

function drawBand(ticks: readonly BandTick[], width: number): Markup {
  const low = Math.min(0, min(ticks, ({ value }) => value) ?? 0);
  const high = Math.max(0, max(ticks, ({ value }) => value) ?? 0);
  const x = scaleLinear([low, low === high ? 1 : high], [8, width - 8]);
  const bounds = ticks.map(({ value }) => x(value));
  const from = tenth(min(bounds) ?? 0);
  const to = tenth(max(bounds) ?? 0);
  const others = ticks.filter(({ isUsed }) => !isUsed);
  const strokes = others.map(({ value }) => `M${tenth(x(value))} ${track - 8}v16`).join('');
  const band = ticks.length > 1 && markup`<path class="s2" d="M${from} ${track - 5}H${to}v10H${from}z"/>`; // prettier-ignore
  const texts = placeTexts(others, x, width);
  const zero = x(0);
  const isZeroFree = texts.every((text) => Math.abs(text.x - zero) > text.width / 2 + 12);
  return markup`<path class="axis" d="M${tenth(zero)} ${track - 6}v12"/><path class="grid" d="M8 ${track}H${width - 8}"/>${band}<path class="tick" d="${strokes}"/>${usedMarkup(ticks, x, width)}${texts.map(otherText)}${isZeroFree && markup`<text x="${tenth(zero)}" y="${track + 26}" class="soft mid">0</text>`}`;
}

/** Above the band: the largest figure of the page below its title. */
function usedMarkup(
  ticks: readonly BandTick[],
  x: (value: number) => number,
  width: number,
): (Markup | null)[] {
  return ticks.map(({ value, figure, name, isUsed }, index) => {
    if (!isUsed) return null;
    const at = tenth(x(value));
    const stroke = markup`<path class="used" d="M${at} ${track - 14}v28"/>`;
    // One figure is in use; more would lie on each other.
    if (ticks.findIndex((tick) => tick.isUsed) !== index) return stroke;
    const half = (textWidth(figure) * bigSize * boldWidth) / 2;
    const nameHalf = (textWidth(name) * boldWidth) / 2;
    const middle = within(at, half, width);
    return markup`${stroke}<text x="${tenth(middle)}" y="18" class="big mid">${figure}</text><text x="${tenth(within(at, nameHalf, width))}" y="36" class="bold mid">${name}</text>`;
  });
}

function otherText({ x, figure, name, width }: Placed): Markup {
  return markup`<text x="${tenth(x)}" y="${track + 26}" class="bold mid">${figure}</text><text x="${tenth(x)}" y="${track + 42}" class="soft mid bidi">${cutToWidth(name, width)}</text>`;
}

/** Below the band, from left to right; those that find no room are left to the table. */
function placeTexts(
  ticks: readonly BandTick[],
  x: (value: number) => number,
  width: number,
): Placed[] {
  const placed: Placed[] = [];
  for (const tick of ticks) {
    const own = Math.min(Math.max(textWidth(tick.name), textWidth(tick.figure) * boldWidth), width / 2 - 8); // prettier-ignore
    const wanted = within(x(tick.value), own / 2, width);
    placed.push({ ...tick, width: own, x: wanted });
  }
  // From the right, each makes room for the one after it.
  for (let index = placed.length - 2; index >= 0; index -= 1) {
    const [own, next] = [placed[index], placed[index + 1]];
    if (!own || !next) continue;
    const furthest = next.x - (next.width + own.width) / 2 - 10;
    placed[index] = { ...own, x: Math.min(own.x, furthest) };
  }
  return placed.filter((text) => text.x - text.width / 2 >= -8);
}

function within(at: number, half: number, width: number): number {
  return Math.min(Math.max(at, half), Math.max(width - half, half));
}
