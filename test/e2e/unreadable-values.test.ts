import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { jobFolder, type JobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';

const today = dayOf(new Date(), 'UTC');
const lastMonth = addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7);
const monthBefore = addDays(`${lastMonth}-01`, -1).slice(0, 7);

type Records = Record<string, unknown>[];

/** Twelve videos of each of the two months, with half as much again in the later one. */
function healthyRecords(): Records {
  return [monthBefore, lastMonth].flatMap((month, index) =>
    Array.from({ length: 12 }, (_, nth) =>
      analyticsRecord(100 * (index + 1) + nth, `${month}-${String(nth + 1).padStart(2, '0')}`, {
        type: 'Video',
        impressionCount: 1000 + 1000 * index + nth,
        emv: 30 + 30 * index,
        videoViewCount: 100 + 100 * index,
        videoViewerCount: 90,
        videoWatchTimeSeconds: 500 + 500 * index,
      }),
    ),
  );
}

async function jobOn(records: Records) {
  const analytics = new Map([[uuid(900), records]]);
  const service = await startPlainService({ analytics });
  const job = await jobFolder({
    url: service.url,
    profiles: [{ name: 'Acme', number: 900, cpm: 20 }],
    windows: `{ start: ${monthBefore}-01, size_days: 30, refresh_days: 100 }`,
  });
  return { job, analytics };
}

interface Section {
  readonly rows: readonly Record<string, unknown>[];
}

/** The overview of last month: its figures by name, and the coverage of its data files. */
async function overviewOf(job: JobFolder) {
  const flags = ['--period', 'last_month', '--format', 'json,table', '--out', 'out'];
  const { stdout, code } = await job.run('report', 'run', 'overview', ...flags);
  expect(code).toBe(0);
  const read = async (name: string) =>
    JSON.parse(await readFile(join(job.folder, 'out/overview', `${name}.json`), 'utf8')) as unknown;
  const section = (await read('scorecard')) as Section['rows'] | Section;
  const rows = Array.isArray(section) ? (section as Section['rows']) : (section as Section).rows;
  const scorecard = new Map(rows.map((row) => [row['figure'], row]));
  const changeOf = (figure: string) => scorecard.get(figure)?.['change'] ?? null;
  return {
    scorecard,
    changeOf,
    coverage: JSON.stringify(await read('_coverage')),
    stdout,
  };
}

async function warningsOf(job: JobFolder) {
  const status = await job.run('status', '--json', '--fail-on', 'warning');
  const { verdicts, rejected } = JSON.parse(status.stdout) as {
    verdicts: { warning: string[] };
    rejected: { field: string | null; records: number }[];
  };
  return { code: status.code, warning: verdicts.warning, rejected };
}

it('a value that cannot be read costs no post, is named, and its figure has no change until a later reading has it', async () => {
  const healthy = healthyRecords();
  const bad = healthy.map((record, index) =>
    index < 18 ? record : { ...record, videoWatchTimeSeconds: 12.5 },
  );
  const { job, analytics } = await jobOn(bad);
  const run = await job.run('run');
  expect([run.code, run.stdout]).toEqual([
    0,
    expect.stringContaining('6 values could not be read'),
  ]);
  const told = 'select field, count(*)::int as n from rejected_records group by field';
  expect(await job.query(told)).toEqual([{ field: 'videoWatchTimeSeconds', n: 6 }]);
  expect(await job.query('select posts_read, rejected from runs')).toMatchObject([{ rejected: 0 }]);

  const report = await overviewOf(job);
  expect(report.scorecard.get('posts')).toMatchObject({ value: 12, previous: 12 });
  expect(report.changeOf('impressions')).toBeCloseTo(0.995, 2);
  expect(report.changeOf('views')).toBe(1);
  expect(report.scorecard.get('watch_time_seconds')).toMatchObject({ value: 6000, previous: null });
  expect(report.changeOf('watch_time_seconds')).toBe(null);
  const sentence = 'Could not be read: seconds watched of 6 posts';
  expect(report.coverage).toContain(sentence);
  expect(report.stdout).toContain(sentence);
  const warned = `acme/Acme: could not be read: seconds watched of 6 posts`;
  expect(await warningsOf(job)).toEqual({
    code: 1,
    warning: [expect.stringContaining(warned)],
    rejected: [expect.objectContaining({ field: 'videoWatchTimeSeconds', records: 6 })],
  });
  expect((await job.run('rebuild', '--check')).code).toBe(0);

  analytics.set(uuid(900), healthy);
  expect((await job.run('run')).code).toBe(0);
  const healed = await overviewOf(job);
  expect(healed.changeOf('watch_time_seconds')).toBe(1);
  expect(healed.coverage).not.toContain('Could not be read');
  expect(await warningsOf(job)).toMatchObject({ code: 0, warning: [] });
  expect((await job.run('rebuild', '--check')).code).toBe(0);
});
