import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { jobFolder, type JobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';

const day = addDays(dayOf(new Date(), 'UTC'), -3);

/** Two runs of a job, and an event, loaded. */
async function loadedJob(): Promise<JobFolder> {
  const records = [1, 2].map((number) => analyticsRecord(number, day));
  const service = await startPlainService({ analytics: new Map([[uuid(900), records]]) });
  const windows = '{ days: 20, size_days: 60, refresh_days: 20 }';
  const job = await jobFolder({ url: service.url, details: false, windows });
  for (let run = 0; run < 2; run += 1) {
    expect((await job.run('run', '--full', '--no-reports')).code).toBe(0);
  }
  const event = { type: 'post.created', createdAt: `${day}T00:00:00Z`, data: { id: 1 } };
  await job.write({ 'events.ndjson': JSON.stringify(event) });
  expect((await job.run('webhooks', 'ingest', 'events.ndjson')).code).toBe(0);
  expect((await job.run('load')).code).toBe(0);
  return job;
}

it('verify checks the raw store and says what to do about each finding', async () => {
  const job = await loadedJob();
  const raw = join(job.folder, 'data', 'raw');
  const names = await readdir(raw, { recursive: true });
  const [first = '', second = ''] = names.filter((name) => name.endsWith('run.json')).sort();
  const [event = ''] = names.filter((name) => /_events.*\.json$/.test(name));
  const verify = () => job.run('verify');
  const whole = '2 run folders, 2 responses, 1 event: all as they were written.\n';
  expect(await verify()).toMatchObject({ code: 0, stdout: whole });

  const body = join(raw, first, '..', '000001.json.gz');
  const bytes = await readFile(body);
  await writeFile(body, Buffer.concat([bytes, Buffer.from('x')]));
  const notes = join(raw, first, '..', 'notes.txt');
  await writeFile(notes, 'mine');
  await rename(join(raw, event), join(job.folder, 'event'));
  await rename(join(raw, second, '..'), join(job.folder, 'run'));
  const runId = second.split('/').at(-2) ?? '';
  const key = event.slice(-'.json'.length - 64, -'.json'.length);
  const lost =
    'was loaded, and is no longer in the raw store; restore it from a backup, a rebuild would lose it';
  expect(await verify()).toMatchObject({
    code: 3,
    stdout: [
      `foreign: ${notes} is no file of this program; nothing reads it, remove it`,
      `damaged: ${body} is not the body that its manifest describes; restore it from a backup`,
      `missing: raw/acme/${runId}/1: this response ${lost}`,
      `missing: raw/_events/${key}: this event ${lost}`,
      '1 run folder, 1 response, 0 events: 4 findings.',
      '',
    ].join('\n'),
  });
  expect(await job.run('rebuild')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("lacks 3 of the warehouse's responses and events") as string,
  });
  expect(await job.query('select count(*)::int as runs from runs')).toEqual([{ runs: 2 }]);

  await writeFile(body, bytes);
  await rm(notes);
  await rename(join(job.folder, 'event'), join(raw, event));
  await rename(join(job.folder, 'run'), join(raw, second, '..'));
  expect(await verify()).toMatchObject({ code: 0, stdout: whole });

  const warehouse = join(job.folder, 'data', 'postledger.duckdb');
  await writeFile(warehouse, 'no warehouse'.repeat(2000));
  const found = await job.run('archive', 'verify', '--json');
  expect(found.code).toBe(3);
  expect(JSON.parse(found.stdout)).toMatchObject({
    runs: 2,
    responses: 2,
    events: 1,
    findings: [{ kind: 'damaged', path: warehouse }],
  });
  expect(await job.run('rebuild')).toMatchObject({ code: 0 });
  expect(await verify()).toMatchObject({ code: 0, stdout: whole });
});
