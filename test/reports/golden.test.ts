import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildReport } from '../../src/report/report-builder.ts';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';
import type { ReportDocument } from '../../src/report/report-document.ts';
import { allPosts } from '../../src/report/report-parameters.ts';
import { openReportSession, type ReportSession } from '../../src/report/report-session.ts';
import { exportCsv } from '../../src/report/section-query.ts';
import { makeWarehouse, reportConfig } from '../report/support/report-warehouse.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { goldenCases } from './support/golden-cases.ts';
import type { GoldenCase } from './support/golden-rows.ts';
import { expectGolden } from './support/golden-folder.ts';

const reports = await findReports([builtInReports]);
const goldenFolder = join(import.meta.dirname, '..', 'golden', 'reports');

/** All reports once, and texts that the CSV guard is for; the other cases are held by their documents. */
const csvCases = new Set(['compared-half-year', 'nasty-texts']);

test.each(goldenCases)('$name', async (goldenCase) => {
  const folder = await temporaryFolder();
  const session = await sessionOf(goldenCase, join(folder, 'warehouse.duckdb'));
  const made = join(folder, 'made');
  for (const report of goldenCase.reports)
    await writeReport(session, report, made, csvCases.has(goldenCase.name));
  await expectGolden(join(goldenFolder, goldenCase.name), made);
});

test('there is no golden folder without its case', async () => {
  expect((await readdir(goldenFolder)).sort()).toEqual(goldenCases.map(({ name }) => name).sort());
});

async function sessionOf(goldenCase: GoldenCase, path: string): Promise<ReportSession> {
  await makeWarehouse(path, goldenCase.rows);
  const parameters = { ...allPosts, ...goldenCase.parameters };
  const session = await openReportSession(reportConfig(path, goldenCase.config), parameters, {
    folder: dirname(path),
  });
  onTestFinished(() => session.close());
  return session;
}

async function writeReport(
  session: ReportSession,
  report: string,
  folder: string,
  hasCsv: boolean,
): Promise<void> {
  const definition = reports.get(report);
  if (!definition) throw new Error(`no report ${report}`);
  await mkdir(folder, { recursive: true });
  for (const { name } of hasCsv ? definition.sections : []) {
    await exportCsv({ session, definition, section: name }, join(folder, report, `${name}.csv`));
  }
  const document = await buildReport(session, definition);
  await writeFile(join(folder, `${report}.json`), jsonText(document));
}

/** A line for each row; integers beyond 2^53 as text. */
function jsonText(document: ReportDocument): string {
  const sections = document.sections.map(({ columns, rows, ...section }) => ({
    ...section,
    columns: columns.map(
      ({ name, format, isInHtml }) => `${name}: ${format}${isInHtml ? '' : ', not in the HTML'}`,
    ),
    rows: rows.map((row) => JSON.stringify(row, exact)),
  }));
  // any change of SQL changes the hash, and need not change what the SQL says
  const stamp = { ...document.stamp, sqlHash: 'of the SQL' };
  const definitions = document.definitions.length;
  // the lede has the headline
  const left = { language: undefined, headline: undefined, unreadDays: undefined };
  const said = { ...document, ...left, stamp, sections, definitions };
  return `${JSON.stringify(said, exact, 2)}\n`;
}

function exact(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
