import type { ReportInput } from '../../report/report-document.ts';
import { fixedCell, sheetPrefix } from './cell-address.ts';
import { cellText } from './cell-text.ts';
import { sheetValue } from './cell-value.ts';
import type { CoverPage } from './cover-page.ts';
import { inputNames } from './input-names.ts';
import type { SheetContext } from './section-sheet.ts';
import { columnStyles, inputStyle, styles } from './styles.ts';

/** The columns of the cell that may be changed, and of the report's value beside it. */
const inputColumn = 3;
const reportedColumn = 4;

/** The cell that the reader may change, the report's own value beside it, and what follows a change. */
export function writeInput(
  page: CoverPage,
  input: ReportInput,
  { cover, context }: { cover: string; context: SheetContext },
): void {
  const { workbook, numberFormats, timezone } = context;
  const format = numberFormats[input.format];
  const value = sheetValue(input.value, input.format, timezone);
  const names = inputNames(input);
  page.heading('To change', ['In use', 'As reported']);
  const cells = [
    { value: cellText(input.title), style: styles.label },
    { value, style: inputStyle(format) },
    { value, style: columnStyles(input.format, format, { isOdd: true }).body },
  ];
  const row = page.row(cells);
  workbook.nameCell(sheetPrefix(cover) + fixedCell(inputColumn, row), names.current);
  workbook.nameCell(sheetPrefix(cover) + fixedCell(reportedColumn, row), names.reported);
  page.allowPositive(
    inputColumn,
    row,
    'Figures follow this cell. Empty it to have them as reported.',
  );
  page.line(cellText(input.help), styles.wrappedNote);
  const changed = '"Changed: the figures follow. Sentences still say them as reported."';
  const formula = `IF(${names.isUntouched},"",${changed})`;
  page.line({ formula, result: '' }, styles.warning);
}
