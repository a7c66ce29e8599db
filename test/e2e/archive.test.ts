import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { jobFolder, type JobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';

const day = addDays(dayOf(new Date(), 'UTC'), -3);

/** Two runs of a job, and an event, loaded. */
async function jobWithArchive(): Promise<JobFolder> {
  const records = [1, 2].map((number) => analyticsRecord(number, day));
  const service = await startPlainService({ analytics: new Map([[uuid(900), records]]) });
  const job = await jobFolder({ url: service.url, details: false });
  for (let run = 0; run < 2; run += 1) {
    expect((await job.run('run', '--full', '--no-reports')).code).toBe(0);
  }
  const event = { type: 'post.created', createdAt: `${day}T00:00:00Z`, data: { id: 1 } };
  await job.write({ 'events.ndjson': JSON.stringify(event) });
  expect((await job.run('webhooks', 'ingest', 'events.ndjson')).code).toBe(0);
  expect((await job.run('load')).code).toBe(0);
  return job;
}

/** The folders of archived parts, and the file of events. */
async function placesIn({ folder }: JobFolder) {
  const root = join(folder, 'data', 'archive');
  const names = await readdir(root, { recursive: true });
  const ends = (suffix: string) => names.filter((name) => name.endsWith(suffix)).sort();
  const parts = ends('run.json').map((name) => join(root, name, '..'));
  const [segment = ''] = ends('.ndjson.gz').map((name) => join(root, name));
  return { root, parts, segment };
}

it('verifies the archive, tells what to do about each finding, and what only the warehouse has', async () => {
  const job = await jobWithArchive();
  const { root, parts, segment } = await placesIn(job);
  const [first = '', second = ''] = parts;
  const workspace = root && first.split('/').at(-3);
  const files = (await readdir(first)).length + (await readdir(second)).length;
  const responses = (await readdir(first)).filter((name) => name.endsWith('.body.gz')).length;
  const summary = `2 parts of runs with ${files} files and 1 segment with 1 event read`;
  expect(await job.run('archive', 'verify')).toMatchObject({
    code: 0,
    stdout: `${summary}: 0 findings.\n`,
  });

  const body = join(first, '000001.body.gz');
  const whole = await readFile(body);
  await writeFile(body, Buffer.concat([whole, Buffer.from('x')]));
  await rename(segment, join(job.folder, 'segment'));
  await writeFile(join(root, 'notes.txt'), 'foreign');
  expect(await job.run('archive', 'verify')).toMatchObject({
    code: 1,
    stdout: [
      `Missing   ${segment}: the segment was archived and is gone; put it back from a backup`,
      `Damaged   ${body}: it is not what was archived: ${whole.length + 1} bytes instead of ${whole.length}; put it back from a backup`,
      `Foreign   ${join(root, 'notes.txt')}: nothing of the archive is called so; move it away`,
      `2 parts of runs with ${files} files and 1 segment with 0 events read: 3 findings.`,
      '',
    ].join('\n'),
  });
  await writeFile(body, whole);
  await rm(join(root, 'notes.txt'));

  // with all that could tell of them
  await rename(second, join(job.folder, 'part'));
  await rm(join(root, 'ledger.ndjson'));
  const found = await job.run('archive', 'verify', '--json');
  expect(found.code).toBe(1);
  const remedy = 'put it back from a backup: a rebuild would lose it';
  expect(JSON.parse(found.stdout)).toMatchObject({
    parts: 1,
    segments: 0,
    events: 0,
    unsealed: { parts: 1, segments: 0 },
    sealed: { parts: 0, segments: 0 },
    findings: [
      { kind: 'missing', path: join(root, 'ledger.ndjson'), is_mended_by_seal: true },
      {
        kind: 'lost',
        path: root,
        problem: expect.stringMatching(
          `^${responses} responses? of run \\S+ of ${workspace} in the warehouse \\(1.*\\) is not here$`,
        ) as string,
        remedy,
      },
      {
        kind: 'lost',
        path: join(root, '_events'),
        problem: expect.stringMatching(
          /^1 event of the warehouse \([0-9a-f]{64}\) is in no segment$/,
        ) as string,
        remedy,
      },
    ],
  });

  await rename(join(job.folder, 'part'), second);
  await rename(join(job.folder, 'segment'), segment);
  expect(await job.run('archive', 'verify')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(
      '1 finding. 2 parts and 1 segment not sealed: --seal',
    ) as string,
  });
  expect(await job.run('archive', 'verify', '--seal')).toMatchObject({
    code: 0,
    stdout: `${summary}: 0 findings. 2 parts and 1 segment sealed.\n`,
  });
  await writeFile(join(job.folder, 'data', 'postledger.duckdb'), 'no warehouse');
  expect(await job.run('archive', 'verify')).toMatchObject({
    code: 0,
    stdout: `${summary}: 0 findings.\n`,
    stderr: expect.stringContaining('the archive is not compared with the warehouse') as string,
  });
});
