import { once } from '../core/once.ts';
import type { Precision } from '../languages/number-format.ts';
import {
  type Cell,
  changesInPoints,
  type ColumnFormat,
  columnIn,
  isFromLittle,
  type ReportColumn,
  type ReportTable,
} from './report-document.ts';

/** Two figures that a document prints beside what the one is of the other, or has changed from it. */
export interface FigurePair {
  readonly format: ColumnFormat;
  readonly now: number;
  readonly of: number;
  readonly says: 'change' | 'part';
  /** True for a row of a table, which the last decimal of its figures may make differ in the last of the change. */
  readonly isOfRow?: boolean;
  /** A change from less than this is said by what it is from. */
  readonly least?: number;
}

/** The figures that a document prints, as far as they decide on its decimals. */
export interface PrintedFigures {
  readonly pairs: readonly FigurePair[];
  /** The sums that stand alone; one under 10 needs its cents. */
  readonly sums: readonly number[];
}

/** What the printed figures of a format have at least, and what may be added to make changes follow from them. */
const choices = {
  money: [0, 2],
  rate: [1, 2, 3],
  duration: [0, 1],
} as const satisfies Record<keyof Precision, readonly number[]>;

/**
 * Chooses the decimals of the figures of documents that one reader gets, so that each format is printed alike in all of them
 * and a reader gets the printed changes from the printed figures.
 */
export function precisionOf(documents: readonly PrintedFigures[]): Precision {
  const pairs = documents.flatMap((document) => document.pairs);
  const sums = documents.flatMap((document) => document.sums);
  const least = (format: keyof typeof choices, from: number) => {
    const own = pairs.filter((pair) => pair.format === format);
    const allowed = choices[format].filter((decimals) => decimals >= from);
    return (
      allowed.find((decimals) => own.every((pair) => isRecomputed(pair, decimals))) ??
      choices[format].at(-1)
    );
  };
  const isSmall = sums.some((value) => Math.abs(value) < 10 && !Number.isInteger(value));
  return {
    money: least('money', isSmall ? 2 : 0),
    rate: least('rate', 1),
    duration: least('duration', 0),
  };
}

/** Tells whether what is printed of two figures follows from them as they are printed. */
function isRecomputed(
  { format, now, of, says, isOfRow = false, least }: FigurePair,
  decimals: number,
): boolean {
  const inPoints = says === 'change' && changesInPoints(format);
  const isFrom = says === 'change' && !inPoints && isFromLittle(now, of, least);
  if (of < 0 || (of === 0 && !inPoints) || isFrom) return true;
  const result = (a: number, b: number) => (inPoints ? a - b : a / b);
  const [a, b] = [printed(now, format, decimals), printed(of, format, decimals)];
  const again = 100 * result(a, b);
  if (says === 'part') {
    const isTold = a !== b || now === of;
    return isTold && Math.abs(again - Math.round(100 * result(now, of))) < 0.5 - tie;
  }
  const half = 0.05 + (isOfRow && inPoints && decimals > 1 ? 10 ** -decimals : 0);
  const said = inPoints
    ? rounded(100 * result(now, of), 'decimal', 1)
    : 100 * rounded(result(now, of) - 1, 'percent', 1) + 100;
  return Math.abs(again - said) < half - tie;
}

/** A result that is half way between two printed ones may be rounded to either. */
const tie = 1e-9;

/** A figure as it is printed. */
function printed(value: number, format: ColumnFormat, decimals: number): number {
  if (format === 'rate') return rounded(value, 'percent', decimals);
  if (format !== 'duration') return rounded(value, 'decimal', decimals);
  if (value < 59.95) return rounded(value, 'decimal', 1);
  return value < 3600 || decimals > 0 ? Math.round(value) : 60 * Math.round(value / 60);
}

/** Rounds as `Intl` does, which goes by the digits that a number is written with: 0.0735 is 7.4%. */
function rounded(value: number, style: 'decimal' | 'percent', decimals: number): number {
  const text = rounder(`${style} ${decimals}`).format(value);
  return style === 'percent' ? Number(text.replace('%', '')) / 100 : Number(text);
}

const rounder = once((key: string) => {
  const [style, decimals = ''] = key.split(' ');
  const digits = {
    minimumFractionDigits: Number(decimals),
    maximumFractionDigits: Number(decimals),
  };
  return new Intl.NumberFormat('en', {
    style: style === 'percent' ? 'percent' : 'decimal',
    useGrouping: false,
    ...digits,
  });
});

/** The column indexes of a change, of the figure that it is of, and of the one that it is from. */
interface Change extends Pick<ReportColumn, 'format' | 'formatIndex'> {
  readonly at: number;
  readonly of: number;
  readonly from: number;
  readonly least?: number;
}

/** The changes of a table, with the figures that they are of. */
export function pairsOf(
  { columns, rows }: ReportTable,
  total: readonly Cell[] | null,
): FigurePair[] {
  const indexOf = (wanted: string) => columns.findIndex(({ name }) => name === wanted);
  const ofRate = { of: indexOf('engagement_rate'), from: indexOf('previous_rate') };
  const changes = columns.flatMap(({ name, change }, at): Change[] => {
    if (change !== undefined) return [{ ...change, at }];
    return name === 'rate_change' && ofRate.from >= 0 ? [{ ...ofRate, at, format: 'rate' }] : [];
  });
  const pairIn = (row: readonly Cell[], isOfRow: boolean) =>
    changes.flatMap((change): FigurePair[] => {
      const [now, of] = [figureIn(row[change.of]), figureIn(row[change.from])];
      if (now === null || of === null || (row[change.at] ?? null) === null) return [];
      const { format, least } = columnIn(change, row);
      return [{ format, now, of, says: 'change', isOfRow, ...(least !== undefined && { least }) }];
    });
  // figures of several units are the key figures of a document
  const isList = rows.length === 1 || changes.some(({ formatIndex }) => formatIndex !== undefined);
  return [
    ...rows.flatMap((row) => pairIn(row, !isList)),
    ...(total === null ? [] : pairIn(total, false)),
  ];
}

function figureIn(cell: Cell | undefined): number | null {
  return typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : null;
}
