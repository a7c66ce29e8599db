import ExcelJS from 'exceljs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeReport } from '../../src/pipeline/report-files.ts';
import { renderTerminalReport } from '../../src/render/terminal-report.ts';
import { builtInReports, readReport } from '../../src/report/report-catalog.ts';
import { allPosts, type ReportParameters } from '../../src/report/report-parameters.ts';
import { openReportSession } from '../../src/report/report-session.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { build } from './support/built-report.ts';
import { reportConfig, sharedWarehouse, type WarehouseRows } from './support/report-warehouse.ts';

const profiles = [
  { profile_id: 'p1', name: 'Fjord' },
  { profile_id: 'p2', name: 'Halden' },
  { workspace: 'beta', profile_id: 'p1', name: 'Fjord' },
];

function window(profile_id: string, days: [string, string], changes: Record<string, unknown> = {}) {
  const [start_date, end_date] = days;
  return { profile_id, start_date, end_date, ...changes };
}

const failed = {
  status: 'failed',
  http_status: 404,
  run_id: 'r2',
  fetched_at: '2026-01-06T05:00:00Z',
};

/** The sentences beside those on what was loaded. */
async function unread(
  extract_windows: WarehouseRows['extract_windows'],
  parameters: Partial<ReportParameters> = {},
  rows: WarehouseRows = {},
): Promise<readonly string[]> {
  const all = { profiles: profiles.slice(0, 2), extract_windows: extract_windows ?? [], ...rows };
  return (await build({ rows: all, parameters })).coverage;
}

describe('profiles', () => {
  test('that were never read are named, with their workspace where two share a name', async () => {
    const read = window('p2', ['2025-12-01', '2026-01-04']);
    const wrong = window('p1', ['2025-12-01', '2026-01-04'], failed);
    expect(await unread([read, wrong], {}, { profiles })).toEqual([
      'Never read: acme/Fjord, beta/Fjord',
    ]);
  });

  test('are named with the day of their newest reading when the newest run read nothing of them', async () => {
    const days: [string, string] = ['2025-12-01', '2026-01-06'];
    const windows = [
      window('p1', days),
      window('p1', days, failed),
      window('p2', days, { run_id: 'r2', fetched_at: failed.fetched_at }),
      window('p2', ['2025-11-01', '2025-11-30'], { ...failed, fetched_at: '2026-01-06T05:00:01Z' }),
    ];
    expect(await unread(windows)).toEqual([
      'Not read since 4 January 2026: Fjord',
      'Not read: 5 January 2026 to 6 January 2026 of Fjord',
    ]);
  });

  test('are named, too, when their workspace refused a later run before it came to them', async () => {
    const windows = [
      window('p1', ['2025-12-01', '2026-01-06']),
      window('p2', ['2025-12-01', '2026-01-06'], { ...failed, http_status: 401 }),
    ];
    const run_parts = [{ run_id: 'r2', status: 'failed' }];
    expect(await unread(windows, {}, { run_parts })).toContain(
      'Not read since 4 January 2026: Fjord',
    );
  });
});

describe('days', () => {
  test('of the period before, between and after the windows are named', async () => {
    const windows = ['p1', 'p2'].flatMap((profile) => [
      window(profile, ['2025-11-01', '2025-11-30']),
      window(profile, ['2025-12-11', '2026-01-04']),
    ]);
    expect(await unread(windows, { from: '2025-01-01', to: '2026-01-31' })).toEqual([
      'Not read: 1 January 2025 to 31 October 2025',
      'Not read: 1 December 2025 to 10 December 2025',
      'Not read: 5 January 2026 to 31 January 2026',
    ]);
    expect(await unread(windows, { from: '2025-12-10', to: '2025-12-20' })).toEqual([
      'Not read: 10 December 2025',
    ]);
    expect(await unread(windows, { from: '2025-11-05', to: '2025-11-20' })).toEqual([]);
  });
});

test('a report says it in every format', async () => {
  const folder = await temporaryFolder();
  const warehouse = await sharedWarehouse({ profiles: profiles.slice(0, 1) });
  const session = await openReportSession(reportConfig(warehouse), allPosts, { folder });
  onTestFinished(() => session.close());
  const sentence = 'Never read: Fjord';
  const definition = await readReport(builtInReports, 'emv');
  const formats = ['csv', 'json', 'md', 'html', 'xlsx'] as const;
  const { document } = await writeReport({ session, definition, set: {}, formats, folder });
  expect(renderTerminalReport(document, { width: null, color: false })).toContain(sentence);
  const written = ['emv.html', 'emv/_coverage.csv', 'emv/_coverage.json', 'emv/summary.md'];
  for (const file of written)
    expect(await readFile(join(folder, file), 'utf8'), file).toContain(sentence);
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(join(folder, 'emv.xlsx'));
  expect(JSON.stringify(book.worksheets[0]?.getSheetValues())).toContain(sentence);
});
