import { isFigureFormat } from '../../languages/number-format.ts';
import type {
  Cell,
  OfferedPrice,
  ReportDocument,
  ReportSection,
} from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { sheetValue } from './cell-value.ts';
import { pageOptions } from './page.ts';
import { type SheetContext, writeHead } from './section-sheet.ts';
import { figureAt, hasOtherPrices } from './sheet-plan.ts';
import type { SheetCell, SheetWriter } from './sheet-writer.ts';
import { type ColumnStyles, columnStyles, inputStyle, styles } from './styles.ts';
import { columnLetters } from './table-address.ts';
import { columnFormat } from './table-layout.ts';

/** The widths in characters of names, of each count, of EMV and of EMV at the prices of the cells. */
const widths = { name: 40, count: 18, emv: 18, priced: 22 };
/** The row of the first price. */
const firstPrice = 4;

/**
 * Writes a named cell for each price, with that of the report as its first value, and the sections' EMV at them. Nothing else
 * in the workbook follows the cells.
 */
export function writeWhatIfSheet(
  document: ReportDocument,
  name: string,
  context: SheetContext,
): void {
  const { cells: prices = [], periods = [] } = document.prices ?? {};
  const { say } = context;
  const view = { showGridLines: false };
  const options = pageOptions(context.foot, { head: firstPrice - 1 + prices.length, view });
  const sheet = context.workbook.addSheet(name, options);
  const words = wordsOf(document, say);
  sheet.setWidths([widths.name, ...prices.map(() => widths.count), widths.emv, widths.priced]);
  writeHead(sheet, words.title, words.subtitle);
  for (const { metric, title, price } of prices) {
    const isCpm = metric === 'impressions';
    const unit = isCpm
      ? say('{currency:text} per 1,000 impressions', { currency: document.currency })
      : say('{currency:text} each', { currency: document.currency });
    sheet.addRow([
      { value: isCpm ? say('CPM') : title, style: styles.label },
      {
        value: price,
        style: inputStyle(context.numberFormats.money_exact),
        name: isCpm ? 'cpm' : `price_${metric}`,
      },
      { value: unit, style: styles.note },
    ]);
  }
  const last = firstPrice + prices.length - 1;
  sheet.setPositive(`B${firstPrice}${last > firstPrice ? `:B${last}` : ''}`, words.refusal);
  const table = { sheet, prices, heading: words.priced, context };
  for (const section of document.sections)
    if (document.whatIf.includes(section.name) && section.rows.length > 0)
      writeSection(section, table);
  if (periods.length > 0) writePeriods(periods, table);
  sheet.addRow([], { height: 8 });
  sheet.addRow([{ value: words.note, style: styles.wrappedNote }], {
    height: 30,
    merge: [1, prices.length + 3],
  });
}

function wordsOf(document: ReportDocument, say: SheetContext['say']) {
  if (!hasOtherPrices(document))
    return {
      title: say('EMV at another CPM'),
      subtitle: say(
        'Change the CPM: EMV at this CPM is impressions ÷ 1,000 × CPM. Nothing on other sheets changes.',
      ),
      refusal: say('Give a CPM above 0.'),
      priced: (title: string) => say('{title:text} at this CPM', { title }),
      note: say(
        'At the CPM of the report a row differs from its EMV where its own CPM does, or where posts have impressions and no EMV.',
      ),
    };
  return {
    title: say('EMV at other prices'),
    subtitle: say(
      'Change the prices: EMV at these prices is the sum of the counts, each × its price; impressions ÷ 1,000. Nothing on other sheets changes.',
    ),
    refusal: say('Give a price above 0.'),
    priced: (title: string) => say('{title:text} at these prices', { title }),
    note: say(
      'At the prices of the report a row differs from its EMV where its own prices do, where the service gives EMV, or where posts have counts and no EMV.',
    ),
  };
}

interface PricedTable {
  readonly sheet: SheetWriter;
  readonly prices: readonly OfferedPrice[];
  /** Says the head of EMV at the prices of the cells. */
  readonly heading: (title: string) => string;
  readonly context: SheetContext;
}

/** A row: its name, its counts in the order of the prices, and its EMV as reported. */
interface PricedRow {
  readonly label: SheetCell;
  readonly counts: readonly (number | null)[];
  readonly emv: number | null;
  readonly look: 'body' | 'total';
}

/** Writes the rows of a section and its total: names, counts, EMV, and EMV at the prices of the cells. */
function writeSection(section: ReportSection, table: PricedTable): void {
  const { columns, rows, total } = section;
  const { timezone, numberFormats } = table.context;
  const name = nameOf(section, { timezone, numberFormats });
  const head = { value: cellText(section.title), style: name.styles.head };
  const at = (column: string) => columns.findIndex((each) => each.name === column);
  const shown = [...table.prices.map(({ metric }) => at(metric)), at('emv')];
  const lookOf = (index: number, position: number) =>
    columnStyles(
      columns[index]?.format ?? 'money',
      columnFormat(section, index, { numberFormats }),
      { isOdd: position % 2 === 0 },
    );
  const rowOf = (label: SheetCell, cells: readonly Cell[], look: 'body' | 'total'): PricedRow => ({
    label,
    counts: table.prices.map(({ metric }) => figureAt(section, cells, metric)),
    emv: figureAt(section, cells, 'emv'),
    look,
  });
  const titles = shown.map((index) => columns[index]?.title ?? '');
  writeTable({ head, titles, looks: [...shown, at('emv')].map(lookOf) }, table, [
    ...rows.map((cells) =>
      rowOf({ value: name.text(cells), style: name.styles.body }, cells, 'body'),
    ),
    ...(total
      ? [rowOf({ value: cellText(total.label), style: name.styles.total }, total.cells, 'total')]
      : []),
  ]);
}

/** Writes this period and the one that it is compared with, both at the prices of the cells. */
function writePeriods(
  periods: NonNullable<ReportDocument['prices']>['periods'],
  table: PricedTable,
): void {
  const { say, numberFormats } = table.context;
  const name = columnStyles('text', null);
  const lookOf = (format: 'count' | 'money', position: number) =>
    columnStyles(format, numberFormats[format], { isOdd: position % 2 === 0 });
  const looks = [
    ...table.prices.map((_, at) => lookOf('count', at)),
    lookOf('money', table.prices.length),
    lookOf('money', table.prices.length + 1),
  ];
  const head = { value: say('Both periods'), style: name.head };
  const titles = [...table.prices.map(({ title }) => title), say('EMV')];
  writeTable(
    { head, titles, looks },
    table,
    periods.map(({ label, counts, emv }) => {
      return { label: { value: label, style: name.body }, counts, emv, look: 'body' };
    }),
  );
}

function writeTable(
  {
    head,
    titles,
    looks,
  }: {
    readonly head: SheetCell;
    readonly titles: readonly string[];
    readonly looks: readonly ColumnStyles[];
  },
  { sheet, prices, heading, context: { say } }: PricedTable,
  rows: readonly PricedRow[],
): void {
  const emv = titles.at(-1) ?? '';
  const heads = [
    ...titles.slice(0, -1),
    say('{title:text} as reported', { title: emv }),
    heading(emv),
  ];
  const styleOf = (index: number, look: keyof Pick<ColumnStyles, 'head' | 'body' | 'total'>) =>
    looks[index]?.[look] ?? styles.label;
  sheet.addRow([], { height: 14 });
  sheet.addRow(
    [
      head,
      ...heads.map((value, index) => ({ value: cellText(value), style: styleOf(index, 'head') })),
    ],
    { height: 18 },
  );
  for (const { label, counts, emv: reported, look } of rows) {
    const row = sheet.rows + 1;
    const known = [...counts.entries()].filter(([, count]) => count !== null);
    const formula = known.map(([at]) => {
      const { per = 1 } = prices[at] ?? {};
      return `${columnLetters(at + 2)}${row}${per === 1 ? '' : `/${per}`}*$B$${firstPrice + at}`;
    });
    const result = known.reduce((sum, [at, count]) => {
      const { per = 1, price = 0 } = prices[at] ?? {};
      return sum + ((count ?? 0) / per) * price;
    }, 0);
    const priced = known.length === 0 ? null : { formula: formula.join('+'), result };
    const values = [...counts, reported, priced].map((value, index) => ({
      value,
      style: styleOf(index, look),
    }));
    sheet.addRow([label, ...values], { height: 15 });
  }
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
