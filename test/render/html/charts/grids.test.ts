import { describe, expect, test } from 'vitest';
import { drawChart } from '../../../../src/render/html/chart.ts';
import { createPageContext } from '../../../../src/render/html/page-context.ts';
import type { Cell, ColumnFormat } from '../../../../src/report/report-document.ts';
import { chartOf, chartSection, documentOf } from '../../../support/document-parts.ts';
import { drawnSection, svgTexts, textOf, wordsOf } from '../../../support/drawn-section.ts';

const heatmap = chartOf('heatmap', {
  row: 'weekday',
  column: 'hour',
  value: 'rate',
  n: 'posts',
  minimum: 5,
});

function draw(rows: readonly (readonly Cell[])[], hour: ColumnFormat = 'hour') {
  const columns = { weekday: 'weekday', hour, posts: 'count', rate: 'rate' } as const;
  return drawnSection(chartSection('slots', { chart: heatmap, columns, rows }));
}

/** The names of the columns of a heatmap. */
function headsOf(svg = ''): string[] {
  return svgTexts(svg).flatMap(({ y, look, text }) =>
    y === 14 && look === 'bold mid' ? text : [],
  );
}

describe('a heatmap', () => {
  const drawn = draw([
    [1, 8, 5, 0.01],
    [1, 9, 6, 0.02],
    [2, 8, 7, 0.03],
    [2, 9, 8, 0.04],
    [3, 11, 4, 0.9],
    [4, 11, 9, null],
  ]);
  const wide = drawn.wide;

  test('writes the figure in each cell, and colours the cells in steps', () => {
    const looks = ['1.0', '2.0', '3.0', '4.0'].map((text) => textOf(wide, text).look);
    expect(looks).toEqual(['low mid', 'low mid', 'high mid', 'high mid']);
    const steps = [...wide.matchAll(/<path class="(s\d)"/gu)].map(([, name]) => name);
    expect(steps).toEqual(['s0', 's2', 's4', 's6']);
  });

  test('has the name of each row beside its cells, and that of each column above them', () => {
    const [monday, tuesday, eight, nine] = ['Mon', 'Tue', '08', '09'].map((text) =>
      textOf(wide, text),
    );
    const [first, second, below] = ['1.0', '2.0', '3.0'].map((text) => textOf(wide, text));
    expect([first, second, below].map((cell) => cell?.x)).toEqual([eight?.x, nine?.x, eight?.x]);
    expect(Math.abs((first?.y ?? NaN) - (monday?.y ?? NaN))).toBeLessThan(2);
    expect(Math.abs((below?.y ?? NaN) - (tuesday?.y ?? NaN))).toBeLessThan(2);
  });

  test('hatches cells with too few posts and shows their number instead of a colour', () => {
    expect(wide).toContain('fill="url(#s1-wide-hatch)"');
    expect(wide).not.toContain('90.0');
    expect(drawn.figure).toContain('fewer than 5 posts: how many');
  });

  test('counts posts by hour above and by weekday at the right', () => {
    const counts = wordsOf(wide).filter((words) => /^\d+$/u.test(words));
    const byHour = ['08', '12', '09', '14', '10', '0', '11', '13'];
    expect(counts.slice(2)).toEqual([...byHour, '11', '15', '4', '9', '0', '0', '0']);
  });

  test('has weekdays across and hours down on a narrow page', () => {
    expect(headsOf(drawn.narrow).join(' ')).toBe('Mon Tue Wed Thu Fri Sat Sun');
  });

  test('has the groups of any other dimension by their posts, down where their names are long', () => {
    const rows = Array.from({ length: 30 }, (_, at): Cell[] => [
      ...[2, `Campaign of the season ${at}`, at + 5, 0.01],
    ]);
    const other = draw(rows, 'text').wide;
    expect(headsOf(other)).toContain('Tue');
    const shown = wordsOf(other).filter((words) => words.startsWith('Campaign'));
    expect(shown).toHaveLength(24);
    expect(shown[0]).toMatch(/^Campaign of the .*…$/u);
  });
});

test('the last 91 days of a calendar differ in shape by their state, which its key names', () => {
  const chart = chartOf('calendar', {
    row: 'of',
    x: 'from',
    to: 'to',
    part: 'state',
    level: 'level',
  });
  const columns = { of: 'text', from: 'date', to: 'date', state: 'text', level: 'count' } as const;
  const rows = [
    ['Acme', '2025-01-01', '2025-12-27', 'read', 3],
    ['Acme', '2025-12-28', '2025-12-28', 'too early', 2],
    ['Acme', '2025-12-29', '2025-12-30', 'failed', 1],
    ['Beta', '2025-12-31', '2025-12-31', 'not read', 0],
  ];
  const days = chartSection('days', { chart, columns, rows });
  const drawn = drawnSection(days);
  expect(drawn.notes).toEqual(['The last 13 weeks are drawn.']);
  expect(drawnSection({ ...days, rows: days.rows.slice(1) }).notes).toEqual([]);
  expect(drawn.figure.match(/<\/svg>[^<]+(?=<\/span>)/gu)).toEqual(
    ['read', 'too early', 'failed', 'not read'].map((state) => `</svg>${state}`),
  );
  const box = /<path class="([^"]+)"[^>]* d="M(\S+) (\S+)V([\d.]+)H([\d.]+)/gu;
  expect(
    [...drawn.narrow.matchAll(box)].map(([, look, ...edges]) => {
      const [left = NaN, bottom = NaN, top = NaN, right = NaN] = edges.map(Number);
      return [look, bottom - top, Math.round(((right - left) * 91) / 341)];
    }),
  ).toEqual([
    ['frame missing', 16, 1],
    ['missing', 16, 2],
    ['s2', 8, 1],
    ['s4', 16, 87],
  ]);
  const paper = createPageContext(documentOf([]), [], { ids: '', isPaper: true });
  expect(drawChart(days, 's1', paper)?.figure.toString()).toContain(
    'Beta, 31 Dec 2025, 31 Dec 2025, not read"',
  );
});
