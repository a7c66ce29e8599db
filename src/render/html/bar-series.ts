import type { Cell, ChartSpec, ReportTable } from '../../report/report-document.ts';
import { cellIn, type ChartColumn, chartColumn, numberIn } from './charts/chart-column.ts';
import { dayStep, usualStep } from './charts/usual-step.ts';
import { createXReader, type XKind, type XReader } from './charts/x-reader.ts';
import type { PageContext } from './page-context.ts';

export type BarsSpec = Extract<ChartSpec, { kind: 'bars' }>;

export interface Bar {
  /** On the axis: of a month, a day, a number, or a word. */
  readonly place: number;
  readonly value: number | null;
  readonly previous: number | null;
  /** The part of the value that is of young posts: from 0 to the value; 0 where none is known. */
  readonly notFinal: number;
}

export interface BarSeries {
  readonly kind: XKind;
  readonly bars: readonly Bar[];
  /** What a bar is called in full. */
  readonly nameOf: (bar: Bar) => string;
  /** Rows that would have been too many to tell apart. */
  readonly leftOut: number;
}

interface Columns {
  readonly y: ChartColumn | null;
  readonly previous: ChartColumn | null;
  readonly notFinal: ChartColumn | null;
}

/** Wider ranges come from a wrong date, and would push every bar to nothing. */
const maxBars = 600;
/** Words need a label each. */
const maxWords = 40;

/**
 * A bar a row: months, days and whole numbers in order, with a gap where a row is missing between two;
 * words in the order of their rows. Null where `x` or `y` is no column.
 */
export function barSeries(
  table: ReportTable,
  spec: BarsSpec,
  context: PageContext,
): BarSeries | null {
  const x = chartColumn(table, spec.x);
  const y = chartColumn(table, spec.y);
  if (!x || !y) return null;
  const reader = createXReader(x, context);
  const columns = { y, previous: chartColumn(table, spec.previous), notFinal: chartColumn(table, spec.not_final) }; // prettier-ignore
  const known = readBars(table, { x, reader, columns });
  const bars = reader.kind === 'word' ? known : withGaps(known, reader.kind);
  const most = reader.kind === 'word' ? maxWords : maxBars;
  return {
    kind: reader.kind,
    bars: bars.slice(0, most),
    nameOf: ({ place }) => reader.nameOf(place),
    leftOut: bars.slice(most).filter(({ value }) => value !== null).length,
  };
}

function readBars(
  table: ReportTable,
  { x, reader, columns }: { x: ChartColumn; reader: XReader; columns: Columns },
): Bar[] {
  const bars = table.rows.flatMap((row) => {
    const place = reader.placeOf(cellIn(row, x));
    return place === null ? [] : [barOf(row, place, columns)];
  });
  if (reader.kind === 'word') return bars;
  return [...new Map(bars.map((bar) => [bar.place, bar])).values()].sort(
    (a, b) => a.place - b.place,
  );
}

function barOf(row: readonly Cell[], place: number, columns: Columns): Bar {
  const value = numberIn(row, columns.y);
  const young = numberIn(row, columns.notFinal) ?? 0;
  return {
    place,
    value,
    previous: numberIn(row, columns.previous),
    notFinal: Math.min(Math.max(young, 0), Math.max(value ?? 0, 0)),
  };
}

/** Bars at even steps: a month, or for days and numbers the distance that most neighbours have. */
function withGaps(bars: readonly Bar[], kind: XKind): Bar[] {
  const step = stepOf(
    bars.map(({ place }) => place),
    kind,
  );
  if (step === null) return [...bars];
  const filled: Bar[] = [];
  for (const bar of bars) {
    const last = filled.at(-1);
    const missing = last ? Math.round((bar.place - last.place) / step) - 1 : 0;
    const room = Math.max(0, maxBars - filled.length);
    for (let gap = 1; last && gap <= Math.min(missing, room); gap += 1) {
      filled.push({ place: last.place + gap * step, value: null, previous: null, notFinal: 0 });
    }
    filled.push(bar);
  }
  return filled;
}

/** Null for numbers that are apart for a reason, as 1, 7 and 30 are. */
function stepOf(places: readonly number[], kind: XKind): number | null {
  if (kind === 'month') return 1;
  return kind === 'day' ? dayStep(places) : usualStep(places);
}
