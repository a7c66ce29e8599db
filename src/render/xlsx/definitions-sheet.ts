import { terminalWidth } from '../../core/terminal-text.ts';
import type { ReportDocument } from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { pageOptions } from './page.ts';
import type { SheetContext } from './section-sheet.ts';
import { styles } from './styles.ts';

const termWidth = 28;
const textWidth = 90;
/** A little fewer than the width, since lines break between words. */
const lineCharacters = 84;

/** The last sheet: what each figure is made of, and what it is not. */
export function writeDefinitionsSheet(
  { definitions }: ReportDocument,
  name: string,
  context: SheetContext,
): void {
  const sheet = context.workbook.addSheet(name, {
    ...pageOptions({ orientation: 'portrait', foot: context.foot }),
    views: [{ showGridLines: false, zoomScale: 100 }],
  });
  sheet.setWidths([termWidth, textWidth]);
  sheet.addRow([{ value: 'Definitions', style: styles.finding }], { height: 24 });
  sheet.addRow([], { height: 8 });
  for (const { term, text } of definitions) {
    const lines = Math.ceil(terminalWidth(text) / lineCharacters);
    const termLines = Math.ceil(terminalWidth(term) / (termWidth - 2));
    const cells = [
      { value: cellText(term), style: styles.term },
      { value: cellText(text), style: styles.wrappedText },
    ];
    sheet.addRow(cells, { height: 6 + 13 * Math.max(lines, termLines) });
  }
  sheet.close();
}
