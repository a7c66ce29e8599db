import { isFigureFormat } from '../../languages/number-format.ts';
import type { Cell, ReportDocument, ReportSection } from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { sheetValue } from './cell-value.ts';
import { pageOptions } from './page.ts';
import { type SheetContext, writeHead } from './section-sheet.ts';
import { figureAt, reportedCpm } from './sheet-plan.ts';
import type { SheetCell, SheetWriter } from './sheet-writer.ts';
import { columnStyles, inputStyle, styles } from './styles.ts';
import { columnFormat } from './table-layout.ts';

/** The widths in characters of names, impressions, EMV and EMV at the cell's CPM. */
const widths = [40, 18, 18, 22];
const inputRow = 4;

/**
 * Writes a cell for the CPM, with that of the report as its first value, and the sections' EMV at it. Nothing else in
 * the workbook follows the cell.
 */
export function writeWhatIfSheet(
  document: ReportDocument,
  name: string,
  context: SheetContext,
): void {
  const cpm = reportedCpm(document) ?? 0;
  const { say } = context;
  const view = { showGridLines: false };
  const options = pageOptions(context.foot, { head: inputRow, view });
  const sheet = context.workbook.addSheet(name, options);
  sheet.setWidths(widths);
  const subtitle = say(
    'Change the CPM: EMV at this CPM is impressions ÷ 1,000 × CPM. Nothing on other sheets changes.',
  );
  writeHead(sheet, say('EMV at another CPM'), subtitle);
  const unit = say('{currency:text} per 1,000 impressions', {
    currency: document.currency,
  });
  sheet.addRow([
    { value: say('CPM'), style: styles.label },
    { value: cpm, style: inputStyle(context.numberFormats.money_exact) },
    { value: unit, style: styles.note },
  ]);
  sheet.setPositive(`B${inputRow}`, say('Give a CPM above 0.'));
  for (const section of document.sections)
    if (document.whatIf.includes(section.name) && section.rows.length > 0)
      writePriced(sheet, section, cpm, context);
  sheet.addRow([], { height: 8 });
  const note = say(
    'At the CPM of the report a row differs from its EMV where its own CPM does, or where posts have impressions and no EMV.',
  );
  sheet.addRow([{ value: note, style: styles.wrappedNote }], { height: 30, merge: [1, 4] });
}

/** Writes the rows of a section and its total: names, impressions, EMV, and EMV at the cell's CPM. */
function writePriced(
  sheet: SheetWriter,
  section: ReportSection,
  cpm: number,
  { timezone, say, numberFormats }: SheetContext,
): void {
  const { columns, rows, total } = section;
  const at = (name: string) => columns.findIndex((column) => column.name === name);
  const indexes = [at('impressions'), at('emv'), at('emv')] as const;
  const titles = indexes.map((index) => columns[index]?.title ?? '');
  const [impressions = '', emv = ''] = titles;
  const looks = indexes.map((index, position) =>
    columnStyles(
      columns[index]?.format ?? 'money',
      columnFormat(section, index, { numberFormats }),
      { isOdd: position % 2 === 0 },
    ),
  );
  const name = nameOf(section, { timezone, numberFormats });
  const heads = [impressions, say('{title:text} as reported', { title: emv })];
  heads.push(say('{title:text} at this CPM', { title: emv }));
  sheet.addRow([], { height: 14 });
  sheet.addRow(
    [
      { value: cellText(section.title), style: name.styles.head },
      ...heads.map((value, index) => ({
        value: cellText(value),
        style: (looks[index] ?? name.styles).head,
      })),
    ],
    { height: 18 },
  );
  const writeRow = (label: SheetCell, cells: readonly Cell[], look: 'body' | 'total'): void => {
    const [shown, reported] = [
      figureAt(section, cells, 'impressions'),
      figureAt(section, cells, 'emv'),
    ];
    const formula = `B${sheet.rows + 1}/1000*$B$${inputRow}`;
    const priced = shown === null ? null : { formula, result: (shown / 1000) * cpm };
    const values = [shown, reported, priced].map((value, index) => ({
      value,
      style: (looks[index] ?? name.styles)[look],
    }));
    sheet.addRow([label, ...values], { height: 15 });
  };
  for (const cells of rows)
    writeRow({ value: name.text(cells), style: name.styles.body }, cells, 'body');
  if (total)
    writeRow({ value: cellText(total.label), style: name.styles.total }, total.cells, 'total');
}

/** The cells that name the rows of a section: its first name, and what else tells rows apart on the page. */
function nameOf(
  { columns, key }: ReportSection,
  { timezone, numberFormats }: Pick<SheetContext, 'timezone' | 'numberFormats'>,
) {
  const shown = [...columns.entries()].filter(
    ([, { isInHtml, format }]) => isInHtml && format !== 'trend' && !isFigureFormat(format),
  );
  const first = shown[0]?.[0] ?? 0;
  const others = shown.slice(1).filter(([, { name }]) => key.includes(name));
  const format = columns[first]?.format ?? 'text';
  return {
    styles: columnStyles(format, numberFormats[format]),
    text(cells: readonly Cell[]) {
      const value = sheetValue(cells[first] ?? null, format, timezone);
      if (value === null) return columns[first]?.nullNote ?? null;
      const more = others.map(([index]) => String(cells[index] ?? ''));
      return more.length === 0 ? value : cellText([String(value), ...more].join(' · '));
    },
  };
}
