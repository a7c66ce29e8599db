import type { ChartSpec, ColumnFormat, ReportSection, ReportTable } from '../../../report/report-document.ts'; // prettier-ignore
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
import { type ChartColumn, chartColumn } from './chart-column.ts';
import { type StackFrame, type Stacks, stackValues } from './dot-stacks.ts';
import { type LogAxis, logAxis } from './log-axis.ts';
import { spreadNotes, type ValueSpread, valueSpread } from './value-spread.ts';

export type DistributionSpec = Extract<ChartSpec, { kind: 'distribution' }>;

/** Stacks of dots between these, in px; the names of median and mean stand above. */
const top = 48;
const base = 150;
const height = 190;
const pitches = { wide: 5.8, narrow: 3.6 } as const;
/** The largest values are set off where they are few among many. */
const topCount = 10;
const leastForTop = 100;

/** One dot a row on a logarithmic axis; null when no value is above 0. */
export function distributionChart(
  section: ReportSection,
  table: ReportTable,
  spec: DistributionSpec,
  context: PageContext,
): DrawnChart | null {
  const column = chartColumn(table, spec.value);
  const spread = column && valueSpread(table, column);
  if (!column || !spread) return null;
  const draw = (width: DrawnWidth) =>
    drawingMarkup(section, {
      width,
      height,
      drawn: drawSpread(spread, { column, width, context }),
    });
  return {
    figure: markup`<figure>
${draw('wide')}${draw('narrow')}</figure>
`,
    tableName: tableOf(table.rows.length, context),
    showsAllValues: false,
    notes: spreadNotes(spread, context),
  };
}

interface Scope {
  readonly column: ChartColumn;
  readonly width: DrawnWidth;
  readonly context: PageContext;
}

function drawSpread(spread: ValueSpread, { column, width, context }: Scope): Markup {
  const pixels = drawnWidths[width];
  const { positive } = spread;
  const write = (value: number) => roundText(value, column.format, context);
  const ends = [positive[0] ?? 1, positive.at(-1) ?? 1] as const;
  const axis = logAxis(ends, [8, pixels - 8], write);
  const hasTop = positive.length >= leastForTop;
  const frame: StackFrame = { x: axis.x, width: pixels, base, top, pitch: pitches[width], topCount: hasTop ? topCount : 0 }; // prettier-ignore
  const stacks = stackValues(positive, frame);
  return markup`${stacks.drawn}${axisMarkup(axis, { column, width, pixels })}${middleMarkup(spread, axis, { write, pixels, width })}${stacks.tallest ? tallestText(stacks.tallest, context) : hasTop && topText(positive, axis, stacks, pixels)}`;
}

/** Without cents where they say little: the axis and the names of the lines are no place for them. */
function roundText(value: number, format: ColumnFormat, { formatter }: PageContext): string {
  if (format === 'money_exact' && (value >= 10 || Number.isInteger(value))) {
    return formatter.format(value, 'money', { compact: value >= 100_000 });
  }
  return formatter.format(value, format, { compact: value >= 100_000 });
}

function axisMarkup(
  { x, ticks }: LogAxis,
  { column, width, pixels }: { column: ChartColumn; width: DrawnWidth; pixels: number },
): Markup {
  const marks = ticks.map(({ value }) => `M${tenth(x(value))} ${base}v5`).join('');
  const texts = ticks.map(({ value, text }) => {
    const half = textWidth(text) / 2;
    const middle = Math.min(Math.max(x(value), half), pixels - half);
    return markup`<text x="${tenth(middle)}" y="${base + 19}" class="soft mid">${text}</text>`;
  });
  const name = `${column.title}, logarithmic${width === 'wide' ? ' scale' : ''}`;
  return markup`<path class="axis" d="M0 ${base}H${pixels}${marks}"/>${texts}<text x="${pixels}" y="${height - 4}" class="soft end">${name}</text>`;
}

/** The median as a solid line and the mean as a dotted one, named on the sides where they part. */
function middleMarkup(
  { median, mean }: ValueSpread,
  { x }: LogAxis,
  { write, pixels, width }: { write: (value: number) => string; pixels: number; width: DrawnWidth }, // prettier-ignore
): Markup | null {
  const isMeanRight = median === null || mean >= median;
  const place = (value: number, name: string, isRight: boolean): MiddleName => {
    const at = tenth(Math.min(Math.max(x(value), 1), pixels - 1));
    const text = `${name} ${write(value)}`;
    const room = textWidth(text) * boldWidth + 8;
    return { at, text, isRight, fits: isRight ? at + room <= pixels : at >= room };
  };
  const meanName = mean > 0 ? place(mean, 'mean', isMeanRight) : null;
  const medianName = median !== null && median > 0 ? place(median, 'median', !isMeanRight) : null;
  const areBothTurned = meanName?.fits === false && medianName?.fits === false;
  const saying = 'half lie below';
  const isRoomy =
    width === 'wide' && isMeanRight && meanName?.fits !== false && medianName?.fits === true;
  return markup`${medianName && nameMarkup(medianName, 'drop solid', medianName.fits ? 30 : 14)}${meanName && nameMarkup(meanName, 'drop', meanName.fits || areBothTurned ? 30 : 14)}${isRoomy && medianName.at > textWidth(saying) + 8 && markup`<text x="${tenth(medianName.at - 6)}" y="13" class="soft end">${saying}</text>`}`;
}

/** The name of a line, on the side of it where it has room. */
interface MiddleName {
  readonly at: number;
  readonly text: string;
  readonly isRight: boolean;
  /** Else it stands on the other side, above the other name. */
  readonly fits: boolean;
}

function nameMarkup({ at, text, isRight, fits }: MiddleName, look: string, y: number): Markup {
  const goesRight = fits ? isRight : !isRight;
  return markup`<path class="${look}" d="M${at} ${y - 12}V${base}"/><text x="${tenth(at + (goesRight ? 6 : -6))}" y="${y}" class="${goesRight ? 'bold' : 'bold end'}">${text}</text>`;
}

/** Above the first of the largest ten. */
function topText(
  positive: readonly number[],
  { x }: LogAxis,
  stacks: Stacks,
  pixels: number,
): Markup {
  const text = `top ${topCount}`;
  const half = (textWidth(text) * boldWidth) / 2;
  const first = x(positive.at(-topCount) ?? 1);
  const middle = Math.min(first + half, pixels - half);
  const y = Math.min(stacks.topBetween(middle - half - 6, middle + half + 6), base - 10) - 8;
  return markup`<text x="${tenth(middle)}" y="${tenth(Math.max(y, top + 4))}" class="strong mid tone c1">${text}</text>`;
}

/** How many the tallest bar stands for; the others are to its scale. */
function tallestText(
  { x, y, count }: NonNullable<Stacks['tallest']>,
  { formatter }: PageContext,
): Markup {
  return markup`<text x="${tenth(x)}" y="${tenth(y - 5)}" class="mid">${formatter.format(count, 'count')}</text>`;
}
