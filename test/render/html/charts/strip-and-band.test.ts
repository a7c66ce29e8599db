import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../../src/report/report-document.ts';
import { cornersOf, drawnSection, pathsOf, svgTexts, textOf, wordsOf } from '../../../support/drawn-section.ts'; // prettier-ignore
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

/** From and to of a path of one part. */
function spanOf(path = ''): [number, number] {
  const xs = cornersOf(path).flatMap((corners) => corners.map(([x]) => x));
  return [Math.min(...xs), Math.max(...xs)];
}

describe('a strip', () => {
  const parts = [['top 1', 0.25], ['2–5', 0.25], ['other 396 posts', 0.5]]; // prettier-ignore

  test('gives each part its share of the width, in the order of the rows, dark to light', () => {
    const wide = drawStrip(parts)?.wide ?? '';
    expect(spanOf(pathsOf(wide, 's5 part')[0])).toEqual([0, 230]);
    expect(spanOf(pathsOf(wide, 's4 part')[0])).toEqual([232, 462]);
    expect(spanOf(pathsOf(wide, 's1 part')[0])).toEqual([464, 928]);
  });

  test('names parts within them if they fit, the others below', () => {
    const drawn = drawStrip([['top 1', 0.02], ['2–5', 0.03], ['other', 0.95]]); // prettier-ignore
    for (const svg of [drawn?.wide ?? '', drawn?.narrow ?? '']) {
      expect(textOf(svg, 'other 95.0%').look).toContain('name');
      expect(textOf(svg, 'other 95.0%').y).toBeLessThan(24);
      expect(textOf(svg, 'top 1 2.0%').y).toBeGreaterThan(26);
      expect(textOf(svg, '2–5 3.0%').x).toBeGreaterThan(textOf(svg, 'top 1 2.0%').x + 60);
    }
  });

  test('leaves the rest empty when the parts are less than the whole', () => {
    const wide = drawStrip([['a', 0.25], ['b', 0.25]])?.wide ?? ''; // prettier-ignore
    expect(spanOf(pathsOf(wide, 's1 part')[0])[1]).toBe(462);
  });

  test('has no length for what is unknown, 0 or less, and says so', () => {
    const drawn = drawStrip([['a', 0.5], ['b', null], ['c', -0.1], ['d', 0]]); // prettier-ignore
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

  test.each(['wide', 'narrow'] as const)('has its ticks on a scale from 0, %s', (width) => {
    const svg = drawn?.[width] ?? '';
    const end = width === 'wide' ? 920 : 334;
    const at = (value: number) => 8 + (value / 80_000) * (end - 8);
    expect(spanOf(pathsOf(svg, 'axis')[0])[0]).toBe(8);
    const ticks = cornersOf(pathsOf(svg, 'tick')[0] ?? '').map(([from]) => from?.[0]);
    expect(ticks).toEqual([expect.closeTo(at(40_000), 0), expect.closeTo(at(80_000), 0)]);
    expect(spanOf(pathsOf(svg, 'used')[0])[0]).toBeCloseTo(at(60_000), 0);
    expect(spanOf(pathsOf(svg, 's2')[0])).toEqual([expect.closeTo(at(40_000), 0), expect.closeTo(end, 0)]); // prettier-ignore
  });

  test('sets the figure in use large above, the others below, each with its CPM', () => {
    const svg = drawn?.wide ?? '';
    expect(textOf(svg, '€60,000').look).toContain('big');
    expect(textOf(svg, 'used, CPM 30.16').y).toBeLessThan(56);
    expect(textOf(svg, '€40,000').y).toBeGreaterThan(56);
    expect(wordsOf(svg)).toEqual(expect.arrayContaining(['low, CPM 20.00', 'high, CPM 45.00', '0'])); // prettier-ignore
    expect(drawn?.showsAllValues).toBe(true);
  });

  test('moves figures apart that lie near each other, and keeps them in the picture', () => {
    const near = drawBand([['low', 79_000, 20, false], ['used', 79_500, 30, true], ['high', 80_000, 45, false]]); // prettier-ignore
    const texts = svgTexts(near?.narrow ?? '').filter(({ y, look }) => y > 56 && look.includes('bold')); // prettier-ignore
    const [low, high] = texts.map(({ x }) => x);
    expect((high ?? 0) - (low ?? 0)).toBeGreaterThan(100);
    expect(low).toBeGreaterThan(50);
    expect(high).toBeLessThan(342);
  });

  test('is drawn from what is known, and not at all without a value', () => {
    const one = drawBand([['low', null, 20, false], ['used', 60_000, null, true]]); // prettier-ignore
    expect(wordsOf(one?.wide ?? '')).toContain('used');
    expect(one?.showsAllValues).toBe(false);
    expect(one?.notes).toEqual(['1 of 2 rows is in the table alone.']);
    expect(drawBand([['low', null, 20, false]])).toBeNull();
  });
});
