import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildReport } from '../../src/report/report-builder.ts';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';
import type { DataSection } from '../../src/report/report-document.ts';
import { allPosts } from '../../src/report/report-parameters.ts';
import { openReportSession, type ReportSession } from '../../src/report/report-session.ts';
import { exportCsv } from '../../src/report/section-query.ts';
import { makeWarehouse, reportConfig } from '../report/support/report-warehouse.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { differencesFrom } from './support/differences.ts';
import { goldenCases } from './support/golden-cases.ts';
import type { GoldenCase } from './support/golden-rows.ts';
import { expectGolden } from './support/golden-folder.ts';

const reports = await findReports([builtInReports]);
const goldenFolder = join(import.meta.dirname, '..', 'golden', 'reports');

/** Its documents are golden as a whole; those of the other cases in what they have otherwise. */
const wholeCase = 'compared-half-year';
/** All reports once, and texts that the CSV guard is for; the other cases are held by their documents. */
const csvCases = new Set([wholeCase, 'nasty-texts']);

test.each(goldenCases)('$name', async (goldenCase) => {
  const folder = await temporaryFolder();
  const session = await sessionOf(goldenCase, join(folder, 'warehouse.duckdb'));
  onTestFinished(() => session.close());
  const made = join(folder, 'made');
  const whole = await wholeDocuments();
  for (const report of goldenCase.reports) {
    if (csvCases.has(goldenCase.name)) await writeSections(session, report, made);
    const ofWhole = whole.get(report) ?? {};
    const said =
      goldenCase.name === wholeCase
        ? ofWhole
        : differencesFrom(ofWhole, await documentOf(session, report));
    await mkdir(made, { recursive: true });
    await writeFile(join(made, `${report}.json`), `${JSON.stringify(said, null, 2)}\n`);
  }
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
  return session;
}

let wholeMade: Promise<Map<string, object>> | null = null;

/** The documents of {@link wholeCase}, by report. */
function wholeDocuments(): Promise<Map<string, object>> {
  wholeMade ??= (async () => {
    const goldenCase = goldenCases.find(({ name }) => name === wholeCase);
    if (!goldenCase) throw new Error(`no case ${wholeCase}`);
    const session = await sessionOf(goldenCase, join(await temporaryFolder(), 'warehouse.duckdb'));
    const documents = new Map<string, object>();
    for (const report of goldenCase.reports)
      documents.set(report, await documentOf(session, report));
    session.close();
    return documents;
  })();
  return wholeMade;
}

async function writeSections(
  session: ReportSession,
  report: string,
  folder: string,
): Promise<void> {
  const definition = definitionOf(report);
  for (const { name } of definition.sections)
    await exportCsv({ session, definition, section: name }, join(folder, report, `${name}.csv`));
}

function definitionOf(report: string) {
  const definition = reports.get(report);
  if (!definition) throw new Error(`no report ${report}`);
  return definition;
}

/** One text for each row. Integers beyond 2^53 become texts. */
async function documentOf(session: ReportSession, report: string): Promise<object> {
  // the posts behind rows are those that explain lists, which other tests compare
  const document = await buildReport(
    session,
    definitionOf(report),
    {},
    {
      rowPosts: false,
      longSections: true,
    },
  );
  const sections = document.sections.map(writtenSection);
  // any change of SQL changes the hash, and need not change what the SQL says
  const stamp = { ...document.stamp, sqlHash: 'of the SQL' };
  const definitions = document.definitions.length;
  // the lede has the headline
  const left = { language: undefined, headline: undefined, unreadDays: undefined };
  const said = { ...document, ...left, stamp, sections, definitions };
  return JSON.parse(JSON.stringify(said, exact)) as object;
}

function writtenSection({ columns, rows, shown, ...section }: DataSection): object {
  return {
    ...section,
    columns: columns.map(
      ({ name, format, isInHtml }) => `${name}: ${format}${isInHtml ? '' : ', not in the HTML'}`,
    ),
    rows: rows.map((row) => JSON.stringify(row, exact)),
    ...(shown !== undefined && { shown: shown && writtenSection(shown) }),
  };
}

function exact(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
