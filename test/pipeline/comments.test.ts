import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/core/calendar.ts';
import { zipEntries } from '../render/xlsx/zip-entries.ts';
import { agency, notifies } from '../support/agency.ts';
import { attachmentsOf } from '../support/mail-text.ts';
import { analyticsRecord } from '../support/made-records.ts';

const period = '2026-08-03_2026-10-31';
const path = './comments/{client}/{period}.md';
const optional = `comment: "${path}"`;
const required = `comment: { file: "${path}", required: true }`;

/** A job that mails a report to a German client, with more keys of its report and its mail. */
const job = (of: string, report: string, mail = '') => `
    reports: [{ report: ${of}, for: each, period: last_90_days, formats: [html, xlsx], out: "./out/{client}", deliver: [{ mail: client, attach: [html, xlsx]${mail} }]${report} }]`;

/** A client with ten posts of 40 days. */
async function commented(first: string) {
  const posts = Array.from({ length: 10 }, (_, index) =>
    analyticsRecord(index + 1, addDays('2026-10-30', -4 * index), { emv: 100 }),
  );
  const site = await agency({
    posts: [posts, []],
    clients: `
  fjord: { name: Fjord & Co, profiles: [w/East], to: [cmo@fjord.example], language: de, locale: de-DE, notes: [{ date: 2026-10-29, text: "Neuer <b>TKP</b>" }] }`,
    reads: 'w/East',
    start: '2026-08-01',
    more: notifies,
    job: first,
  });
  site.cli.clock.set('2026-11-01T11:00:00Z');
  const file = join(site.folder, 'comments', 'fjord', `${period}.md`);
  const comment = async (text: string) => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  /** The words of a mail and its page, without what is attached. */
  const mailOf = (index: number) => {
    const [text = '', html = ''] = site.mails()[index]?.split('<!doctype html>') ?? [];
    const subject = /^Subject: (.*(?:\n .*)*)$/m.exec(text)?.[1] ?? '';
    return { subject, text, html: html.split('filename=')[0] ?? '' };
  };
  const page = (of: string) => readFile(join(site.folder, 'out', 'fjord', `${of}.html`), 'utf8');
  return { ...site, file, comment, mailOf, page };
}

describe('a comment', () => {
  it('stands above the figures of page, workbook and mail, with nothing in it that is HTML', async () => {
    const { folder, smtp, set, comment, run, mailOf, page } = await commented(
      job('emv', `, ${optional}`),
    );
    await comment(
      '<!-- Geheim -->\nSehr **gut** <script>alert(1)</script> [weg](javascript:alert(2)) [da](https://ok.example/?a=1&b)\n\n## Was nun?\n\n- mehr\n\nGrüße\nLena\n\n## Ungefuellt\n',
    );
    expect((await run('run')).code).toBe(0);
    const written = await page('emv');
    const inPage = written.slice(
      written.indexOf('class="comment"'),
      written.indexOf('class="facts"'),
    );
    expect(inPage).toContain(
      '<h2>Kommentar</h2>\n<p>Sehr <strong>gut</strong> &lt;script&gt;alert(1)&lt;/script&gt; [weg](javascript:alert(2)) <a href="https://ok.example/?a=1&amp;b">da</a></p>\n<h3>Was nun?</h3>\n<ul>\n<li>mehr</li>\n</ul>\n<p>Grüße<br>Lena</p>',
    );
    const { html, text } = mailOf(0);
    expect(smtp.received.map(({ to }) => to)).toEqual(['cmo@fjord.example']);
    expect(html).toContain('>Kommentar</h2>');
    expect(html.indexOf('Sehr <strong>gut</strong>')).toBeLessThan(html.indexOf('<h1'));
    expect(text).toContain('# Kommentar\n\nSehr **gut**');
    const workbook = [...(await zipEntries(join(folder, 'out', 'fjord', 'emv.xlsx')))]
      .flat()
      .join('\n');
    expect(workbook).toContain('Sehr ');
    expect(workbook).toContain('• ');
    expect(workbook).toMatch(/Grüße<\/t>.*>\s*\n\s*<\/t>.*Lena/su);
    for (const words of [written, html, text, workbook])
      expect(words).not.toMatch(/Geheim|Ungefuellt/);
    for (const words of [written, html, workbook])
      expect(words).not.toMatch(/<script>alert|href="javascript/);

    // the client's note is marked by its number
    expect(written).toMatch(/>1 · [^<]+: Neuer &lt;b&gt;TKP&lt;\/b&gt;<\/p>/);
    expect(written).toMatch(/<circle class="flag"[^>]*\/><text [^>]*>1<\/text>/);
    expect(workbook).toContain('Neuer &lt;b&gt;TKP&lt;/b&gt;');
    expect(workbook).toMatch(/<c:dLbl>.*<a:t>1<\/a:t>/);

    // a comment of a delivery is in its mail and files alone
    await set({ job: job('value', '', `, ${optional}`) });
    await comment('# Unser Blick\n\nNur in der Mail.\n');
    expect((await run('deliver monthly')).code).toBe(0);
    const attached = attachmentsOf(smtp.received.at(-1)?.message ?? '');
    expect(String([...attached.values()][0])).toContain(
      '<h2>Unser Blick</h2>\n<p>Nur in der Mail.</p>',
    );
    expect(mailOf(1).html).not.toContain('Kommentar');
    expect(await page('value')).not.toContain('Unser Blick');
  });

  it('that is required holds what is sent, asks for it once, and lets it go when it says something', async () => {
    const { folder, file, smtp, notices, comment, run, mailOf } = await commented(
      job('value', `, ${required}`),
    );
    expect((await run('run')).code).toBe(0);
    expect((await run('deliver send monthly')).code).toBe(0);
    expect(smtp.received).toEqual([]);
    expect(notices()).toEqual([
      {
        job: 'monthly',
        state: 'held',
        text: expect.any(String) as string,
        at: expect.any(String) as string,
      },
    ]);
    const [{ text } = { text: '' }] = notices();
    const id = /deliver approve (\S+)/.exec(text)?.[1] ?? '';
    expect(text).toContain(`waits for its comment, ${file}\n`);
    expect(text).toContain(
      `Comment: ${file} (postledger comment fjord --period ${period} makes it)`,
    );
    expect(text).toContain('EMV: 1.000');
    expect(text).toContain(`postledger deliver preview ${id}\n`);

    // nobody can approve it without one, and the empty form is none
    expect((await run(`comment fjord --period ${period}`)).stdout).toBe(`${file}\n`);
    const form = await readFile(file, 'utf8');
    expect(form).toMatch(
      /^<!--\nFjord & Co · [^]*EMV: 1\.000[^]*\n-->\n\n## Was war das Ziel\?\n\n\n## Woran lag es\?\n/,
    );
    expect(await run(`deliver approve ${id}`)).toMatchObject({
      code: 3,
      stdout: `held  value to cmo@fjord.example: waits for its comment, ${file}\n`,
    });
    expect((await run('catch-up')).stdout).toBe('');
    expect(smtp.received).toEqual([]);

    const answered = form.replace('Woran lag es?\n', 'Woran lag es?\n\nAm Film.\n');
    await comment(answered);
    await run(`comment fjord --period ${period}`);
    expect(await readFile(file, 'utf8')).toBe(answered);
    // it is shown to oneself without a trace, and what is changed then is what goes
    const recorded = async () => [
      (await run('deliver list --json')).stdout,
      (await readdir(join(folder, 'data'))).sort(),
    ];
    const before = await recorded();
    expect(await run(`deliver preview ${id} --to me@nord.example`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('preview sent to me@nord.example') as string,
    });
    expect(await recorded()).toEqual(before);
    expect(mailOf(0).subject).toContain('Vorschau');
    expect(mailOf(0).html).toContain('cmo@fjord.example hat diese Mail nicht bekommen.');
    expect(mailOf(0).html).toMatch(/<h2 [^>]*>Woran lag es\?<\/h2>\n<p [^>]*>Am Film\.<\/p>/);
    await comment(answered.replace('Am Film.', 'Am Ton.'));
    expect((await run('catch-up')).code).toBe(0);
    expect(mailOf(1).html).toContain('Am Ton.');
    expect(mailOf(1).html).not.toMatch(/Kommentar|Was war das Ziel|Film|Vorschau/);
    expect(smtp.received.map(({ to }) => to)).toEqual(['me@nord.example', 'cmo@fjord.example']);
    expect(notices()).toHaveLength(1);
  });
});
