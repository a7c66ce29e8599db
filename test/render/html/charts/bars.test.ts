import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textWidth } from '../../../../src/render/html/text-width.ts';
import type { Cell, ColumnFormat } from '../../../../src/report/report-document.ts';
import {
  cornersOf,
  drawnSection,
  pathsOf,
  svgTexts,
  textOf,
  wordsOf,
} from '../../../support/drawn-section.ts';
import { chartOf, chartSection } from '../../../support/document-parts.ts';

const chart = chartOf('bars', { x: 'at', y: 'value', previous: 'previous', not_final: 'young' });

function draw(rows: readonly (readonly Cell[])[], at: ColumnFormat = 'month') {
  const columns = { at, value: 'count', previous: 'count', young: 'count' } as const;
  return drawnSection(chartSection('bars', { chart, columns, rows }));
}

/** The left edge, base and end of each vertical bar; negative bars are below their base. */
function barsOf(svg: string): { left: number; base: number; end: number }[] {
  return cornersOf(pathsOf(svg, 'bar')[0] ?? '').map(([foot = [NaN, NaN], top = [NaN, NaN]]) => ({
    left: foot[0],
    base: foot[1],
    end: top[1],
  }));
}

const monthOf = (index: number) => `2025-${String(index + 1).padStart(2, '0')}-01`;

describe('bars by month', () => {
  /** Rows from January on; a month without one is undefined. */
  const months = (...values: (number | null | undefined)[]) =>
    values.flatMap((value, at): Cell[][] => (value === undefined ? [] : [[monthOf(at), value]]));

  test.each<[string, Cell[][], string]>([
    ['have the figure on top and the month below', months(9_500, 4_750), '9.5k 4.8k Jan Feb'],
    ['leave a gap for a month without a value', months(95, null, 47), '95 – 47 Jan Feb Mar'],
    ['and for one without a row', months(95, undefined, 47), '95 47 Jan Feb Mar'],
    ['do not begin or end with an empty month', months(null, 95, 40, null), '95 40 Feb Mar'],
    ['leave out what has no month', [[null, 120], ...months(80, -40)], '80 −40 Jan Feb'],
    ['name another year', [['2024-12-01', 7], ...months(8)], '7 8 Dec 2024 Jan 2025'],
  ])('%s', (_, rows, words) => {
    const wide = draw(rows).wide;
    expect(wordsOf(wide).join(' ')).toBe(words);
    expect(barsOf(wide)).toHaveLength(2);
  });

  test('start at 0, negative ones below the base line, and the largest has its figure in bold', () => {
    const wide = draw(months(9_500, 4_750)).wide;
    expect(textOf(wide, '9.5k').look).toBe('bold mid');
    expect(barsOf(wide).map(({ base, end }) => base - end)).toEqual([170, 85]);
    const [above, below] = barsOf(draw(months(300, -100)).wide);
    expect(below?.end).toBe(above?.base);
    expect(below?.base).toBeGreaterThan(below?.end ?? Infinity);
  });

  test('have a tick for the previous period, which the key names', () => {
    const [january = [], february = []] = months(9_500, 100);
    const drawn = draw([[...january, 9_000], february]);
    expect(pathsOf(drawn.wide, 'tick')).toHaveLength(1);
    expect(drawn.figure).toMatch(/<p class="key">[^]*2024<\/span>[^]*2025<\/span><\/p>/u);
    expect(draw([january, february]).figure).not.toContain('class="key"');
  });

  test('have an axis when their figures would touch', () => {
    const narrow = wordsOf(draw(months(...Array<number>(12).fill(18_100))).narrow);
    expect(narrow).not.toContain('18.1k');
    expect(narrow.slice(0, 3)).toEqual(['5k', '10k', '15k']);
  });

  test('are none of a single month', () => {
    expect(draw(months(9_500)).figure).toBe('');
    expect(draw(months(null, 9_500, null)).figure).toBe('');
  });
});

describe('values that are not final', () => {
  const drawn = draw([
    ['2025-11-01', 100, null, 0],
    ['2025-12-01', 200, null, 50],
  ]);
  const { wide } = drawn;

  test('are the hatched top of their bar, in proportion to the value, and named in the key with their own pattern', () => {
    const [, december] = barsOf(wide);
    const [hatched = []] = cornersOf(pathsOf(wide, 'young')[1] ?? '');
    const unit = ((december?.base ?? 0) - (december?.end ?? 0)) / 150;
    const ys = hatched.map(([, y]) => y);
    expect(Math.max(...ys)).toBeCloseTo(december?.end ?? 0, 0);
    expect(Math.max(...ys) - Math.min(...ys)).toBeCloseTo(50 * unit, 0);
    expect(wide).toContain('fill="url(#s1-wide-young)"');
    expect(wide).toContain('id="s1-wide-young"');
    expect(drawn.figure).toMatch(/id="s1-key"[^]*not final<\/span>/u);
  });
});

describe('bars over days', () => {
  test('are a day apart, with a gap for a day without a row', () => {
    const days = [1, 2, 4, 5].map((day, index) => [`2025-03-0${day}`, [1, 2, 4, 3][index] ?? 0]);
    const { wide } = draw(days, 'date');
    const bars = barsOf(wide);
    const [first, second, fourth] = bars.map(({ left }) => left);
    expect(bars).toHaveLength(4);
    expect((fourth ?? 0) - (second ?? 0)).toBeCloseTo(2 * ((second ?? 0) - (first ?? 0)), 0);
    expect(wordsOf(wide).join(' ')).toBe('1 2 4 3 1 Mar 2 Mar 3 Mar 4 Mar 5 Mar');
  });

  test('are labelled by month and have an axis when there are many', () => {
    const days = Array.from({ length: 365 }, (_, index) =>
      new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10),
    );
    const drawn = draw(
      days.map((day, index) => [day, 1000 + index]),
      'date',
    );
    const wide = drawn.wide;
    const bars = barsOf(wide);
    expect(bars).toHaveLength(365);
    expect(drawn.showsAllValues).toBe(false);
    expect(textOf(wide, 'Feb').x).toBeCloseTo((bars[31]?.left ?? NaN) + 1, 0);
    expect(textOf(wide, 'Dec').x).toBeCloseTo((bars[334]?.left ?? NaN) + 1, 0);
    expect(wordsOf(wide)).toContain('1k');
  });
});

test('bars over numbers are in order, with round numbers below', () => {
  const rows = Array.from({ length: 60 }, (_, index): Cell[] => [59 - index, index + 1]);
  const { wide } = draw(rows, 'count');
  const ends = barsOf(wide).map(({ end }) => end);
  expect(ends).toEqual(ends.toSorted((a, b) => a - b));
  const labels = svgTexts(wide).filter(({ y, look }) => look.includes('soft') && y > 196);
  expect(labels.slice(0, 3).map(({ text }) => text)).toEqual(['0', '2', '4']);
});

describe('bars over words', () => {
  test('are next to their words in the order of the rows, as long as their values', () => {
    const rows = [
      ['Behind the scenes', 50, 80, 0],
      ['Thought leadership', 100, null, 40],
      ['<b>', null],
      ['Down', -20],
    ];
    const wide = draw(rows, 'text').wide;
    const spans = cornersOf(pathsOf(wide, 'bar')[0] ?? '').map((corners) => {
      const xs = corners.map(([x]) => x);
      return [Math.min(...xs), Math.max(...xs)] as const;
    });
    const zero = spans[0]?.[0] ?? NaN;
    const [behind, thought, down] = spans.map(([from, to]) => to - from);
    expect((thought ?? 0) / (behind ?? 1)).toBeCloseTo(60 / 50, 1);
    expect(spans[2]?.[1]).toBe(zero);
    expect((down ?? 0) / (behind ?? 1)).toBeCloseTo(20 / 50, 1);
    const [tick] = cornersOf(pathsOf(wide, 'tick')[0] ?? '');
    expect(((tick?.[0]?.[0] ?? 0) - zero) / (behind ?? 1)).toBeCloseTo(80 / 50, 1);
    expect(wordsOf(wide)).toEqual(expect.arrayContaining(['&lt;b&gt;', '–', '−20']));
    expect(textOf(wide, '−20').look).toContain('end');
  });

  test('are at most 25, and a note says that the table has the others', () => {
    const rows = Array.from({ length: 50 }, (_, index): Cell[] => [`Label ${index}`, index]);
    const drawn = draw(rows, 'text');
    expect(drawn.notes).toEqual(['25 of 50 bars are in the table alone.']);
    expect(wordsOf(drawn.wide)).toContain('Label 24');
    expect(wordsOf(drawn.wide)).not.toContain('Label 25');
  });
});

describe('figures', () => {
  const value = fc.integer({ min: -2_000, max: 90_000 });
  const row = fc.tuple(value, fc.option(value, { nil: null }));

  test.each([
    ['bars by month', 'month'],
    ['horizontal bars', 'text'],
  ] as const)('of %s never lie on a mark of the period before', (_, at) => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 12 }), (values) => {
        const labelOf = (index: number) =>
          at === 'month' ? monthOf(index) : `A label with a long name ${index}`;
        const rows = values.map(([now, before], index): Cell[] => [labelOf(index), now, before]);
        const drawn = draw(rows, at);
        for (const svg of [drawn.wide, drawn.narrow]) {
          expect(figuresOnMarks(svg)).toEqual([]);
        }
      }),
    );
  });
});

/** The figures that a mark of the previous period crosses. */
function figuresOnMarks(svg: string): string[] {
  const marks = [...pathsOf(svg, 'tick'), ...pathsOf(svg, 'tick thin')].flatMap(cornersOf);
  return svgTexts(svg)
    .filter(({ text, look }) => /^[−\d.k]+$/u.test(text) && !look.startsWith('soft'))
    .filter(({ text, x, y, look }) => {
      const width = textWidth(text);
      const left = look.includes('mid') ? x - width / 2 : look.includes('end') ? x - width : x;
      return marks.some((corners) => {
        const [xs, ys] = [corners.map(([at]) => at), corners.map(([, at]) => at)];
        const isBeside = Math.max(...xs) < left || Math.min(...xs) > left + width;
        return !isBeside && Math.max(...ys) > y - 10 && Math.min(...ys) < y + 1;
      });
    })
    .map(({ text }) => text);
}
