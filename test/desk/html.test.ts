import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../src/render/html/render-html.ts';
import type { Cell, ReportColumn, ReportDocument } from '../../src/report/report-document.ts';
import {
  findViolations,
  sharedBrowser,
  openFile,
  tablesBeyondPaper,
  type OpenPage,
  type View,
} from '../support/browser-page.ts';
import { comparisonDocument } from '../support/comparison-document.ts';
import {
  emptySampleDocument,
  sampleDocument,
  sampleEngagementDocument,
} from '../support/sample-document.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const documents = {
  emv: sampleDocument(),
  engagement: sampleEngagementDocument(),
  comparison: comparisonDocument(),
  empty: emptySampleDocument(),
};
const browser = await sharedBrowser();

async function open(document: ReportDocument, view: View = {}): Promise<OpenPage> {
  const file = join(await temporaryFolder(), 'report.html');
  await writeFile(file, renderHtml(document, { logo: null, formats: ['csv', 'xlsx'] }));
  return openFile(browser, file, view);
}

const widths = [1280, 760, 390, 360];

/** The width of the page in windows of these widths. */
async function widthsOf(page: Page): Promise<number[]> {
  const found: number[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    found.push(await page.evaluate<number>('document.documentElement.scrollWidth'));
  }
  return found;
}

/** The table that has this caption. */
function tableOf(page: Page, caption: string): Locator {
  return page.locator(`table:has(caption:text-is("${caption}"))`);
}

/** Text of one column of the shown rows of that table. */
function column(page: Page, caption: string, number: number): Promise<string[]> {
  const cells = `tbody:not(.gap) tr:visible > :nth-child(${number})`;
  return tableOf(page, caption).locator(cells).allTextContents();
}

describe('the page in a browser', () => {
  for (const [name, document] of Object.entries(documents)) {
    test(`opens ${name} without a console message, no wider than any window`, async () => {
      const { page, complaints } = await open(document);
      expect(await widthsOf(page)).toEqual(widths);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await widthsOf(page)).toEqual(widths);
      expect(complaints).toEqual([]);
    });

    test.each([
      { width: 1280, colorScheme: 'dark' },
      { width: 360, colorScheme: 'light' },
    ] as const)(`has no axe violations in ${name} at %j`, async (view) => {
      const html = renderHtml(document, { logo: null });
      expect(await findViolations(browser, html, view)).toEqual([]);
    });
  }

  test('shows one drawing of a chart at each width, with text of at least 12 px', async () => {
    for (const width of [360, 760, 1000, 1280]) {
      const { page } = await open(documents.emv, { width });
      const shown = page.locator('figure > svg:visible');
      expect(await shown.count()).toBe(1);
      const scale = await shown.evaluate(
        (svg: { clientWidth: number; viewBox: { baseVal: { width: number } } }) =>
          svg.clientWidth / svg.viewBox.baseVal.width,
      );
      expect(scale * 13).toBeGreaterThanOrEqual(11.95);
    }
  });

  test('keeps marks distinguishable in forced colours', async () => {
    const { complaints, page } = await open(documents.engagement, { forcedColors: 'active' });
    expect(complaints).toEqual([]);
    const stroke = await page
      .locator('figure .wide .s6')
      .evaluate('(mark) => getComputedStyle(mark).stroke');
    expect(stroke).not.toBe('none');
  });
});

describe('a table in a browser', () => {
  test('is sorted by a click on a head, reversed by another, and in its first order after the third', async () => {
    const { page } = await open(documents.emv);
    const heads = tableOf(page, 'By type').locator('th[aria-sort]');
    const head = tableOf(page, 'By type').locator('th', { hasText: 'CPM' });
    const before = await column(page, 'By type', 5);
    const sortedBy = await heads.allTextContents();
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    const falling = await column(page, 'By type', 5);
    expect(falling).not.toEqual(before);
    expect(falling).toEqual(falling.toSorted((a, b) => Number(b) - Number(a)));
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    expect(await column(page, 'By type', 5)).toEqual(falling.toReversed());
    expect(await heads.count()).toBe(1);
    await head.getByRole('button').click();
    expect(await column(page, 'By type', 5)).toEqual(before);
    expect(await heads.allTextContents()).toEqual(sortedBy);
  });

  test('is sorted by keyboard, words from A to Z and nameless rows last', async () => {
    const { page } = await open(documents.emv);
    const head = page.getByRole('button', { name: 'Campaign' });
    await head.focus();
    await page.keyboard.press('Enter');
    const names = await column(page, 'By campaign', 1);
    expect(names.at(-1)).toBe('(none)');
    expect(names.slice(0, -1)).toEqual(names.slice(0, -1).toSorted((a, b) => a.localeCompare(b)));
    await page.keyboard.press('Enter');
    expect(await column(page, 'By campaign', 1)).toEqual([
      ...names.slice(0, -1).toReversed(),
      '(none)',
    ]);
  });

  test('is sorted by value with the number format of another locale, unknown values last', async () => {
    const { page } = await open(sampleDocument({ locale: 'de-DE' }));
    const head = page.locator('table.posts th', { hasText: 'Impressions' });
    await head.getByRole('button').click();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
    await head.getByRole('button').click();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    const impressions = await column(page, 'Posts', 3);
    expect(impressions).toHaveLength(412);
    expect(impressions.slice(0, 3)).toEqual(['3.052', '3.058', '3.063']);
    expect(impressions.at(-7)).toBe('276.033');
    expect(impressions.slice(-6)).toEqual(Array.from({ length: 6 }, () => '–a'));
  });

  test('unfolds its middle and folds it again', async () => {
    const { page } = await open(documents.emv);
    expect(await column(page, 'Posts', 1)).toHaveLength(11);
    await page.getByRole('button', { name: 'Show' }).first().click();
    await expect.poll(() => column(page, 'Posts', 1)).toHaveLength(406);
    expect((await column(page, 'Posts', 1)).slice(7, 10)).toEqual(['8', '9', '10']);
    await page.getByRole('button', { name: 'Hide' }).click();
    await expect.poll(() => column(page, 'Posts', 1)).toHaveLength(11);
  });

  test('finds posts by words or a title that is not shown, including folded posts, and bold letters by plain ones', async () => {
    const { page } = await open(documents.emv);
    const find = async (words: string, answer: string) => {
      await page.getByLabel('Find in posts').fill(words);
      await expect.poll(() => page.locator('.find output').first().textContent()).toBe(answer);
    };
    await find('new: the MAP', '103 of 412');
    const found = await column(page, 'Posts', 2);
    expect(found).toHaveLength(103);
    expect(found.every((text) => text.includes('map of planned outages'))).toBe(true);
    await find('planned post 402', '1 of 412');
    await find('Planned Post 201', '1 of 412');
    await find('', '');
    expect(await column(page, 'Posts', 1)).toHaveLength(11);
  });

  test('keeps its main columns on a phone, shows the rest on demand, and scrolls on its own', async () => {
    const { page } = await open(documents.emv, { width: 360 });
    const table = tableOf(page, 'By profile');
    const heads = await table.locator('thead th:visible').allTextContents();
    expect(heads).toEqual(['Profile', 'Posts', 'EMV', 'Share']);
    const section = page.locator('section', { has: table });
    await section.getByRole('button', { name: 'More columns' }).click();
    expect(await table.locator('thead th:visible').count()).toBe(6);
    await expect.poll(() => section.locator('.scroll').getAttribute('tabindex')).toBe('0');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});

describe('a row in a browser', () => {
  const rowOf = (page: Page, name: string) =>
    tableOf(page, 'By campaign').locator('tbody tr', {
      has: page.getByRole('button', { name, exact: true }),
    });

  test('unfolds to its posts by keyboard, the largest first, and folds again', async () => {
    const { complaints, page } = await open(documents.emv);
    const [, , row] = documents.emv.sections.find(({ name }) => name === 'by_campaign')?.rows ?? [];
    const [name = '', posts = 0] = (row ?? []).map(String);
    const toggle = rowOf(page, name).getByRole('button');
    await toggle.focus();
    await page.keyboard.press('Enter');
    const list = page.getByRole('list', { name, exact: true });
    const items = list.getByRole('listitem');
    await expect.poll(() => items.count()).toBe(10);
    for (let shown = 10; shown < Number(posts); shown += 10)
      await page.getByRole('button', { name: `more of ${posts}` }).click();
    expect(await items.count()).toBe(Number(posts));
    const figures = await items.locator('div:last-child').allTextContents();
    const sizes = figures.map((text) => Number(text.replaceAll(/[€,]/gu, '')));
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(await items.first().getByRole('link').getAttribute('href')).toMatch(/linkedin/u);
    expect(await toggle.getAttribute('aria-expanded')).toBe('true');
    await toggle.click();
    expect(await list.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('has its figures beside the first line of a name that wraps', async () => {
    const long = withCells((cell, column) =>
      column?.name === 'campaign' ? `${String(cell)} and what came of it later` : cell,
    );
    const { page } = await open(long, { width: 360 });
    const tops = await page.evaluate<number[][]>(`
      [...document.querySelectorAll('tbody tr:has(> th > button)')].map((row) =>
        [row.querySelector('button'), row.querySelector('td')].map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getClientRects()[0]?.top;
        })).filter(([name]) => name !== undefined)`);
    expect(tops.length).toBeGreaterThan(2);
    for (const [name = 0, figure = 0] of tops) expect(Math.abs(name - figure)).toBeLessThan(2);
  });

  test('keeps its posts below it while the table is sorted, and prints none', async () => {
    const { page } = await open(documents.emv, { width: 360 });
    const table = tableOf(page, 'By campaign');
    const first = table.locator('tbody tr').first();
    const name = (await first.getByRole('button').textContent()) ?? '';
    await first.getByRole('button').click();
    await table.locator('thead').getByRole('button', { name: 'Campaign' }).click();
    await table.locator('thead').getByRole('button', { name: 'Campaign' }).click();
    const next = page.locator('tr:has(> th > button[aria-expanded="true"]) + tr.behind');
    await expect.poll(() => next.getByRole('list', { name, exact: true }).count()).toBe(1);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.emulateMedia({ media: 'print' });
    expect(await next.isVisible()).toBe(false);
  });
});

/** The sample with other cells. */
function withCells(cellOf: (cell: Cell, column: ReportColumn | undefined) => Cell): ReportDocument {
  const sections = documents.emv.sections.map((section) => ({
    ...section,
    rows: section.rows.map((row) => row.map((cell, at) => cellOf(cell, section.columns[at]))),
  }));
  return { ...documents.emv, sections };
}

test('a word of any length keeps the figures of its row visible on a phone', async () => {
  const word = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerk'.repeat(4);
  const columns = ['profile', 'commentary'];
  const long = withCells((cell, column) => (columns.includes(column?.name ?? '') ? word : cell));
  const { page } = await open(long, { width: 360 });
  for (const caption of ['By profile', 'Posts']) {
    const table = tableOf(page, caption);
    expect((await table.boundingBox())?.width, caption).toBeLessThanOrEqual(316);
    expect(await table.locator('thead th:visible').count(), caption).toBeGreaterThan(1);
  }
});

test('figures of 16 digits keep the page within the window, and tables within the paper', async () => {
  const formats = ['count', 'money', 'money_exact'];
  const large = withCells((cell, column) =>
    typeof cell === 'number' && formats.includes(column?.format ?? 'text') ? 2 ** 53 : cell,
  );
  const cards = documents.emv.cards.map((card) =>
    formats.includes(card.format) ? { ...card, value: 2 ** 53 } : card,
  );
  const { page } = await open({ ...large, cards, currency: 'IDR' });
  expect(await widthsOf(page)).toEqual(widths);
  expect(await tablesBeyondPaper(page)).toEqual([]);
});

test('the page on paper has no head of a table alone at the foot of a sheet', async () => {
  const sections = documents.emv.sections.filter(({ name }) => ['by_type', 'posts'].includes(name));
  const { page } = await open({ ...documents.emv, sections, definitions: [], cards: [] });
  const pdf = join(await temporaryFolder(), 'head.pdf');
  const alone: number[] = [];
  let turned = 0;
  for (let room = 0; room < 440; room += 20) {
    await page.evaluate(`document.querySelector('section').style.paddingBottom = '${room}px'`);
    await page.pdf({ path: pdf, preferCSSPageSize: true, printBackground: true });
    const { stdout } = await promisify(execFile)('pdftotext', ['-layout', pdf, '-']);
    const sheets = stdout.split('\f').filter((text) => /Post +Impressions/u.test(text));
    if (sheets.some((text) => !/\n *\d+ \S/u.test(text))) alone.push(room);
    turned = Math.max(turned, sheets.length);
  }
  expect(turned).toBe(2);
  expect(alone).toEqual([]);
});
