import { max } from 'd3-array';
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import type { Cell, ReportSection } from '../../report/report-document.ts';
import { figureOf } from '../document-head.ts';
import { bars, moveApart, rules, text } from './charts/marks.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { cleanAttribute } from './plain-text.ts';
import type { TableColumn } from './table-frame.ts';
import { tenth, textWidth } from './text-width.ts';

/** The quartiles of a row and its own ratio; the ratio is null when it is unknown. */
interface Spread {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
  readonly value: number | null;
}

interface QuartileScale {
  readonly x: ScaleLinear<number, number>;
  /** The value of all posts, drawn as a dashed line through every row. */
  readonly all: number | null;
  readonly write: (value: number) => string;
  /** Writes how many of the posts lie below a mark. */
  readonly writeShare: (share: number) => string;
  readonly say: PageContext['say'];
  /** The index of the first row with quartiles, which shows their names. */
  readonly named: number;
}

const width = 200;
/** The heights of a row without and with names above the band, in px. */
const rowHeight = 22;
const namedHeight = 38;

/**
 * The drawing of quartiles as a column of the table, on a scale from 0, and the index of the column that it precedes;
 * null when no row has quartiles.
 */
export function quartileColumn(
  section: ReportSection,
  { formatter, say }: PageContext,
): { readonly column: TableColumn; readonly before: number } | null {
  const spec = section.chart?.kind === 'quartiles' ? section.chart : null;
  if (!spec) return null;
  const indexOf = (name: string) => section.columns.findIndex((column) => column.name === name);
  const format = section.columns[indexOf(spec.value)]?.format ?? 'decimal';
  const read = (row: readonly Cell[]): Spread | null => {
    const figure = (name: string) => figureOf(row[indexOf(name)] ?? null);
    const [low, middle, high] = [figure(spec.low), figure(spec.middle), figure(spec.high)];
    if (low === null || middle === null || high === null) return null;
    return { low, middle, high, value: figure(spec.value) };
  };
  const spreads = section.rows.map(read);
  const highest = max(spreads, (spread) => Math.max(spread?.high ?? 0, spread?.value ?? 0)) ?? 0;
  const scale = {
    x: scaleLinear([0, highest * 1.08 || 1], [0, width]),
    all: figureOf(section.total?.cells[indexOf(spec.value)] ?? null),
    write: (value: number) => formatter.format(value, format),
    writeShare: (share: number) => formatter.format(share, 'share', { prose: true }),
    say,
    named: spreads.findIndex((spread) => spread !== null),
  };
  if (scale.named < 0) return null;
  const quartiles = [spec.low, spec.middle, spec.high].map(indexOf);
  const shown = quartiles.filter((index) => section.columns[index]?.isInHtml === true);
  const column: TableColumn = {
    title: say('Half of the posts lie in the band'),
    sort: null,
    isText: false,
    isPrimary: false,
    isKey: false,
    isDrawn: true,
    read: () => null,
    value: () => null,
    total: () => null,
    cell: (row, index) => spreadMarkup(read(row), index === scale.named, scale),
  };
  return { column, before: shown.length > 0 ? Math.min(...shown) : indexOf(spec.value) };
}

/** A band, a tick and a diamond; nothing for fewer than ten posts, whose quartiles would mean little. */
function spreadMarkup(spread: Spread | null, isNamed: boolean, scale: QuartileScale): Markup {
  if (!spread) return markup``;
  const { low, middle, high, value } = spread;
  const { x, all, write, say } = scale;
  const height = isNamed ? namedHeight : rowHeight;
  const y = height - rowHeight / 2;
  const words = [
    `${say('25th percentile')} ${write(low)}, ${say('Median')} ${write(middle)}, ${say('75th percentile')} ${write(high)}`,
    ...(value === null ? [] : [say('of the whole {value:text}', { value: write(value) })]),
    ...(all === null ? [] : [say('of all {value:text}', { value: write(all) })]),
  ].join(', ');
  const band = { left: x(low), top: y - 4, width: Math.max(1, x(high) - x(low)), height: 8 };
  const line = all !== null && rules([[x(all), y - 18, x(all), y + 18]], 'all');
  const diamond =
    value !== null &&
    markup`<path class="ratio" d="M${tenth(x(value))} ${y - 5.5}l5.5 5.5l-5.5 5.5l-5.5 -5.5z"/>`;
  return markup`<svg class="spread" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${cleanAttribute(words)}">${rules([[0, y, width, y]], 'grid')}${bars([band], 's2')}${line}${rules([[x(middle), y - 8, x(middle), y + 8]], 'used')}${diamond}${isNamed && nameMarks(spread, y - 15, scale)}</svg>`;
}

/** The names above their marks, moved apart so that they do not overlap. */
function nameMarks(
  { low, middle, high }: Spread,
  y: number,
  { x, writeShare }: QuartileScale,
): Markup[] {
  const names = [0.25, 0.5, 0.75].map((share) => writeShare(share));
  const gap = Math.max(...names.map(textWidth)) + 6;
  const wanted = [low, middle, high].map((figure) => Math.max(x(figure), gap / 2));
  const centres = moveApart(wanted, [gap, gap], [gap / 2, width - gap / 2]);
  return names.map((name, index) => text(centres[index] ?? 0, y, name, 'soft mid'));
}
