import { expect, test } from 'vitest';
import { readReport } from '../../src/report/report-catalog.ts';
import { sqlHash } from '../../src/report/report-builder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openSessionOn } from './support/open-session.ts';
import { smallReport, writeReportFolder } from './support/report-folder.ts';

async function hashOf(files: Record<string, string> = {}, name = 'reach'): Promise<string> {
  const folder = await temporaryFolder();
  await writeReportFolder(folder, name, { ...smallReport, ...files });
  return sqlHash(await readReport(folder, name));
}

const query = smallReport['types.sql'];

test('the hash of a report’s SQL does not depend on its location or line endings', async () => {
  const hash = await hashOf();
  expect(hash).toMatch(/^[0-9a-f]{12}$/);
  const windows = Object.entries(smallReport).map(([name, text]) => [
    name,
    text.replaceAll('\n', '\r\n'),
  ]);
  expect(await hashOf(Object.fromEntries(windows) as Record<string, string>, 'renamed')).toBe(hash);
});

test('it changes with report.yaml, with an SQL file, and with their names', async () => {
  const hashes = await Promise.all([
    hashOf(),
    hashOf({ 'types.sql': `${query}-- a comment\n` }),
    hashOf({ 'report.yaml': `${smallReport['report.yaml']}# a comment\n` }),
    hashOf({ '_views.sql': 'create temp view a as select 1;\n' }),
    hashOf({ '_lede.sql': "select 'A' as text order by 1;\n" }),
    hashOf({ '_coverage.sql': "select 'A' as text order by 1;\n" }),
  ]);
  expect(new Set(hashes).size).toBe(hashes.length);
});

const runs = [
  { run_id: 'first', started_at: '2026-01-02T05:00:00Z', finished_at: '2026-01-02T05:10:00Z' },
  {
    run_id: 'second',
    job: 'weekly',
    started_at: '2026-01-03T05:00:00Z',
    finished_at: '2026-01-03T05:10:00.000Z',
  },
  { run_id: 'third', started_at: '2026-01-03T04:00:00Z', finished_at: '2026-01-03T06:00:00Z' },
  { run_id: 'other', started_at: '2026-01-04T05:00:00.000Z' },
];
const rows = {
  runs,
  run_parts: runs.map(({ run_id }) => ({
    run_id,
    workspace: run_id === 'other' ? 'beta' : 'acme',
  })),
  linkedin_posts: [{ linkedin_post_id: 'a' }, { linkedin_post_id: 'b', workspace: 'beta' }],
};

test('the newest run is the one that began last, of the workspaces and up to the day that are asked for', async () => {
  expect((await openSessionOn(rows)).newestRun).toEqual({
    runId: 'other',
    job: 'daily',
    finishedAt: null,
  });
  expect((await openSessionOn(rows, { workspaces: ['acme'] })).newestRun).toEqual({
    runId: 'second',
    job: 'weekly',
    finishedAt: '2026-01-03T05:10:00.000Z',
  });
  expect((await openSessionOn(rows, { asOf: '2026-01-02' })).newestRun).toEqual({
    runId: 'first',
    job: 'daily',
    finishedAt: '2026-01-02T05:10:00.000Z',
  });
  expect((await openSessionOn({})).newestRun).toBeNull();
});
