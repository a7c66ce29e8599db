import type ExcelJS from 'exceljs';
import type { ColumnFormat } from '../../report/report-document.ts';
import { isFigureFormat } from '../../languages/number-format.ts';

export type CellStyle = Partial<ExcelJS.Style>;
type Font = Partial<ExcelJS.Font>;

/** The colours of the design with alpha first, as Office writes them. */
const colors = {
  ink: { argb: 'FF15191F' },
  // LibreOffice forgets the indent of a cell that differs from the one before in its number format
  // alone; this ink, which no eye tells from the other, makes neighbours differ.
  inkTwin: { argb: 'FF15191E' },
  ink2: { argb: 'FF434B57' },
  ink3: { argb: 'FF626B78' },
  tint: { argb: 'FFF4F6F8' },
  axis: { argb: 'FF8A929D' },
  accent: { argb: 'FF0B5FA5' },
  input: { argb: 'FFFFF7E0' },
} as const;

const bodyFont: Font = { name: 'Arial', family: 2, size: 10, color: colors.ink };

const boldFont: Font = { ...bodyFont, bold: true };
const smallFont: Font = { ...bodyFont, size: 9, color: colors.ink3 };
const linkFont: Font = { ...bodyFont, color: colors.accent, underline: true };
const headFont: Font = { ...smallFont, bold: true };

const wrapped = { wrapText: true, vertical: 'top' } as const;

export const styles = {
  brand: {
    font: { ...boldFont, color: colors.ink2 },
    border: { bottom: { style: 'medium', color: colors.ink } },
  },
  title: { font: { ...boldFont, size: 20 }, alignment: { vertical: 'middle' } },
  period: { font: { ...bodyFont, size: 12, color: colors.ink2 } },
  lede: { font: { ...bodyFont, size: 12 }, alignment: wrapped },
  finding: { font: { ...boldFont, size: 14 }, alignment: { vertical: 'middle' } },
  wrappedFinding: { font: { ...boldFont, size: 14 }, alignment: wrapped },
  small: { font: smallFont },
  note: { font: smallFont, alignment: { vertical: 'top' } },
  wrappedNote: { font: smallFont, alignment: { ...wrapped, horizontal: 'left' } },
  label: { font: { ...bodyFont, color: colors.ink2 }, alignment: { vertical: 'top' } },
  wrappedText: { font: bodyFont, alignment: { ...wrapped, horizontal: 'left' } },
  term: { font: boldFont, alignment: { vertical: 'top' } },
  blockHead: { font: boldFont, border: { bottom: { style: 'thin', color: colors.axis } } },
  blockFigureHead: {
    font: smallFont,
    alignment: { horizontal: 'right', indent: 1 },
    border: { bottom: { style: 'thin', color: colors.axis } },
  },
  link: { font: linkFont, alignment: { vertical: 'top' } },
} as const satisfies Record<string, CellStyle>;

export function inputStyle(numberFormat: string | null): CellStyle {
  const side = { style: 'thin', color: colors.axis } as const;
  return {
    font: { ...boldFont, color: colors.accent },
    alignment: { horizontal: 'right', vertical: 'top', indent: 1 },
    fill: { type: 'pattern', pattern: 'solid', fgColor: colors.input },
    border: { top: side, right: side, bottom: side, left: side },
    ...(numberFormat === null ? {} : { numFmt: numberFormat }),
  };
}

export interface ColumnStyles {
  readonly head: CellStyle;
  readonly body: CellStyle;
  readonly link: CellStyle;
  readonly total: CellStyle;
  /** The style of a change that rounds to 0 per cent or points: it has no sign. Null for other columns. */
  readonly unchanged: { readonly below: number; readonly body: CellStyle } | null;
}

export function bodyStyle({ body, unchanged }: ColumnStyles, value: unknown): CellStyle {
  const isUnchanged =
    unchanged !== null && typeof value === 'number' && Math.abs(value) < unchanged.below;
  return isUnchanged ? unchanged.body : body;
}

/**
 * The styles of one column. All of its cells share the same objects, since the writer knows a style by its identity and
 * takes a hundred times as long for a new one.
 */
export function columnStyles(
  format: ColumnFormat,
  numberFormat: string | null,
  { isKeyFigure = false, isOdd = false } = {},
): ColumnStyles {
  const horizontal = isFigureFormat(format) ? 'right' : 'left';
  const numFmt = numberFormat === null ? {} : { numFmt: numberFormat };
  // The indent separates the figure from left-aligned content in the next column, such as a bar.
  const indent = horizontal === 'right' ? { indent: 1 } : {};
  const alignment = { horizontal, vertical: 'top', ...indent } as const;
  const color = isOdd ? colors.inkTwin : colors.ink;
  const body = { font: { ...(isKeyFigure ? boldFont : bodyFont), color }, alignment, ...numFmt };
  const zero = numberFormat?.split(';')[2] ?? '';
  return {
    head: {
      font: headFont,
      // The head is at the top, so that the button of the filter does not cover it.
      alignment: { ...alignment, wrapText: true },
      fill: { type: 'pattern', pattern: 'solid', fgColor: colors.tint },
      border: { bottom: { style: 'thin', color: colors.axis } },
    },
    body,
    // A wrapped address in a row of one line ends at its cell instead of running over the next.
    link: { font: linkFont, alignment: { ...alignment, wrapText: true } },
    total: {
      font: { ...boldFont, color },
      alignment,
      border: { top: { style: 'thin', color: colors.ink } },
      ...numFmt,
    },
    unchanged: zero
      ? { below: zero.endsWith('%') ? 0.0005 : 0.05, body: { ...body, numFmt: zero } }
      : null,
  };
}
