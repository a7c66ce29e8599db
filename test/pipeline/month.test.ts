import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { zipEntries } from '../render/xlsx/zip-entries.ts';
import { agency, eastOctober, months, october, westOctober } from '../support/agency.ts';
import { writeFiles } from '../support/cli.ts';
import { attachmentsOf } from '../support/mail-text.ts';

describe('a mail of a closed period', () => {
  it('is that of the job’s clock for clients of every zone, is held until its last day is over and read there, and is sent once', async () => {
    const { run, set, subjects, listed } = await agency();
    await run('run monthly', '2026-10-05T05:00:00Z');
    const september = [westOctober, eastOctober].map((each) =>
      each.replace('October', 'September'),
    );
    expect(subjects()).toEqual(september);
    // by hand before its time
    await run('deliver send monthly', '2026-11-01T05:30:00Z');
    expect((await run('run monthly', october)).code).toBe(0);
    expect(subjects()).toEqual([...september, eastOctober]);
    const held = (await listed()).filter(({ state }) => state === 'held');
    expect(held).toMatchObject([
      { recipient: 'west@x.example', from: '2026-10-01', to: '2026-10-31' },
    ]);
    expect((await run('catch-up', '2026-11-01T06:45:00Z')).stdout).toBe('');
    expect((await run('catch-up', '2026-11-01T07:15:00Z')).code).toBe(0);
    const sent = [...september, eastOctober, westOctober];
    expect(subjects()).toEqual(sent);
    // at a later time of a job that runs every day
    await set({ job: months.replace('0 7 1 * *', '15 5 * * *') });
    await run('run monthly', '2026-11-02T06:00:00Z');
    expect(subjects()).toEqual(sent);
  });
});

describe('a delivery of several reports', () => {
  it('attaches one PDF and one workbook of all, the overview first, made once for all who get it', async () => {
    const entry = (report: string, formats: string) =>
      `{ report: ${report}, for: [east], period: last_month, formats: [${formats}] }`;
    const reports = [
      entry('value', 'pdf'),
      entry('emv', 'pdf, xlsx'),
      entry('overview', 'pdf, xlsx'),
    ];
    const { folder, run, smtp } = await agency({
      job: `\n    reports: [${reports.join(', ')}]\n    deliver: [{ mail: ["Zoë Berg <zoe@x.example>", max@x.example], attach: [pdf, xlsx], comment: ./words.md }]`,
      more: 'pdf: { browser: ./browser.sh }',
    });
    // it prints a page by copying it
    await writeFiles(folder, {
      'words.md': 'Words on all.',
      'browser.sh': `#!/bin/sh
for last; do case $last in --print-to-pdf=*) pdf=\${last#*=};; esac; done
echo >> "$(dirname "$0")/prints"
cp "\${last#file://}" "$pdf"\n`,
    });
    await chmod(join(folder, 'browser.sh'), 0o755);
    await run('run monthly', october);
    expect(smtp.received.map(({ to }) => to)).toEqual(['zoe@x.example', 'max@x.example']);
    // those of the three reports, and the one that was attached
    expect(await readFile(join(folder, 'prints'), 'utf8')).toHaveLength(4);
    expect(smtp.received[0]?.message).toMatch(/^To: =\?UTF-8\?\S+\?= <zoe@x\.example>\r$/m);
    const files = attachmentsOf(smtp.received[0]?.message ?? '');
    expect([...files.keys()]).toEqual(['east-reports-2026-10.pdf', 'east-reports-2026-10.xlsx']);
    const page = files.get('east-reports-2026-10.pdf')?.toString() ?? '';
    expect(page.split('Words on all.')).toHaveLength(2);
    expect([...page.matchAll(/<h1[^>]*>([^<]+)/g)].map(([, title]) => title)).toEqual([
      'Overview',
      'Value',
      'Earned media value',
    ]);
    for (const [, id] of page.matchAll(/ (?:href="#|aria-labelledby=")([^"]+)"/g))
      expect(page.split(`id="${id}"`)).toHaveLength(2);
    expect(page).toContain('<a href="#r3-report"><bdi>Earned media value</bdi></a>');
    expect(page).not.toMatch(/<script|in the XLSX file|The table holds/);
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(Uint8Array.from(files.get('east-reports-2026-10.xlsx') ?? []).buffer);
    expect(book.worksheets.map(({ name, state }) => [name, state])).toEqual(
      ['About', 'Overview', 'Earned media value', 'What if', 'Definitions'].map((name) => [
        name,
        'visible',
      ]),
    );
    const sheet = book.getWorksheet('Earned media value');
    const cells = sheet?.getColumn(1).values ?? [];
    // the links at its head, and below them the sections
    expect(cells.filter((value) => value === 'By type').length).toBeGreaterThan(0);
    await writeFile(join(folder, 'joint.xlsx'), files.get('east-reports-2026-10.xlsx') ?? '');
    const links = [...(await zipEntries(join(folder, 'joint.xlsx')))]
      .flatMap(([, xml]) => [...xml.matchAll(/<hyperlink ref="A\d+" location="'([^']+)'!A(\d+)"/g)])
      .filter(([, name]) => name === 'Earned media value');
    expect(links.length).toBeGreaterThan(2);
    for (const [, , row = ''] of links) expect(cells[Number(row)] ?? '').not.toBe('');
  });
});

describe('what is held for approval', () => {
  const held = `
    reports: [{ report: value, for: [east], period: last_month, formats: [md], deliver: [{ mail: client, hold: true, body: ./notes.md }] }]`;

  it('is sent for the id that a notice named before the report of the next day took its place', async () => {
    const daily = held.replace('last_month', 'this_month').replace(', body: ./notes.md', '');
    const { run, smtp, listed } = await agency({ job: `\n    schedule: "0 7 * * *"${daily}` });
    await run('run monthly', '2026-11-10T06:30:00Z');
    const [{ id } = { id: '' }] = await listed();
    await run('run monthly', '2026-11-11T06:30:00Z');
    const [{ id: newer } = { id: '' }] = (await listed()).filter(({ state }) => state === 'held');
    expect(newer).not.toBe(id);
    const approved = await run(`deliver approve ${id}`, '2026-11-11T08:00:00Z');
    expect(approved).toMatchObject({ code: 0 });
    expect(approved.stdout).toContain('east@x.example');
    expect(smtp.received).toHaveLength(1);
    expect(await listed()).toContainEqual(expect.objectContaining({ id: newer, state: 'sent' }));
  });

  it('is sent once it was discarded only with --yes, and is rendered from the files of the moment when it is looked at and approved', async () => {
    const { folder, run, mails, listed } = await agency({ job: held });
    await writeFiles(folder, { 'notes.md': 'First words.' });
    await run('run monthly', '2026-11-02T06:00:00Z');
    const [{ id } = { id: '' }] = await listed();
    await writeFiles(folder, { 'notes.md': 'Second words.' });
    const shown = await run(`deliver preview ${id.slice(11, 15)} --out ${folder}/look`);
    expect(shown.stdout).toContain(`${folder}/look/${id}/mail.html\n`);
    expect(await readFile(join(folder, 'look', id, 'mail.html'), 'utf8')).toContain(
      'Second words.',
    );
    await run(`deliver discard ${id}`);
    const unasked = await run('deliver send monthly');
    expect(unasked.code).toBe(2);
    expect(unasked.log).toContain('to send it after all, add --yes');
    await run('deliver send monthly --yes');
    expect(await listed()).toMatchObject([{ id, state: 'held' }]);
    await writeFiles(folder, { 'notes.md': 'Third words.' });
    expect(mails()).toEqual([]);
    expect((await run('deliver approve --all --job monthly')).code).toBe(0);
    expect(await listed()).toMatchObject([{ id, state: 'sent' }]);
    expect(mails()).toEqual([expect.stringContaining('Third words.')]);
  });
});
