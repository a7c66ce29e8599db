import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../../src/report/report-document.ts';
import {
  cornersOf,
  drawnSection,
  pathsOf,
  textOf,
  wordsOf,
} from '../../../support/drawn-section.ts';
import { chartOf, chartSection } from '../../../support/document-parts.ts';

const chart = chartOf('multiples', {
  facet: 'profile',
  x: 'month',
  y: 'emv',
  previous: 'emv_before',
});
const columns = { profile: 'text', month: 'month', emv: 'money', emv_before: 'money' } as const;

const months = ['2025-01-01', '2025-02-01', '2025-03-01', '2025-04-01'];

function rowsOf(profile: string | null, values: readonly (number | null)[]): Cell[][] {
  return months.map((month, index) => [profile, month, values[index] ?? null, null]);
}

function draw(rows: readonly (readonly Cell[])[]) {
  return drawnSection(chartSection('by_profile', { chart, columns, rows }));
}

/** Matches a number to a twentieth. */
function near(part: number): unknown {
  return expect.closeTo(part, 1);
}

/** The heights of the bars, one list for each facet. */
function heightsOf(svg: string): number[][] {
  return pathsOf(svg, 'bar').map((path) =>
    cornersOf(path).map((corners) => {
      const ys = corners.map(([, y]) => y);
      return Math.max(...ys) - Math.min(...ys);
    }),
  );
}

describe('small multiples', () => {
  const drawn = draw([...rowsOf('Anna', [10, 40, 20, 5]), ...rowsOf('Bruno', [null, 30, 4, 8])]);
  const wide = drawn.wide;

  test('share one scale, and the key says so', () => {
    const [anna = [], bruno = []] = heightsOf(wide);
    expect(anna[1]).toBeCloseTo(90, 0);
    expect(anna.map((height) => height / 90)).toEqual(
      [10, 40, 20, 5].map((value) => near(value / 40)),
    );
    expect(bruno.map((height) => height / 90)).toEqual([30, 4, 8].map((value) => near(value / 40)));
    expect(drawn.figure).toContain('one scale for all');
  });

  test('label only the peak of each, and the ends of the axis', () => {
    expect(wordsOf(wide)).toEqual(['Anna', '€40', 'Jan', 'Apr', 'Bruno', '€30', 'Jan', 'Apr']);
  });

  test('mark the notes of the months in each, and list them below', () => {
    const notes = [
      { date: '2025-02-15', text: 'New CPM agreed' },
      { date: '2025-05-01', text: 'After the last month' },
    ];
    const rows = ['Anna', 'Bruno'].flatMap((name) => rowsOf(name, [10, 40, 20, 5]));
    const noted = drawnSection(chartSection('by_profile', { chart, columns, rows }), { notes });
    expect(pathsOf(noted.wide, 'event')).toEqual([
      expect.stringMatching(/^M56\.[23]/u),
      expect.stringMatching(/^M56\.[23]/u),
    ]);
    expect(wordsOf(noted.wide).filter((word) => word === '1')).toHaveLength(2);
    expect(noted.notes).toEqual(['1 · 15 February 2025: New CPM agreed']);
  });

  test('are at most twenty, and a note says that the table has the others', () => {
    const many = draw(Array.from({ length: 23 }, (_, index) => rowsOf(`P${index}`, [1, 2])).flat());
    expect(pathsOf(many.wide, 'bar')).toHaveLength(20);
    expect(many.notes).toEqual(['3 of 23 charts are in the table alone.']);
  });

  test('have marks for the previous period', () => {
    const both = draw(rowsOf('Anna', [10, 40, 20, 5]).map((row) => [...row.slice(0, 3), 20]));
    const [marks] = pathsOf(both.wide, 'tick');
    const [base] = cornersOf(pathsOf(both.wide, 'axis')[0] ?? '');
    const ys = cornersOf(marks ?? '').map(([from]) => from?.[1]);
    expect(ys).toHaveLength(4);
    expect(ys[0]).toBeCloseTo((base?.[0]?.[1] ?? NaN) - 45, 0);
    expect(both.figure).toMatch(/2024<\/span>/u);
  });

  test('take the figure of each facet from the section when their rows come from another one', () => {
    const data = {
      ...chartSection('months', { chart: null, columns, rows: rowsOf('Anna', [1, 2, 3, 4]) }),
      layout: 'data' as const,
    };
    const section = chartSection('by_profile', {
      chart: { ...chart, rows: 'months' },
      columns: { profile: 'text', emv: 'money' },
      rows: [['Anna', 29_510]],
    });
    const both = drawnSection(section, { sections: [section, data] });
    expect(textOf(both.wide, '€29,510').y).toBeGreaterThan(textOf(both.wide, 'Anna').y);
  });

  test('are a bar for each facet in a period of one month', () => {
    const one = draw([...rowsOf('Anna', [10]), ...rowsOf('Bruno', [30])]);
    expect(wordsOf(one.wide)).toEqual(['Anna', 'Bruno', '€10', '€30']);
    expect(cornersOf(pathsOf(one.wide, 'bar')[0] ?? '')).toHaveLength(2);
  });

  test('name a facet without a value', () => {
    const one = draw([...rowsOf('Anna', [1, 2, 3, 4]), ...rowsOf('Bruno', [])]);
    expect(wordsOf(one.wide)).toContain('–');
    expect(draw(rowsOf('Bruno', [])).figure).toBe('');
  });
});
