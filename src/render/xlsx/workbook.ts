import { createFormatter } from '../../core/number-format.ts';
import type { ReportDocument, ReportTable } from '../../report/report-document.ts';
import { stampWords } from '../stamp-words.ts';
import { layoutTable } from './column-layout.ts';
import { type SheetNames, writeCoverSheet } from './cover-sheet.ts';
import { writeDefinitionsSheet } from './definitions-sheet.ts';
import { inputNames } from './input-names.ts';
import { nativeChart } from './native-charts.ts';
import { createNumberFormats } from './number-formats.ts';
import { SectionFormulas } from './section-formulas.ts';
import { setRanges, sheetOptions, writeSectionSheet } from './section-sheet.ts';
import { sheetNames } from './sheet-names.ts';
import type { StreamingWorkbook, WorkbookProperties } from './streaming-workbook.ts';
import { FigureCells, placeOf } from './table-place.ts';
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
const definitionsName = 'Definitions';

/**
 * Writes a report as a workbook: a cover named `About`, a sheet for each section, named as the section, and
 * the definitions. Figures that follow from others are formulas, with what the report says as their cached
 * value. The file appears whole or not at all, and equal documents give equal bytes.
 * @throws WorkbookLimitError when a section has more rows than a sheet
 */
export async function writeWorkbook(document: ReportDocument, path: string): Promise<void> {
  const names = namesOf(document);
  const sections = document.sections.map((section, index) => ({
    section,
    place: placeOf(section, names.sections[index] ?? section.name),
  }));
  const figures = new FigureCells(sections);
  const input = document.input && inputNames(document.input);
  await streamWorkbook(path, propertiesOf(document), async (workbook) => {
    const context = {
      workbook,
      timezone: document.timezone,
      numberFormats: createNumberFormats(document),
      foot: { left: document.title, center: footPeriod(document) },
      figures,
    };
    writeCoverSheet(document, names, context);
    for (const { section, place } of sections) {
      const formulas = new SectionFormulas({ section, place, input, figures });
      const chart = nativeChart(section, { ...context, sections });
      await writeSectionSheet(section, { place, formulas, chart, input }, context);
    }
    if (names.definitions !== null) writeDefinitionsSheet(document, names.definitions, context);
  });
}

function namesOf({ sections, definitions }: ReportDocument): SheetNames {
  const [cover = coverName, last = definitionsName, ...rest] = sheetNames([
    coverName,
    definitionsName,
    ...sections.map((section) => section.name),
  ]);
  return { cover, sections: rest, definitions: definitions.length === 0 ? null : last };
}

function propertiesOf(document: ReportDocument): WorkbookProperties {
  const { title, dataAsOf, brand } = document;
  return {
    title,
    subject: `${document.description} ${footPeriod(document)}`,
    description: stampWords(document, createFormatter(document)).join(' · '),
    company: brand?.name ?? null,
    createdAt: dataAsOf === null ? null : new Date(dataAsOf),
  };
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
  const properties = {
    title,
    subject: null,
    description: null,
    company: null,
    createdAt: null,
  };
  await streamWorkbook(path, properties, async (workbook) => {
    const numberFormats = createNumberFormats(options);
    const context = { workbook, timezone, numberFormats, foot: { left: title, center: '' } };
    const layout = layoutTable(table, { key: [], sortedBy: null, timezone, numberFormats });
    const sheet = workbook.addSheet('Rows', sheetOptions(layout, 1, context));
    sheet.setWidths(layout.columns.map((column) => column.width));
    setRanges(
      sheet,
      await writeTableRows(sheet, table, {
        ...layout,
        timezone,
        total: null,
        formulas: null,
        linked: null,
      }),
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
