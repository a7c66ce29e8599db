import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { defaultLimits } from '../../src/warehouse/limits.ts';
import { readDocument, renderReport } from '../../src/output/report-output.ts';
import { ReportSessions } from '../../src/output/report-sessions.ts';
import { findReports, type ReportDefinition } from '../../src/report/report-catalog.ts';
import { allPosts } from '../../src/report/report-parameters.ts';
import { plainCsv } from '../../src/report/section-export.ts';
import { smallReport, writeReportFolder } from '../report/support/report-folder.ts';
import { makeWarehouse, reportConfig } from '../report/support/report-warehouse.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const signal = new AbortController().signal;
const tools = { clock: systemClock, signal, limits: defaultLimits };

const tables = {
  formats: ['table'] as const,
  isDelivered: false,
  browser: null,
  csv: plainCsv,
  terminal: { width: 80, hasColor: false },
};

/** A folder with a warehouse of one post, and the reports of these files in it. */
async function prepared(reports: Readonly<Record<string, Record<string, string>>>) {
  const folder = await temporaryFolder();
  const warehouse = join(folder, 'warehouse.duckdb');
  await makeWarehouse(warehouse, { linkedin_posts: [{ linkedin_post_id: 'a' }] });
  for (const [name, files] of Object.entries(reports))
    await writeReportFolder(folder, name, { ...smallReport, ...files });
  const found = await findReports([folder]);
  const source = { config: reportConfig(warehouse), parameters: allPosts, set: {} };
  const report = (name: string): ReportDefinition => {
    const definition = found.get(name);
    if (!definition) throw new Error(`the report ${name} was not found`);
    return definition;
  };
  return { source, request: { ...source, ...tables, folder }, report };
}

test('a report that fails in a way that nobody foresaw is an error of its own', async () => {
  const { source, request, report } = await prepared({ reach: {} });
  const sound = report('reach');
  const broken = { ...sound, name: 'broken', sections: [null] } as unknown as typeof sound;
  await ReportSessions.with(tools, async (sessions) => {
    expect(await renderReport(broken, request, sessions)).toMatchObject({
      error: { code: 'REPORT_FAILED' },
    });
    expect(await renderReport(sound, request, sessions)).toMatchObject({
      text: expect.stringContaining('Reach') as unknown,
    });
  });
  await expect(readDocument(broken, source, tools)).rejects.toThrow(
    /^the report broken could not be built \(Cannot/,
  );
});

test('reports on the same posts see none of the views and tables of the one before', async () => {
  const view = (name: string) => ({
    '_views.sql': `create or replace temp view ${name} as select 'Poll' as type, 7 as impressions, 1 as posts;
      create or replace temp view report_months as select date '2026-10-01' as month`,
    'types.sql': `from ${name}`,
  });
  const { request, report } = await prepared({
    first: view('ours'),
    second: { 'types.sql': 'from ours' },
    third: {
      'types.sql': `select 'Text' as type, count(*) as impressions, 0 as posts from report_months`,
    },
    fourth: view('theirs'),
  });
  const made = await ReportSessions.with(tools, async (sessions) => {
    const results: unknown[] = [];
    for (const name of ['first', 'second', 'third', 'fourth']) {
      const { document, error } = await renderReport(report(name), request, sessions);
      results.push(document?.sections[0]?.rows ?? error?.message);
    }
    return results;
  });
  expect(made).toEqual([
    [['Poll', 7, 1]],
    expect.stringMatching(/types\.sql:1:6: .*Table with name ours does not exist/),
    [['Text', 0, 0]],
    [['Poll', 7, 1]],
  ]);
});
