import type { Cell, ColumnFormat, FigurePlace, ReportCard } from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { sheetValue } from './cell-value.ts';
import { agrees, type SheetFormula, unlessBlank } from './formula.ts';
import { changeFormat, numberFormatOf } from './number-formats.ts';
import type { SheetContext } from './section-sheet.ts';
import { sheetFigure } from './sheet-figure.ts';
import type { SheetCell } from './streaming-sheet.ts';
import { columnStyles, styles } from './styles.ts';
import type { FigureCells } from './table-place.ts';

/** Rates change by points, everything else by per cent. */
const pointFormats: readonly ColumnFormat[] = ['rate', 'share', 'pp'];
/** The cover's columns of a card's value and of that before. */
const valueColumn = 'C';
const previousColumn = 'D';

export interface CardContext extends SheetContext {
  readonly figures: FigureCells;
}

/**
 * Label, value, the value of the period before, the change, a note. Figures that stand on a section's sheet
 * refer to it.
 * @param row of the sheet, from 1
 */
export function cardCells(
  card: ReportCard,
  row: number,
  context: CardContext,
): (SheetCell | null)[] {
  const { format, value, previous } = card;
  const look = {
    format,
    numberFormat: numberFormatOf(format, [value, previous], context.numberFormats),
  };
  return [
    { value: cellText(card.label), style: styles.label },
    figureCell(card.value, card.cell, { ...look, isOdd: false }, context),
    figureCell(card.previous, card.previousCell, { ...look, isOdd: true }, context),
    changeCell(card, row, context),
    card.note === null ? null : { value: cellText(card.note), style: styles.note },
  ];
}

function figureCell(
  cell: Cell,
  place: FigurePlace | null,
  { format, ...look }: { format: ColumnFormat; numberFormat: string | null; isOdd: boolean },
  { timezone, figures }: CardContext,
): SheetCell | null {
  if (cell === null) return null;
  const style = columnStyles(format, look.numberFormat, look).body;
  const figure = sheetFigure(cell, format);
  const placed = place && figures.at(place);
  if (placed && figure !== null && agrees(placed.figure, figure)) {
    return { value: { formula: placed.address, result: figure }, style };
  }
  return { value: sheetValue(cell, format, timezone), style };
}

/** Nothing is said of a value below 0: a percentage of it has no meaning. */
function changeCell(
  card: ReportCard,
  row: number,
  { numberFormats }: CardContext,
): SheetCell | null {
  const now = sheetFigure(card.value, card.format);
  const before = sheetFigure(card.previous, card.format);
  if (now === null || before === null || before < 0) return null;
  const isPoints = pointFormats.includes(card.format);
  const numberFormat = isPoints ? numberFormats.pp : changeFormat;
  const style = columnStyles('change', numberFormat).body;
  const value = `${valueColumn}${row}`;
  const previous = `${previousColumn}${row}`;
  const { formula, result } = isPoints
    ? pointChange(card.format, { now, before, value, previous })
    : percentChange({ now, before, value, previous });
  // What a card refers to may come to show nothing once the input is changed.
  const cells = [
    ...(card.cell === null ? [] : [value]),
    ...(card.previousCell === null ? [] : [previous]),
  ];
  return { value: { formula: unlessBlank(formula, cells), result }, style };
}

interface Figures {
  readonly now: number;
  readonly before: number;
  /** Addresses of the two. */
  readonly value: string;
  readonly previous: string;
}

function pointChange(
  format: ColumnFormat,
  { now, before, value, previous }: Figures,
): SheetFormula {
  const difference = `${value}-${previous}`;
  if (format === 'pp') return { formula: difference, result: now - before };
  return { formula: `(${difference})*100`, result: Number(((now - before) * 100).toPrecision(15)) };
}

function percentChange({ now, before, value, previous }: Figures): SheetFormula {
  if (before > 0) return { formula: `${value}/${previous}-1`, result: now / before - 1 };
  const formula = `IF(${previous}=0,IF(${value}=0,0,"new"),${value}/${previous}-1)`;
  return { formula, result: now === 0 ? 0 : 'new' };
}
