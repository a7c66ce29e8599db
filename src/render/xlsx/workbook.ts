import type { ReportDocument, ReportTable } from '../../report/report-document.ts';
import { layoutTable } from './column-layout.ts';
import { writeCoverSheet } from './cover-sheet.ts';
import { createNumberFormats } from './number-formats.ts';
import { setRanges, sheetOptions, writeSectionSheet } from './section-sheet.ts';
import { sheetNames } from './sheet-names.ts';
import type { StreamingWorkbook, WorkbookProperties } from './streaming-workbook.ts';
import { writeTableRows } from './table-rows.ts';
import { writeWholeFile } from './whole-file.ts';

export interface TableWorkbookOptions {
  /** In the file's properties and in the foot of printed pages. */
  readonly title: string;
  /** IANA; the zone whose clock datetimes show. */
  readonly timezone: string;
  /** ISO 4217. */
  readonly currency: string;
  /** BCP 47. */
  readonly locale: string;
}

const coverName = 'About';

/**
 * Writes a report as a workbook: a cover named `About`, then a sheet for each section, named as the
 * section. The file appears whole or not at all, and equal documents give equal bytes.
 * @throws WorkbookLimitError when a section has more rows than a sheet
 */
export async function writeWorkbook(document: ReportDocument, path: string): Promise<void> {
  const [cover = coverName, ...names] = sheetNames([
    coverName,
    ...document.sections.map((section) => section.name),
  ]);
  const createdAt = document.dataAsOf === null ? null : new Date(document.dataAsOf);
  await streamWorkbook(path, { title: document.title, createdAt }, async (workbook) => {
    const context = {
      workbook,
      timezone: document.timezone,
      numberFormats: createNumberFormats(document),
      foot: { left: document.title, center: footPeriod(document) },
    };
    writeCoverSheet(document, { cover, sections: names }, context);
    for (const [index, section] of document.sections.entries()) {
      await writeSectionSheet(section, names[index] ?? section.name, context);
    }
  });
}

/**
 * Writes rows as a workbook of one sheet, heads in its first row.
 * @throws WorkbookLimitError when there are more rows than a sheet holds
 */
export async function writeTableWorkbook(
  table: ReportTable,
  path: string,
  options: TableWorkbookOptions,
): Promise<void> {
  const { title, timezone } = options;
  await streamWorkbook(path, { title, createdAt: null }, async (workbook) => {
    const numberFormats = createNumberFormats(options);
    const context = { workbook, timezone, numberFormats, foot: { left: title, center: '' } };
    const layout = layoutTable(table, { key: [], sortedBy: null, timezone, numberFormats });
    const sheet = workbook.addSheet('Rows', sheetOptions(layout, 1, context));
    sheet.setWidths(layout.columns.map((column) => column.width));
    setRanges(
      sheet,
      await writeTableRows(sheet, table, { ...layout, timezone, total: null }),
      layout,
    );
    sheet.close();
  });
}

async function streamWorkbook(
  path: string,
  properties: WorkbookProperties,
  write: (workbook: StreamingWorkbook) => Promise<void>,
): Promise<void> {
  await writeWholeFile(path, async (temporary) => {
    // The library takes longer to load than most commands to run, and few of them write a workbook.
    const { StreamingWorkbook } = await import('./streaming-workbook.ts');
    const workbook = new StreamingWorkbook(temporary, properties);
    try {
      await write(workbook);
      await workbook.finish();
    } finally {
      await workbook.close();
    }
  });
}

function footPeriod({ period: { from, to } }: ReportDocument): string {
  if (from === null && to === null) return 'all posts';
  return `${from ?? ''} to ${to ?? ''}`.trim();
}
