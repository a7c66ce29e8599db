import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { jobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';

const recently = addDays(dayOf(new Date(), 'UTC'), -2);

it('a run renders every report whatever figures the service gives', async () => {
  const absurd = { emv: 1e308, engagement: 1e308, impressionCount: 2 ** 60, likeCount: 2 ** 62 };
  const records = [1, 2, 3].map((number) =>
    analyticsRecord(number, recently, number === 3 ? { type: 'Video' } : absurd),
  );
  const service = await startPlainService({ analytics: new Map([[uuid(900), records]]) });
  const reports = ['emv', 'engagement', 'video'].map(
    (name) =>
      `{ report: ${name}, period: all, formats: [csv, xlsx, html, json, parquet, md], out: ./out }`,
  );
  const job = await jobFolder({ url: service.url, reports: `[${reports.join(', ')}]` });
  expect(await job.run('run')).toMatchObject({ code: 0 });
  const summary = await readFile(join(job.folder, 'out/emv/summary.json'), 'utf8');
  expect(JSON.parse(summary)).toMatchObject([{ posts: 3, emv: null }]);
});
