import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { zipEntries } from '../render/xlsx/zip-entries.ts';
import { commentedAgency, comments, mailOf } from '../support/commented-agency.ts';

describe('a comment', () => {
  it('stands above the figures of page, workbook and mail, with nothing in it that is HTML', async () => {
    const made = await commentedAgency('emv');
    const { folder, smtp, set, comment, run } = made;
    await set(`, ${comments}`);
    await comment(
      '<!-- Geheim -->\nSehr **gut** <script>alert(1)</script> [weg](javascript:alert(2)) [da](https://ok.example/?a=1&b)\n\n## Was nun?\n\n- mehr\n\nGrüße\nLena\n\n## Ungefuellt\n',
    );
    expect((await run('run')).code).toBe(0);
    const page = await readFile(join(folder, 'out', 'fjord', 'emv.html'), 'utf8');
    const inPage = page.slice(page.indexOf('class="comment"'), page.indexOf('class="facts"'));
    expect(inPage).toContain(
      '<h2>Kommentar</h2>\n<p>Sehr <strong>gut</strong> &lt;script&gt;alert(1)&lt;/script&gt; [weg](javascript:alert(2)) <a href="https://ok.example/?a=1&amp;b">da</a></p>\n<h3>Was nun?</h3>\n<ul>\n<li>mehr</li>\n</ul>\n<p>Grüße<br>Lena</p>',
    );
    const { html, text, to } = mailOf(made, 0);
    expect(to).toBe('cmo@fjord.example');
    expect(html).toContain('>Kommentar</h2>');
    expect(html.indexOf('Sehr <strong>gut</strong>')).toBeLessThan(html.indexOf('<h1'));
    expect(text).toContain('# Kommentar\n\nSehr **gut**');
    const workbook = [...(await zipEntries(join(folder, 'out', 'fjord', 'emv.xlsx')))]
      .flat()
      .join('\n');
    expect(workbook).toContain('Sehr ');
    expect(workbook).toContain('• ');
    expect(workbook).toMatch(/Grüße<\/t>.*>\s*\n\s*<\/t>.*Lena/su);
    for (const words of [page, html, text, workbook])
      expect(words).not.toMatch(/Geheim|Ungefuellt/);
    for (const words of [page, html, workbook])
      expect(words).not.toMatch(/<script>alert|href="javascript/);
    expect(smtp.received).toHaveLength(1);

    // the client's note is marked by its number
    expect(page).toMatch(/>1 · [^<]+: Neuer &lt;b&gt;TKP&lt;\/b&gt;<\/p>/);
    expect(page).toMatch(/<circle class="flag"[^>]*\/><text [^>]*>1<\/text>/);
    expect(workbook).toContain('Neuer &lt;b&gt;TKP&lt;/b&gt;');
    expect(workbook).toMatch(/<c:dLbl>.*<a:t>1<\/a:t>/);

    // a comment of a delivery is in its mail and files alone
    await set('', `, name: own, ${comments}`);
    await comment('# Unser Blick\n\nNur in der Mail.\n');
    expect((await run('deliver', 'monthly')).code).toBe(0);
    const message = smtp.received.at(-1)?.message ?? '';
    const attached =
      /filename=[^;]*\.html[^]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(message)?.[1] ?? '';
    expect(Buffer.from(attached, 'base64').toString()).toContain(
      '<h2>Unser Blick</h2>\n<p>Nur in der Mail.</p>',
    );
    expect(mailOf(made, -1 + smtp.received.length).html).not.toContain('Kommentar');
    expect(await readFile(join(folder, 'out', 'fjord', 'emv.html'), 'utf8')).not.toContain(
      'Unser Blick',
    );
  });
});
