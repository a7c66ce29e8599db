import { PostledgerError } from '../../core/errors.ts';
import {
  createFormatter,
  type Formatter,
  type FormatterOptions,
} from '../../languages/number-format.ts';
import type { ReportDocument, ReportTable } from '../../report/report-document.ts';
import { createDocumentHead, type DocumentHead, productName } from '../document-head.ts';
import { writeCoverSheet, writeDefinitionsSheet } from './cover-sheet.ts';
import { lightColors } from '../html/colors.ts';
import { paperOf } from '../paper.ts';
import { chosenSections } from '../shown-document.ts';
import { exactFigures } from '../shown-table.ts';
import { writeHeatGrid } from './heat-grid.ts';
import { nativeChart } from './native-charts.ts';
import { createNumberFormats } from './number-formats.ts';
import { tablePageOptions } from './page.ts';
import { writeSectionSheet, writeTable } from './section-sheet.ts';
import { writeReportSheet } from './report-sheet.ts';
import {
  maxTableRows,
  type PlannedSection,
  planReports,
  planSheets,
  hasPrices,
} from './sheet-plan.ts';
import { layoutTable } from './table-layout.ts';
import { writeWhatIfSheet } from './what-if-sheet.ts';
import type { SheetTones } from './sheet-writer.ts';
import type { WorkbookProperties } from './workbook-file.ts';

export interface TableWorkbookOptions extends FormatterOptions {
  /** The title in the properties of the file and in the foot of printed pages. */
  readonly title: string;
}

/**
 * Renders a report as a workbook: a cover named `About`, a sheet for each section that has rows, and the definitions.
 * Figures are those of the report; formulas, with a cached value, are only in totals, which follow the filter, and on the
 * sheet What if. Equal documents give equal bytes.
 * @param more reports behind the same cover; each of several reports has one sheet
 */
export async function renderWorkbook(
  first: ReportDocument,
  ...more: readonly ReportDocument[]
): Promise<Uint8Array> {
  const documents = [first, ...more].map((each) => ({
    ...each,
    sections: chosenSections(each).filter(({ isOfOne }) => isOfOne !== true),
  }));
  const [document = first] = documents;
  const formatter = createFormatter(document);
  const priced = documents.find(hasPrices) ?? null;
  const plan =
    more.length === 0 ? planSheets(document, formatter) : planReports(documents, priced, formatter);
  const head = createDocumentHead(document, formatter, documents.slice(1));
  const workbook = await newWorkbook(propertiesOf(document, head));
  const contextOf = (each: ReportDocument) => {
    const { title, period } = each === document ? head : createDocumentHead(each);
    return {
      workbook,
      timezone: each.timezone,
      say: formatter.say,
      numberFormats: createNumberFormats(each),
      foot: {
        paper: paperOf(document),
        left: title,
        center: period,
        right: pageWords(formatter.say),
      },
    };
  };
  const context = contextOf(document);
  writeCoverSheet(document, head, plan, context);
  for (const report of plan.reports) writeReportSheet(report, contextOf(report.document));
  const writeSection = (planned: PlannedSection): void => {
    const charted = { ...context, document, formatter, sections: plan.sections };
    const chart = nativeChart(planned.section, charted);
    writeSectionSheet(planned, chart, context);
  };
  for (const planned of plan.sections) {
    if (planned.grid !== null)
      writeHeatGrid(planned.grid, planned.section, plan, document, context);
    else if (!planned.isHidden) writeSection(planned);
  }
  if (plan.whatIf !== null && priced !== null)
    writeWhatIfSheet(priced, plan.whatIf, contextOf(priced));
  for (const planned of plan.sections) if (planned.isHidden) writeSection(planned);
  if (plan.definitions !== null)
    writeDefinitionsSheet(definitionsOf(documents), plan.definitions, context);
  return workbook.bytes();
}

/** The definitions of all reports, each term as the first that has it says it. */
function definitionsOf(documents: readonly ReportDocument[]): ReportDocument['definitions'] {
  const terms = documents.flatMap(({ definitions }) =>
    definitions.map((each) => [each.term, each] as const),
  );
  return [...new Map(terms.toReversed()).values()].toReversed();
}

/**
 * Renders rows as a workbook of one sheet with heads in the first row.
 * @throws WorkbookLimitError when a workbook cannot hold all rows
 */
export async function renderTableWorkbook(
  table: ReportTable,
  options: TableWorkbookOptions,
): Promise<Uint8Array> {
  const { title, timezone } = options;
  if (table.rows.length > maxTableRows) {
    throw new WorkbookLimitError(
      `a workbook holds ${maxTableRows} rows, this table has ${table.rows.length}; take --format csv or parquet`,
    );
  }
  const workbook = await newWorkbook({
    title,
    subject: null,
    description: null,
    company: null,
    creator: productName,
    language: options.language?.code ?? 'en',
    tones: tonesOf(null),
    createdAt: null,
  });
  // a query's decimals are of any size, so the spreadsheet shows as many digits as fit
  const numberFormats = { ...createNumberFormats(options), decimal: null };
  const columns = [...table.columns.entries()];
  const { say } = createFormatter(options);
  const exact = { ...table, rows: exactFigures(table) };
  const layout = layoutTable(table, { columns, timezone, numberFormats, say });
  const foot = { paper: paperOf(options), left: title, center: '', right: pageWords(say) };
  const sheet = workbook.addSheet('Rows', tablePageOptions(layout, 1, { foot }));
  sheet.setWidths(layout.columns.map(({ width }) => width));
  writeTable(sheet, exact, { ...layout, timezone, totals: null, say, table: 'query' });
  return workbook.bytes();
}

class WorkbookLimitError extends PostledgerError {
  readonly code = 'WORKBOOK_LIMIT';
  readonly recovery = 'fix-input';
}

/** Loads the library on demand: it takes longer to load than most commands to run. */
async function newWorkbook(properties: WorkbookProperties) {
  const { WorkbookFile } = await import('./workbook-file.ts');
  return new WorkbookFile(properties);
}

function propertiesOf(document: ReportDocument, head: DocumentHead): WorkbookProperties {
  const { description, dataAsOf, language } = document;
  return {
    title: head.title,
    subject: `${description} ${head.period}`,
    description: head.source.join(' · '),
    company: head.brand,
    creator: head.product ?? head.brand ?? '',
    language: language.code,
    tones: tonesOf(document.brand?.color ?? null),
    createdAt: dataAsOf === null ? null : new Date(dataAsOf),
  };
}

/** The colours of cells; the upper end of a scale is light enough that text stays legible. */
function tonesOf(brand: string | null): SheetTones {
  const { bar, s0, s3 } = lightColors(brand);
  const [solid = '', low = '', high = ''] = [bar, s0, s3].map(
    (color) => `FF${color.slice(1).toUpperCase()}`,
  );
  return { bar: solid, low, high };
}

/** The page number and the number of pages, as Excel's codes. */
function pageWords(say: Formatter['say']): string {
  return say('Page {page:text} of {pages:text}', { page: '&P', pages: '&N' });
}
