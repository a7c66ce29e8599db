import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { renderWorkbook } from '../../src/render/xlsx/workbook.ts';
import { buildOf } from '../reports/support/built-report.ts';
import { python, recalculatedWorkbooks } from './support/recalculated-workbook.ts';

/** Types other prices into the cells by their names. */
const change = `
import sys, openpyxl
original, typed = sys.argv[1:]
book = openpyxl.load_workbook(original)
for name, price in (("cpm", 20), ("price_clicks", 3), ("price_saves", 7)):
    sheet, cell = book.defined_names[name].attr_text.rsplit("!", 1)
    book[sheet.strip("'")][cell.replace("$", "")] = price
book.save(typed)
`;

test('all EMV on the sheet What if follows the named cell of each price, and nothing else does', async () => {
  const post = (id: string, day: string, figures: Record<string, number>) => {
    return { linkedin_post_id: id, published_at: `${day}T10:00:00Z`, ...figures };
  };
  const prices = { impressions: 30, clicks: 4.5, saves: 2 };
  const rows = {
    profiles: [{ profile_id: 'p1', name: 'Acme', prices: 'board' }],
    prices: Object.entries(prices).map(([metric, price]) => {
      return { list: 'board', from_date: null, metric, price };
    }),
    linkedin_posts: [
      post('a', '2025-11-05', { impression_count: 1000, click_count: 10 }),
      post('b', '2025-12-03', { impression_count: 3000, click_count: 20 }),
      post('c', '2025-12-04', { impression_count: 500, save_count: 4 }),
      post('d', '2025-12-05', { click_count: 2 }),
    ],
  };
  const parameters = { from: '2025-12-01', to: '2025-12-31' } as const;
  const document = await buildOf(rows, 'emv', { parameters });
  const folder = await mkdtemp(join(tmpdir(), 'postledger-what-if-'));
  try {
    const paths = ['original', 'typed'].map((name) => join(folder, `${name}.xlsx`));
    await writeFile(paths[0] ?? '', await renderWorkbook(document));
    await promisify(execFile)(python, ['-W', 'ignore', '-c', change, ...paths]);
    const [before, after] = await recalculatedWorkbooks(paths, join(folder, 'calculated'));
    const { 'What if': sheet = {}, ...others } = before ?? {};
    const { 'What if': changed = {}, ...othersAfter } = after ?? {};
    expect(othersAfter).toEqual(others);
    expect(['B4', 'B5', 'B6'].map((cell) => sheet[cell])).toEqual([30, 4.5, 2]);
    // names, three counts, EMV as reported, and EMV at the cells: of a month, in all, of this period and of the one before
    const priced = Object.keys(sheet).filter((cell) => {
      return /^F\d+$/u.test(cell) && typeof sheet[cell] === 'number';
    });
    expect(priced.length).toBe(4);
    const at = (column: string, cell: string) => Number(sheet[cell.replace('F', column)] ?? 0);
    for (const cell of priced) {
      const [impressions, clicks, saves] = [at('B', cell), at('C', cell), at('D', cell)];
      expect(sheet[cell], cell).toBeCloseTo(at('E', cell), 6);
      expect(changed[cell], cell).toBeCloseTo(
        (impressions / 1000) * 20 + clicks * 3 + saves * 7,
        6,
      );
    }
    const labels = Object.entries(sheet).filter(([cell]) => /^A\d+$/u.test(cell));
    const [previous] = labels.find(([, text]) => text === 'The period before') ?? [''];
    expect(changed[previous.replace('A', 'F')]).toBeCloseTo(20 + 30, 6);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
