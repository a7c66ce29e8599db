import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtInReports, listReportNames } from '../../src/report/report-catalog.ts';
import {
  findViolations,
  sharedBrowser,
  openFile,
  tablesBeyondPaper,
  type View,
} from '../support/browser-page.ts';
import { madeDemo } from './support/made-demo.ts';

const run = promisify(execFile);
const names = await listReportNames([builtInReports]);
const browser = await sharedBrowser();
const views = [
  { width: 1280, colorScheme: 'light' },
  { width: 760, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const;
/** How far a table scrolls at most: a long name may take some pixels. */
const widestScroll =
  "Math.max(0, ...[...document.querySelectorAll('.scroll')].map((one) => one.scrollWidth - one.clientWidth))";
/** Of these each report is held against one; html.test.ts holds everything that pages are made of against both. */
const readers: readonly View[] = [
  { width: 1280, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light', javaScriptEnabled: false },
];

let demo: string;
let folder: string;

/** All reports of the demo: a year of five profiles, about a thousand posts. */
beforeAll(async () => {
  demo = await madeDemo();
  folder = await mkdtemp(join(tmpdir(), 'postledger-pages-'));
}, 600_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

function fileOf(name: string): string {
  return join(demo, `${name}.html`);
}

describe.each(names)('the page of %s', (name) => {
  test('stays under 1 MB for a year of five profiles', async () => {
    expect((await stat(fileOf(name))).size).toBeLessThan(1_000_000);
  });

  test('opens without a console message or a request, no wider than any window, and its tables fit a phone', async () => {
    const { page, complaints } = await openFile(browser, fileOf(name));
    for (const fold of await page.locator('details > summary').all()) await fold.click();
    for (const { width, colorScheme } of views) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    const picture = await page.screenshot();
    expect(picture.byteLength).toBeGreaterThan(10_000);
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await page.evaluate<number>(widestScroll), 'beyond a phone').toBeLessThan(16);
    expect(complaints).toEqual([]);
  });

  test('has no axe violations with its folds open', async () => {
    const view = readers[names.indexOf(name) % readers.length] ?? {};
    const html = await readFile(fileOf(name), 'utf8');
    const open = html.replaceAll('<details', '<details open');
    expect(await findViolations(browser, open, view)).toEqual([]);
  });

  test('is legible without scripts, has no control that does nothing, and says where folded rows are', async () => {
    const { page } = await openFile(browser, fileOf(name), { javaScriptEnabled: false });
    expect(await page.locator('button:visible, input:visible').count()).toBe(0);
    expect(await page.locator('section').count()).toBeGreaterThan(2);
    expect(await page.locator('table tbody tr').count()).toBeGreaterThan(3);
    for (const gap of await page.locator('.gap:visible').allTextContents()) {
      expect(gap).toMatch(/: in the CSV and XLSX files/u);
    }
  });

  test('fills numbered A4 sheets without controls and lone lines', async () => {
    const { page } = await openFile(browser, fileOf(name), { colorScheme: 'dark' });
    const pdf = join(folder, `${name}.pdf`);
    await page.pdf({ path: pdf, preferCSSPageSize: true, printBackground: true });
    const { stdout: words } = await run('pdftotext', ['-layout', pdf, '-']);
    const sheets = words.split('\f').filter((text) => text.trim() !== '');
    sheets.forEach((text, index) => {
      expect(text.replace(/ /gu, '')).toContain(`${index + 1}/${sheets.length}`);
      expect(text).toContain('Data as of');
      expect(text.split('\n').filter((line) => line.trim() !== '').length).toBeGreaterThan(6);
    });
    expect(words).not.toMatch(/\bShow\b|More columns|Find in/u);
    expect(await tablesBeyondPaper(page)).toEqual([]);
  });
});
