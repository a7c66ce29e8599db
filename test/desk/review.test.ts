import { expect, it, onTestFinished } from 'vitest';
import { findViolations, sharedBrowser } from '../support/browser-page.ts';
import { mailForReview, servedPages } from '../support/review-pages.ts';
import { until } from '../support/until.ts';

it.each([
  [1280, 'en'],
  [390, 'de'],
] as const)(
  'a held mail is commented on and sent without JavaScript, %i px wide, in %s',
  async (width, language) => {
    const made = await mailForReview({
      mail: 'attach: [pdf, xlsx]',
      isRequired: true,
      formats: 'xlsx, pdf',
      language,
    });
    expect((await made.run('run')).code).toBe(0);
    const { origin, links } = await servedPages(made);
    const browser = await sharedBrowser();
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      javaScriptEnabled: false,
    });
    onTestFinished(() => page.close());
    const complaints: string[] = [];
    const foreign: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(origin) && !url.startsWith('data:')) foreign.push(url);
    });
    await page.goto(origin + new URL(links()[0] ?? '').pathname);
    // a page that says that the reports are being rendered asks again by itself
    await expect.poll(() => page.title(), { timeout: 60_000 }).toContain('Fjord & <i>Co</i>');
    const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.locator('button[value=send]').count()).toBe(0);
    expect(await page.locator('textarea').inputValue()).toContain('<!--\n');
    const frame = page.frameLocator('iframe');
    expect(await frame.locator('h1').count()).toBe(1);
    await page.locator('textarea').fill('# Hallo\n\nEin <b>guter</b> **Monat**.');
    await page.locator('button[value=save]').click();
    await frame.locator('strong', { hasText: 'Monat' }).waitFor();
    expect(await frame.locator('b', { hasText: 'guter' }).count()).toBe(0);
    const html = await page.content();
    const href = await page.locator('a', { hasText: '.pdf' }).getAttribute('href');
    const file = await page.request.get(new URL(href ?? '', page.url()).href);
    expect(file.status()).toBe(200);
    expect(file.headers()['content-disposition']).toMatch(/^attachment; .*\.pdf$/);
    expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-');
    const [send, status] = [page.locator('button[value=send]'), page.locator('[role=status]')];
    // a browser drops a click on a page that it has not painted
    while ((await status.count()) === 0) if ((await send.count()) > 0) await send.click();
    await until(() => made.mails('ceo@fjord.example').length === 1);
    // other pages of the browser would take the clicks
    expect(await findViolations(browser, html, { width, javaScriptEnabled: false })).toEqual([]);
    const scripted = await browser.newPage({ viewport: { width, height: 900 } });
    onTestFinished(() => scripted.close());
    await scripted.setContent(html);
    expect(await scripted.evaluate(isWide)).toBe(false);
    expect([complaints, foreign]).toEqual([[], []]);
  },
);
