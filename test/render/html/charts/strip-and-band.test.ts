import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../../src/report/report-document.ts';
import {
  cornersOf,
  drawnSection,
  pathsOf,
  textOf,
  wordsOf,
} from '../../../support/drawn-section.ts';
import { chartSection } from '../../../support/sample-charts.ts';

function drawStrip(rows: readonly (readonly Cell[])[]) {
  return drawnSection(
    chartSection('share_by_rank', {
      chart: { kind: 'strip', label: 'rank', share: 'emv_share', rows: null },
      columns: { rank: 'text', emv_share: 'share' },
      rows,
    }),
  );
}

/** The left and right ends of the path of a part. */
function spanOf(path = ''): [number, number] {
  const xs = cornersOf(path).flatMap((corners) => corners.map(([x]) => x));
  return [Math.min(...xs), Math.max(...xs)];
}

describe('a strip', () => {
  const parts = [
    ['top 1', 0.25],
    ['2–5', 0.25],
    ['other 396 posts', 0.5],
  ];

  test('gives each part its share of the width, in the order of the rows, from dark to light', () => {
    const wide = drawStrip(parts)?.wide ?? '';
    expect(spanOf(pathsOf(wide, 's5 part')[0])).toEqual([0, 230]);
    expect(spanOf(pathsOf(wide, 's4 part')[0])).toEqual([232, 462]);
    expect(spanOf(pathsOf(wide, 's1 part')[0])).toEqual([464, 928]);
  });

  test('names parts inside if they fit, otherwise below', () => {
    const drawn = drawStrip([
      ['top 1', 0.02],
      ['2–5', 0.03],
      ['other', 0.95],
    ]);
    for (const svg of [drawn?.wide ?? '', drawn?.narrow ?? '']) {
      expect(textOf(svg, 'other 95.0%').look).toContain('name');
      expect(textOf(svg, 'other 95.0%').y).toBeLessThan(24);
      expect(textOf(svg, 'top 1 2.0%').y).toBeGreaterThan(26);
      expect(textOf(svg, '2–5 3.0%').x).toBeGreaterThan(textOf(svg, 'top 1 2.0%').x + 60);
    }
  });

  test('leaves the rest empty when the parts are less than the whole', () => {
    const wide =
      drawStrip([
        ['a', 0.25],
        ['b', 0.25],
      ])?.wide ?? '';
    expect(spanOf(pathsOf(wide, 's1 part')[0])[1]).toBe(462);
  });

  test('has no length for shares that are unknown, 0 or less, and says so', () => {
    const drawn = drawStrip([
      ['a', 0.5],
      ['b', null],
      ['c', -0.1],
      ['d', 0],
    ]);
    expect(drawn?.notes).toEqual(['3 of 4 parts are in the table alone.']);
    expect(drawn?.showsAllValues).toBe(false);
    expect(drawStrip([['b', null]])).toBeNull();
  });
});

function drawBand(rows: readonly (readonly Cell[])[]) {
  return drawnSection(
    chartSection('cpm_band', {
      chart: { kind: 'band', label: 'case', value: 'emv', at: 'CPM', used: 'is_used', rows: null },
      columns: { case: 'text', emv: 'money', CPM: 'cpm', is_used: 'boolean' },
      rows,
    }),
  );
}

describe('a band', () => {
  const drawn = drawBand([
    ['low', 40_000, 20, false],
    ['used', 60_000, 30.16, true],
    ['high', 80_000, 45, false],
  ]);

  test.each(['wide', 'narrow'] as const)('has a bar from 0 for each case, %s', (width) => {
    const svg = drawn?.[width] ?? '';
    const spans = cornersOf(pathsOf(svg, 'bar')[0] ?? '').map((corners) => {
      const xs = corners.map(([x]) => x);
      return Math.max(...xs) - Math.min(...xs);
    });
    const longest = spans.at(-1) ?? NaN;
    expect(spans.map((span) => span / longest)).toEqual([
      expect.closeTo(0.5, 2),
      expect.closeTo(0.75, 2),
      1,
    ]);
    expect(wordsOf(svg)).toEqual([
      'low, CPM 20.00',
      'used, CPM 30.16',
      'high, CPM 45.00',
      '€40,000',
      '€60,000',
      '€80,000',
    ]);
  });

  test('highlights the figure in use', () => {
    expect(textOf(drawn?.wide ?? '', '€60,000').look).toBe('bold');
    expect(textOf(drawn?.wide ?? '', '€80,000').look).toBe('');
    expect(drawn?.showsAllValues).toBe(true);
  });

  test('is drawn from known values, and not at all without one', () => {
    const one = drawBand([
      ['low', null, 20, false],
      ['used', 60_000, null, true],
    ]);
    expect(wordsOf(one?.wide ?? '')).toContain('used');
    expect(one?.showsAllValues).toBe(false);
    expect(one?.notes).toEqual(['1 of 2 rows is in the table alone.']);
    expect(drawBand([['low', null, 20, false]])).toBeNull();
  });
});
