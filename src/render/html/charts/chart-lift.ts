import { max, min } from 'd3-array';
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import type {
  Cell,
  ChartSpec,
  ReportSection,
  ReportTable,
} from '../../../report/report-document.ts';
import { isNamelessGroup } from '../cell.ts';
import { drawingMarkup, type DrawnChart, drawnWidths, tableOf } from '../drawn-chart.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { cutToWidth, tenth, textWidth } from '../text-width.ts';
import { chartColumn, numberIn } from './chart-column.ts';

type LiftSpec = Extract<ChartSpec, { kind: 'lift' }>;

interface LiftRow {
  readonly label: string;
  /** Both are known, or the row has too few posts to be compared. */
  readonly pair: { readonly with: number; readonly without: number } | null;
  readonly difference: number;
  /** Rises, falls, or prints as no difference at all. */
  readonly way: 'rise' | 'fall' | 'even';
  /** As the table prints them: points, factor, posts. */
  readonly lift: string;
  readonly factor: string;
  readonly n: string;
}

interface Scale {
  readonly x: ScaleLinear<number, number>;
  readonly write: (value: number) => string;
}

/** More rows than these are in the table alone. */
const maxRows = 24;
const rowHeight = 38;
/** Of the wide drawing, in px: names at the left, then the plot, then three columns of figures. */
const wide = { names: 176, from: 188, to: 700, lift: 742, factor: 826, n: 928, top: 44 } as const;
/** On a narrow page each row is two lines: what it is, and its marks. */
const narrow = { rowHeight: 50, from: 8, to: drawnWidths.narrow - 8, top: 24 } as const;

/** Rows with a hollow dot for the posts without, a full one for those with; null without a pair. */
export function liftChart(
  section: ReportSection,
  table: ReportTable,
  spec: LiftSpec,
  context: PageContext,
): DrawnChart | null {
  const all = liftRows(table, spec, context);
  const rows = all.slice(0, maxRows);
  const values = rows.flatMap(({ pair }) => (pair ? [pair.with, pair.without] : []));
  const format = chartColumn(table, spec.with)?.format ?? 'decimal';
  if (values.length === 0) return null;
  const scale = (from: number, to: number): Scale => ({
    x: scaleLinear(spanOf(values), [from, to]).nice(5),
    write: (value) => context.formatter.format(value, format),
  });
  const left = all.length - rows.length;
  return {
    figure: markup`<figure>
${drawWide(section, rows, scale(wide.from, wide.to))}${drawNarrow(section, rows, scale(narrow.from, narrow.to))}</figure>
`,
    tableName: tableOf(all.length, context),
    showsAllValues: false,
    notes: left > 0 ? [`${left} more are in the table only.`] : [],
  };
}

/** From the highest to the lowest, then those that have too few posts. */
function liftRows(table: ReportTable, spec: LiftSpec, { formatter }: PageContext): LiftRow[] {
  const columnOf = (name: string) => chartColumn(table, name);
  const columns = {
    label: columnOf(spec.label),
    with: columnOf(spec.with),
    without: columnOf(spec.without),
    lift: columnOf(spec.lift),
    factor: columnOf(spec.factor),
    n: columnOf(spec.n),
  };
  const print = (row: readonly Cell[], column: ReturnType<typeof columnOf>) =>
    column ? formatter.format(row[column.index] ?? null, column.format) : '–';
  const even = columns.lift ? formatter.format(0, columns.lift.format) : '';
  const rows = table.rows.map((row): LiftRow => {
    const [has, lacks] = [numberIn(row, columns.with), numberIn(row, columns.without)];
    const difference = numberIn(row, columns.lift);
    const isCompared = has !== null && lacks !== null && difference !== null;
    const lift = print(row, columns.lift);
    return {
      label: print(row, columns.label),
      pair: isCompared ? { with: has, without: lacks } : null,
      difference: difference ?? 0,
      way: lift === even ? 'even' : has !== null && lacks !== null && has < lacks ? 'fall' : 'rise',
      lift,
      factor: print(row, columns.factor),
      n: print(row, columns.n),
    };
  });
  const [compared, others] = [true, false].map((has) => rows.filter(({ pair }) => (pair !== null) === has)); // prettier-ignore
  return [...(compared ?? []).sort((a, b) => b.difference - a.difference), ...(others ?? [])];
}

/** Dots need no zero; equal values still need a width. */
function spanOf(values: readonly number[]): [number, number] {
  const [low = 0, high = 0] = [min(values), max(values)];
  return low === high ? [low - (Math.abs(low) / 2 || 1), high + (Math.abs(high) / 2 || 1)] : [low, high]; // prettier-ignore
}

function drawWide(section: ReportSection, rows: readonly LiftRow[], scale: Scale): Markup {
  const bottom = wide.top + rows.length * rowHeight - rowHeight / 2 + 6;
  const first = rows.findIndex(({ pair }) => pair !== null);
  const head = markup`<text x="${wide.lift}" y="12" class="soft">lift</text><text x="${wide.factor}" y="12" class="soft">factor</text><text x="${wide.n}" y="12" class="soft end">posts</text>`;
  const drawn = rows.map((row, index) => {
    const y = wide.top + index * rowHeight;
    const name = cutToWidth(row.label, wide.names);
    const figures = markup`<text x="${wide.n}" y="${y + 4.5}" class="${row.pair ? 'end' : 'soft end'}">${row.n}</text>`;
    if (!row.pair) {
      return markup`<text x="0" y="${y + 4.5}" class="soft">${name}</text><text x="${wide.from}" y="${y + 4.5}" class="soft">${fewWords(row)}</text>${figures}`;
    }
    return markup`<text x="0" y="${y + 4.5}" ${nameClass(row)}>${name}</text>${pairMarkup(row.pair, row.way, y, scale)}${index === first && namesMarkup(row.pair, y, scale)}<text x="${wide.lift}" y="${y + 4.5}" class="bold">${row.lift}</text><text x="${wide.factor}" y="${y + 4.5}">${row.factor}</text>${figures}`;
  });
  return drawingMarkup(section, {
    width: 'wide',
    height: bottom + 22,
    drawn: markup`${gridMarkup(scale, wide.top - 20, bottom)}${head}${drawn}`,
  });
}

function drawNarrow(section: ReportSection, rows: readonly LiftRow[], scale: Scale): Markup {
  const bottom = narrow.top + rows.length * narrow.rowHeight - 14;
  const first = rows.findIndex(({ pair }) => pair !== null);
  const width = drawnWidths.narrow;
  const drawn = rows.map((row, index) => {
    const top = narrow.top + index * narrow.rowHeight;
    const figures = row.pair ? `${row.lift} · ${row.factor} · ${row.n}` : fewWords(row);
    const name = cutToWidth(row.label, width - textWidth(figures) - 16);
    return markup`<text x="0" y="${top}" ${nameClass(row)}>${name}</text><text x="${width}" y="${top}" class="${row.pair ? 'end' : 'soft end'}">${figures}</text>${row.pair && pairMarkup(row.pair, row.way, top + 17, scale)}`;
  });
  const pair = rows[first]?.pair ?? null;
  const key = pair && markup`<text x="0" y="${bottom + 38}" class="soft">Hollow: without. Full: with. Right: lift · factor · posts.</text>`; // prettier-ignore
  return drawingMarkup(section, {
    width: 'narrow',
    height: bottom + 44,
    drawn: markup`${gridMarkup(scale, narrow.top + 8, bottom)}${drawn}${key}`,
  });
}

/** Bold is for names of what is compared. */
function nameClass({ label, pair }: LiftRow): Markup | null {
  if (!pair) return markup`class="soft"`;
  return isNamelessGroup(label) ? null : markup`class="bold"`;
}

function fewWords({ n }: LiftRow): string {
  return `not enough posts (${n})`;
}

/** Which way it goes is told by the full dot's side and the sign of the lift, too. */
function pairMarkup(
  pair: NonNullable<LiftRow['pair']>,
  way: LiftRow['way'],
  y: number,
  { x }: Scale,
): Markup {
  const [from, to] = [tenth(x(pair.without)), tenth(x(pair.with))];
  return markup`<path class="span ${way}" d="M${from} ${y}H${to}"/><circle class="hollow" cx="${from}" cy="${y}" r="4.5"/><circle class="dot ${way}" cx="${to}" cy="${y}" r="4.5"/>`;
}

/** Over the dots of the first row, apart from each other. */
function namesMarkup(pair: NonNullable<LiftRow['pair']>, y: number, { x }: Scale): Markup {
  const half = (textWidth('without') + textWidth('with')) / 4 + 6;
  const middle = (x(pair.with) + x(pair.without)) / 2;
  const isRight = pair.with >= pair.without;
  const right = Math.max(Math.max(x(pair.with), x(pair.without)), middle + half);
  const left = Math.min(Math.min(x(pair.with), x(pair.without)), middle - half);
  const [withAt, withoutAt] = isRight ? [right, left] : [left, right];
  return markup`<text x="${tenth(withoutAt)}" y="${y - 11}" class="mid">without</text><text x="${tenth(withAt)}" y="${y - 11}" class="bold mid">with</text>`;
}

function gridMarkup({ x, write }: Scale, top: number, bottom: number): Markup[] {
  const count = x.range()[1] === wide.to ? 6 : 3;
  return x.ticks(count).map((tick) => {
    const at = tenth(x(tick));
    return markup`<path class="grid" d="M${at} ${top}V${bottom}"/><text x="${at}" y="${bottom + 17}" class="soft mid">${write(tick)}</text>`;
  });
}
