import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agency, eastOctober, october, westOctober } from '../support/agency-month.ts';
import { writeFiles } from '../support/cli.ts';
import { decodeQuotedPrintable } from '../support/mail-text.ts';

describe('the period of a scheduled report', () => {
  it('is that of the job’s clock for clients of every zone, and is held until its last day is over and read there', async () => {
    const { run, subjects, listed } = await agency();
    const first = await run('run monthly', october);
    expect(first.code).toBe(0);
    expect(subjects()).toEqual([eastOctober]);
    const held = (await listed()).filter(({ state }) => state === 'held');
    expect(held).toMatchObject([
      { recipient: 'west@x.example', from: '2026-10-01', to: '2026-10-31' },
    ]);
    expect((await run('catch-up', '2026-11-01T06:45:00Z')).stdout).toBe('');
    const later = await run('catch-up', '2026-11-01T07:15:00Z');
    expect(later.code).toBe(0);
    expect(subjects()).toEqual([eastOctober, westOctober]);
    expect(await run('catch-up', '2026-11-01T07:30:00Z')).toMatchObject({
      code: 0,
      stdout: '',
      log: '',
    });
  });
});

describe('a mail of a closed period', () => {
  it('is sent once, by hand before its time, at its time, and by a job that runs every day', async () => {
    const { run, set, subjects } = await agency();
    const east = (rest: string) =>
      `\n    schedule: "${rest}\n    reports: [{ report: value, for: [east], period: last_month, formats: [md], deliver: [{ mail: client }] }]`;
    await set({ job: east('0 7 1 * *"') });
    await run('run monthly', '2026-10-05T05:00:00Z');
    await run('run monthly', '2026-11-01T05:30:00Z');
    await run('deliver send monthly', '2026-11-01T05:31:00Z');
    await run('run monthly', october);
    await set({ job: east('15 5 * * *"') });
    await run('run monthly', '2026-11-02T06:00:00Z');
    await set({ job: east('15 5 * * *"').replace(/\n {4}schedule.*/, '') });
    await run('run monthly', '2026-11-03T06:00:00Z');
    expect(subjects()).toEqual(['east@x.example: East AG: Value, September 2026', eastOctober]);
  });
});

describe('what is held for approval', () => {
  const held = `
    reports: [{ report: value, for: [east], period: last_month, formats: [md], deliver: [{ mail: client, hold: true, body: ./notes.md }] }]`;

  it('is rendered from the files of the moment when it is looked at and approved', async () => {
    const { folder, run, smtp, listed } = await agency({ job: held });
    await writeFiles(folder, { 'notes.md': 'First words.' });
    await run('run monthly', '2026-11-02T06:00:00Z');
    const [{ id } = { id: '' }] = await listed();
    await writeFiles(folder, { 'notes.md': 'Second words.' });
    const shown = await run(`deliver preview ${id.slice(11, 15)} --out ${folder}/look`);
    expect(shown.stdout).toContain(`${folder}/look/${id}/mail.html\n`);
    expect(await readFile(join(folder, 'look', id, 'mail.html'), 'utf8')).toContain(
      'Second words.',
    );
    expect(smtp.received).toEqual([]);
    await writeFiles(folder, { 'notes.md': 'Third words.' });
    expect((await run('deliver approve --all --job monthly')).code).toBe(0);
    const [mail] = smtp.received;
    expect(decodeQuotedPrintable(mail?.message ?? '')).toContain('Third words.');
    await run('run monthly');
    expect(smtp.received).toHaveLength(1);
  });

  it('is made again by deliver send once it was discarded, which asks', async () => {
    const { folder, run, smtp, listed } = await agency({ job: held });
    await writeFiles(folder, { 'notes.md': 'Words.' });
    await run('run monthly', '2026-11-02T06:00:00Z');
    const [{ id } = { id: '' }] = await listed();
    await run(`deliver discard ${id}`);
    await run('run monthly');
    expect(await listed()).toMatchObject([{ id, state: 'discarded' }]);
    const unasked = await run('deliver send monthly');
    expect(unasked.code).toBe(2);
    expect(unasked.log).toContain('to send it after all, add --yes');
    await run('deliver send monthly --yes');
    expect(await listed()).toMatchObject([{ id, state: 'held' }]);
    await run(`deliver approve ${id}`);
    expect(await listed()).toMatchObject([{ id, state: 'sent' }]);
    expect(smtp.received).toHaveLength(1);
  });
});
