import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { withReport } from '../../src/report/open-report.ts';
import { buildReport } from '../../src/report/report-builder.ts';
import {
  builtInReports,
  findReports,
  type ReportDefinition,
} from '../../src/report/report-catalog.ts';
import type { DataSection, ReportCard } from '../../src/report/report-document.ts';
import { allPosts } from '../../src/report/report-parameters.ts';
import { openReportSession, type ReportSession } from '../../src/report/report-session.ts';
import { sectionsAt } from '../../src/report/report-sections.ts';
import { exportCsv } from '../../src/report/section-export.ts';
import { makeWarehouse, reportConfig } from '../report/support/report-warehouse.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { narrowed } from './support/built-report.ts';
import { differencesFrom } from './support/differences.ts';
import { goldenCases } from './support/golden-cases.ts';
import type { GoldenCase } from './support/golden-rows.ts';

const reports = await findReports([builtInReports]);
const goldenFolder = join(import.meta.dirname, '..', 'golden', 'reports');

/** Its documents are golden as a whole; those of the other cases in what they have otherwise. */
const wholeCase = 'compared-half-year';
/** CSV files have the rows of the documents: one report's, and those with texts that the CSV guard is for. */
const csvCases = new Set([wholeCase, 'nasty-texts']);
const csvReport = 'emv';

test.each(goldenCases)('$name', async (goldenCase) => {
  const whole = await wholeDocuments();
  const isWhole = goldenCase.name === wholeCase;
  const { written, csv } = isWhole ? whole : await documentsOf(goldenCase);
  const made = new Map(csv);
  for (const [report, document] of written) {
    const said = isWhole ? document : differencesFrom(whole.written.get(report) ?? {}, document);
    made.set(`${report}.json`, `${JSON.stringify(said, null, 2)}\n`);
  }
  await expectGolden(join(goldenFolder, goldenCase.name), made);
});

test('there is no golden folder without its case', async () => {
  expect((await readdir(goldenFolder)).sort()).toEqual(goldenCases.map(({ name }) => name).sort());
});

/**
 * Holds made files, by name, against those of a folder. With UPDATE_GOLDEN=1 they are written there instead, but never
 * in CI.
 */
async function expectGolden(folder: string, made: ReadonlyMap<string, string>): Promise<void> {
  if (process.env['UPDATE_GOLDEN'] === '1') {
    if (process.env['CI']) throw new Error('CI never writes a golden file');
    await rm(folder, { recursive: true, force: true });
    for (const [name, text] of made) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  }
  const golden = await filesBelow(folder);
  expect([...golden.keys()], `the files of ${folder}`).toEqual([...made.keys()].sort());
  for (const [name, text] of made) expect(text, join(folder, name)).toBe(golden.get(name));
}

/** The texts of all files, by their paths in order. */
async function filesBelow(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  const texts = paths.map(
    async (path) => [path, await readFile(join(folder, path), 'utf8')] as const,
  );
  return new Map(await Promise.all(texts));
}

/** What a case's reports say, by report, and their CSV files, by path, where these are golden. */
interface Documents {
  readonly written: ReadonlyMap<string, object>;
  readonly csv: ReadonlyMap<string, string>;
}

let wholeMade: Promise<Documents> | null = null;

/** The documents of {@link wholeCase}. */
function wholeDocuments(): Promise<Documents> {
  const goldenCase = goldenCases.find(({ name }) => name === wholeCase);
  if (!goldenCase) throw new Error(`no case ${wholeCase}`);
  return (wholeMade ??= documentsOf(goldenCase));
}

/** Makes all that is golden of a case, in one session. */
async function documentsOf(goldenCase: GoldenCase): Promise<Documents> {
  const { name, rows, parameters, config, reports, only } = goldenCase;
  const folder = await temporaryFolder();
  const path = join(folder, 'warehouse.duckdb');
  await makeWarehouse(path, rows);
  const session = await openReportSession(
    reportConfig(path, config),
    { ...allPosts, ...parameters },
    { folder },
  );
  const csv = join(folder, 'csv');
  await mkdir(csv);
  const written = new Map<string, object>();
  try {
    for (const report of reports) {
      const hasCsv = report === csvReport && csvCases.has(name);
      const definition = only ? narrowed(definitionOf(report), only) : definitionOf(report);
      written.set(report, await documentOf(session, definition, hasCsv));
      if (hasCsv) await writeSections(session, definition, csv);
    }
    return { written, csv: await filesBelow(csv) };
  } finally {
    session.close();
  }
}

async function writeSections(
  session: ReportSession,
  definition: ReportDefinition,
  folder: string,
): Promise<void> {
  await withReport(session, definition, {}, async (report) => {
    for (const { name } of sectionsAt(definition.sections, session))
      await exportCsv(report, name, join(folder, definition.name, `${name}.csv`));
  });
}

function definitionOf(report: string): ReportDefinition {
  const definition = reports.get(report);
  if (!definition) throw new Error(`no report ${report}`);
  return definition;
}

/**
 * One text for each row. Integers beyond 2^53 become texts.
 * @param keepsRows true where files of the same rows follow
 */
async function documentOf(
  session: ReportSession,
  definition: ReportDefinition,
  keepsRows: boolean,
): Promise<object> {
  // the posts behind rows are those that explain lists, which other tests compare
  const contents = { rowPosts: false, listRows: Infinity, keepsRows };
  const document = await buildReport(session, definition, {}, contents);
  const sections = document.sections.map(writtenSection);
  const cards = document.cards.map(writtenCard);
  // any change of SQL changes the hash, and need not change what the SQL says
  const stamp = { ...document.stamp, sqlHash: 'of the SQL' };
  const definitions = document.definitions.length;
  // the lede has the headline
  const left = { language: undefined, headline: undefined, unreadDays: undefined };
  const said = { ...document, ...left, stamp, cards, sections, definitions };
  return JSON.parse(JSON.stringify(said, exact)) as object;
}

function writtenCard({ cell, previousCell, trend, ...card }: ReportCard): object {
  const nameOf = (of: ReportCard['cell']) => of && `${of.section}.${of.column}`;
  return {
    ...card,
    cell: nameOf(cell),
    previousCell: nameOf(previousCell),
    trend: JSON.stringify(trend, exact),
  };
}

function writtenSection({
  columns,
  rows,
  exactRows,
  total,
  chart,
  ...section
}: DataSection): object {
  // the words of these are translated, and their figures may be longer
  const exactCells = exactRows?.map((row, at) =>
    row.filter((cell, index) => !isDeepStrictEqual(cell, rows[at]?.[index])),
  );
  return {
    ...section,
    total: total && `${total.label} ${JSON.stringify(total.cells, exact)}`,
    chart: chart && JSON.stringify(chart, exact),
    ...(exactCells && { exactCells: exactCells.map((row) => JSON.stringify(row, exact)) }),
    // those in brackets are not in the HTML
    columns: columns
      .map(({ name, format, isInHtml }) =>
        isInHtml ? `${name}: ${format}` : `[${name}: ${format}]`,
      )
      .join(', '),
    rows: rows.map((row) => JSON.stringify(row, exact)),
  };
}

function exact(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
