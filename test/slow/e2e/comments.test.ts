import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  commentedAgency,
  comments,
  mailOf,
  period,
  required,
} from '../../support/commented-agency.ts';

describe('a comment', () => {
  it('that is required holds what is sent, asks for it once, and lets it go when it says something', async () => {
    const made = await commentedAgency();
    const { file, folder, smtp, chat, set, comment, run } = made;
    await set(`, ${required}`);
    for (let count = 0; count < 2; count += 1) expect((await run('run')).code).toBe(0);
    expect(smtp.received).toEqual([]);
    expect(chat()).toEqual([
      {
        job: 'monthly',
        state: 'held',
        text: expect.any(String) as string,
        at: expect.any(String) as string,
      },
    ]);
    const [{ text } = { text: '' }] = chat();
    const id = /deliver approve (\S+)/.exec(text)?.[1] ?? '';
    expect(text).toContain(`waits for its comment, ${file}\n`);
    expect(text).toContain(
      `Comment: ${file} (postledger comment fjord --period ${period} makes it)`,
    );
    expect(text).toContain('EMV: 1.000');
    expect(text).toContain(`postledger deliver preview ${id}\n`);

    // nobody can approve it without one, and the empty form is none
    expect((await run('comment', 'fjord', '--period', period)).stdout).toBe(`${file}\n`);
    const form = await readFile(file, 'utf8');
    expect(form).toMatch(
      /^<!--\nFjord & Co · [^]*EMV: 1\.000[^]*\n-->\n\n## Was war das Ziel\?\n\n\n## Woran lag es\?\n/,
    );
    const approved = await run('deliver', 'approve', id);
    expect([approved.code, approved.stdout]).toEqual([
      3,
      `held  value to cmo@fjord.example: waits for its comment, ${file}\n`,
    ]);
    expect((await run('catch-up')).stdout).toBe('');
    expect(smtp.received).toEqual([]);

    await comment(form.replace('Woran lag es?\n', 'Woran lag es?\n\nAm Film.\n'));
    await run('comment', 'fjord', '--period', period);
    expect(await readFile(file, 'utf8')).toContain('Am Film.');
    expect((await run('catch-up')).code).toBe(0);
    const { html } = mailOf(made, 0);
    expect(html).toMatch(/<h2 [^>]*>Woran lag es\?<\/h2>\n<p [^>]*>Am Film\.<\/p>/);
    expect(html).not.toMatch(/Kommentar|Was war das Ziel/);
    expect(chat()).toHaveLength(1);

    // what was changed counts when it is shown to oneself and when it is approved
    smtp.received.length = 0;
    await set(`, ${comments}`, ', name: again, hold: true');
    await comment('Erste Fassung.');
    expect((await run('deliver', 'monthly')).code).toBe(0);
    expect(chat().map(({ state }) => state)).toEqual(['held', 'held']);
    const held = /deliver approve (\S+)/.exec(chat()[1]?.text ?? '')?.[1] ?? '';
    await comment('Zweite Fassung.');
    const listed = async () => (await run('deliver', 'list', '--json')).stdout;
    const before = [await listed(), (await readdir(join(folder, 'data'))).sort()];
    const preview = await run('deliver', 'preview', held, '--to', 'me@nord.example');
    expect([preview.code, preview.stdout]).toEqual([
      0,
      expect.stringContaining('preview sent to me@nord.example'),
    ]);
    expect([await listed(), (await readdir(join(folder, 'data'))).sort()]).toEqual(before);
    expect(mailOf(made, 0)).toMatchObject({
      to: 'me@nord.example',
      subject: expect.stringContaining('Vorschau') as string,
    });
    expect(mailOf(made, 0).html).toContain('cmo@fjord.example hat diese Mail nicht bekommen.');
    expect(mailOf(made, 0).html).toContain('Zweite Fassung.');
    expect((await run('deliver', 'approve', held)).code).toBe(0);
    expect(mailOf(made, 1)).toMatchObject({ to: 'cmo@fjord.example' });
    expect(mailOf(made, 1).html).toContain('Zweite Fassung.');
    expect(mailOf(made, 1).html).not.toMatch(/Erste|Vorschau/);
    expect((await run('run')).code).toBe(0);
    expect(smtp.received).toHaveLength(2);
  });
});
