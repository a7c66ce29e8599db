import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agency, eastOctober } from '../support/agency-month.ts';

/** A job that mails a month to one client. */
const job = `
    schedule: "0 7 1 * *"
    reports: [{ report: value, for: [east], period: last_month, formats: [md], deliver: [{ mail: client }] }]`;
const eastNovember = eastOctober.replace('October', 'November');

it('a mail of a closed period goes out when hold is taken away, and again under a name, but not by itself for another price, and not for another attachment, hold, body or file', async () => {
  const { run, set, subjects, listed } = await agency();
  const next = async (report: string, delivery: string) => {
    await set({
      job: `\n    reports: [{ report: value, for: [east], period: last_month, formats: [md, html], ${report}deliver: [{ mail: client${delivery} }] }]`,
    });
    const { code } = await run('deliver send monthly', '2026-11-02T06:00:00Z');
    return [code, subjects().length, (await listed()).length];
  };
  await run('run monthly --no-reports', '2026-11-02T06:00:00Z');
  expect(await next('', ', hold: true')).toEqual([0, 0, 1]);
  expect(await next('', ', attach: [html]')).toEqual([0, 1, 1]);
  expect(subjects()).toEqual([eastOctober]);
  const other = ', hold: true, subject: "Other", file: other, if_empty: skip';
  expect(await next('out: "./x/{client}", ', other)).toEqual([0, 1, 1]);
  expect(await next('cpm: 99, ', '')).toEqual([0, 1, 2]);
  expect(await next('cpm: 99, ', ', name: again')).toEqual([0, 2, 3]);
});

it('a report of an open period is sent once a slot, and once for a time that comes twice in a night', async () => {
  const daily = job.replace('0 7 1 * *', '30 2,14 * * *').replace('last_month', 'all');
  const { run, smtp } = await agency({ job: daily });
  const counts: number[] = [];
  for (const at of ['T00:30:01Z', 'T00:31:00Z', 'T01:30:01Z', 'T13:30:01Z']) {
    await run('run monthly', `2026-10-25${at}`);
    counts.push(smtp.received.length);
  }
  expect(counts).toEqual([1, 1, 1, 2]);
});

it('a mail server that defers for some minutes has the mail from catch-up', async () => {
  let isBusy = true;
  const { run, subjects } = await agency({ job, smtp: { refuse: () => (isBusy ? 451 : null) } });
  await run('run monthly', '2026-11-01T08:00:00Z');
  expect(subjects()).toEqual([]);
  expect((await run('catch-up', '2026-11-01T08:15:00Z')).code).toBe(3);
  isBusy = false;
  expect((await run('catch-up', '2026-11-01T08:30:00Z')).code).toBe(0);
  expect(subjects()).toEqual([eastOctober]);
  expect(await run('catch-up', '2026-11-01T08:45:00Z')).toMatchObject({ stdout: '', log: '' });
});

it('a held month stays until it is read, however many slots pass, and goes out beside the later ones', async () => {
  const { run, service, subjects, listed } = await agency({ job });
  service.answer('/analytics/', { status: 500, body: '{}' });
  expect((await run('run monthly', '2026-11-01T08:30:00Z')).code).toBe(3);
  expect((await run('run monthly', '2026-12-01T08:30:00Z')).code).toBe(3);
  expect(subjects()).toEqual([]);
  expect((await listed()).map(({ state, to }) => `${state} ${to}`).sort()).toEqual([
    'held 2026-10-31',
    'held 2026-11-30',
  ]);
  service.answer('/analytics/', null);
  // what has failed for a month is asked for once a day
  expect((await run('catch-up', '2026-12-02T09:00:00Z')).code).toBe(0);
  expect(subjects().sort()).toEqual([eastNovember, eastOctober]);
});

it('a data folder that is restored sends nothing again, and without the records of what was sent holds it, says so, and sends the next month', async () => {
  const { folder, run, subjects, listed } = await agency({ job });
  const restore = async (...kept: readonly string[]) => {
    const [dataDir, backup] = [join(folder, 'data'), join(folder, `without-${kept.length}`)];
    await rename(dataDir, backup);
    for (const name of kept) await cp(join(backup, name), join(dataDir, name), { recursive: true });
  };
  await run('run monthly', '2026-11-01T08:00:00Z');
  await restore('raw', 'deliveries.jsonl');
  expect((await run('run monthly', '2026-11-01T09:00:00Z')).code).toBe(0);
  await restore('raw');
  const again = await run('run monthly', '2026-11-01T09:30:00Z');
  expect(again.code).toBe(3);
  expect(again.log).toContain('no deliveries.jsonl, which says what was sent');
  expect((await listed()).map(({ state }) => state)).toEqual(['held']);
  expect(subjects()).toHaveLength(1);
  await run('run monthly', '2026-12-01T08:30:00Z');
  expect(subjects().slice(1)).toEqual([eastNovember]);
});
