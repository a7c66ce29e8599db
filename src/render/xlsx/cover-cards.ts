import type { Cell, ColumnFormat, ReportCard } from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { sheetValue } from './cell-value.ts';
import { changeFormat } from './number-formats.ts';
import type { SheetContext } from './section-sheet.ts';
import type { SheetCell } from './streaming-sheet.ts';
import { columnStyles, styles } from './styles.ts';

/** Rates change by points, everything else by per cent. */
const pointFormats: readonly ColumnFormat[] = ['rate', 'share', 'pp'];

/** Label, value, the value of the period before, the change, a note. */
export function cardCells(card: ReportCard, context: SheetContext): (SheetCell | null)[] {
  return [
    { value: cellText(card.label), style: styles.label },
    figureCell(card.value, card.format, context),
    figureCell(card.previous, card.format, context, { isOdd: true }),
    changeCell(card, context),
    card.note === null ? null : { value: cellText(card.note), style: styles.small },
  ];
}

function figureCell(
  cell: Cell,
  format: ColumnFormat,
  { numberFormats, timezone }: SheetContext,
  { isOdd = false } = {},
): SheetCell | null {
  if (cell === null) return null;
  const style = columnStyles(format, numberFormats[format], { isOdd }).body;
  return { value: sheetValue(cell, format, timezone), style };
}

/** Nothing is said of a value below 0: a percentage of it has no meaning. */
function changeCell(
  { value, previous, format }: ReportCard,
  context: SheetContext,
): SheetCell | null {
  const now = figureOf(value);
  const before = figureOf(previous);
  if (now === null || before === null || before < 0) return null;
  if (pointFormats.includes(format)) return figureCell(now - before, 'pp', context);
  const style = columnStyles('rate', changeFormat).body;
  if (before === 0) return { value: now === 0 ? 0 : 'new', style };
  return { value: now / before - 1, style };
}

function figureOf(cell: Cell): number | null {
  return typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : null;
}
