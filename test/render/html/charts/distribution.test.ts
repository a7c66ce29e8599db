import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../../src/report/report-document.ts';
import { textWidth } from '../../../../src/render/html/text-width.ts';
import {
  cornersOf,
  drawnSection,
  pathsOf,
  svgTexts,
  textOf,
  wordsOf,
} from '../../../support/drawn-section.ts';
import { chartSection } from '../../../support/sample-charts.ts';

function draw(values: readonly (number | null)[]) {
  return drawnSection(
    chartSection('concentration', {
      chart: { kind: 'distribution', value: 'emv', rows: null },
      columns: { post: 'text', emv: 'money_exact' },
      rows: values.map((value, index): Cell[] => [`p${index}`, value]),
    }),
  );
}

/** The places and counts of the stacks, from the lowest to the highest; each is one stroke of round dots. */
function stacksOf(svg: string, look: string): { x: number; dots: number }[] {
  const pitch = Number(/stroke-dasharray="0 ([\d.]+)"/u.exec(svg)?.[1]);
  return pathsOf(svg, look).flatMap((path) =>
    cornersOf(path).map((corners) => ({
      x: corners[0]?.[0] ?? NaN,
      dots: 1 + Math.floor(((corners[0]?.[1] ?? NaN) - (corners[1]?.[1] ?? NaN)) / pitch),
    })),
  );
}

describe('a distribution', () => {
  const values = [1, 1, 1, 10, 100, 1000, 1000];
  const wide = draw(values)?.wide ?? '';

  test('has a dot for each row, at even distances for each power of ten', () => {
    const stacks = stacksOf(wide, 'dots');
    expect(stacks.map(({ dots }) => dots)).toEqual([3, 1, 1, 2]);
    const [one = 0, ten = 0, hundred = 0, thousand = 0] = stacks.map(({ x }) => x);
    expect(ten - one).toBeGreaterThan(250);
    expect(Math.abs(ten - one - (hundred - ten))).toBeLessThan(6);
    expect(Math.abs(hundred - ten - (thousand - hundred))).toBeLessThan(6);
  });

  test('says that its axis is logarithmic, and labels round values', () => {
    expect(wordsOf(wide)).toContain('Emv, logarithmic scale');
    const [ten, hundred, thousand] = ['€10', '€100', '€1k'].map((text) => textOf(wide, text).x);
    expect((hundred ?? 0) - (ten ?? 0)).toBeCloseTo(304, 0);
    expect((thousand ?? 0) - (hundred ?? 0)).toBeLessThanOrEqual(304);
  });

  test('has the median as a solid line and the mean as a dotted one, each named', () => {
    const enough = draw([1, 1, 1, 1, 10, 10, 100, 1000, 1000, 1000])?.wide ?? '';
    const [solid] = cornersOf(pathsOf(enough, 'drop solid')[0] ?? '');
    const [dotted] = cornersOf(pathsOf(enough, 'drop')[0] ?? '');
    const stacks = stacksOf(enough, 'dots');
    expect(Math.abs((solid?.[0]?.[0] ?? NaN) - (stacks[1]?.x ?? NaN))).toBeLessThan(3.5);
    expect(dotted?.[0]?.[0]).toBeGreaterThan(stacks[2]?.x ?? NaN);
    expect(wordsOf(enough)).toEqual(expect.arrayContaining(['median €10', 'mean €312']));
  });

  test('names median and mean without overlap, whichever is larger', () => {
    const sets = [
      [...Array<number>(3).fill(1), ...Array<number>(9).fill(10)],
      [...Array<number>(3).fill(1), ...Array<number>(9).fill(9), 10],
      [...Array<number>(11).fill(900), 1000, 1],
      [...Array<number>(11).fill(1), 2, 1000],
      Array<number>(12).fill(5),
    ];
    for (const drawn of sets.map(draw)) {
      for (const svg of [drawn?.wide ?? '', drawn?.narrow ?? '']) {
        const names = svgTexts(svg).filter(({ look }) => look.startsWith('bold'));
        const boxes = names.map(({ x, y, text, look }) => {
          const width = textWidth(text);
          return {
            y,
            left: look.endsWith('end') ? x - width : x,
            right: look.endsWith('end') ? x : x + width,
          };
        });
        expect(boxes.length).toBeGreaterThan(1);
        boxes.forEach((one, index) => {
          for (const other of boxes.slice(index + 1)) {
            const meets = one.left < other.right && other.left < one.right;
            expect(meets && Math.abs(one.y - other.y) < 14).toBe(false);
          }
        });
      }
    }
  });

  test('has no median for fewer than 10 values', () => {
    expect(pathsOf(wide, 'drop solid')).toEqual([]);
    expect(wordsOf(wide)).toContain('mean €302');
    expect(wordsOf(wide).filter((text) => /median|half/u.test(text))).toEqual([]);
  });

  test('counts zeros and negative values, which the axis cannot show, and unknown ones', () => {
    const drawn = draw([0, 0, -3, null, 5, 50]);
    expect(stacksOf(drawn?.wide ?? '', 'dots').map(({ dots }) => dots)).toEqual([1, 1]);
    expect(drawn?.notes).toEqual([
      'Not drawn on the logarithmic axis, but in the mean: 3 of 0 or less.',
      'Not drawn: 1 without a value.',
    ]);
    expect(wordsOf(drawn?.wide ?? '').filter((text) => text.startsWith('median'))).toEqual([]);
  });

  test('becomes a histogram when there are too many dots, with the count on its tallest bar', () => {
    const drawn = draw(Array.from({ length: 1501 }, (_, index) => (index < 1000 ? 10 : index)));
    const svg = drawn?.wide ?? '';
    expect(pathsOf(svg, 'dots')).toEqual([]);
    const bars = cornersOf(pathsOf(svg, 'bar')[0] ?? '');
    expect(bars.length).toBeGreaterThan(1);
    const tallest = textOf(svg, '1,000');
    expect(tallest.y).toBeLessThan(Math.min(...bars.flat().map(([, y]) => y)));
  });

  test('shows a single value in the middle', () => {
    const drawn = draw([42]);
    expect(stacksOf(drawn?.wide ?? '', 'dots')[0]?.x).toBeGreaterThan(400);
    expect(svgTexts(drawn?.narrow ?? '').every(({ x }) => x >= 0 && x <= 342)).toBe(true);
  });

  test('does not exist when no value is above 0', () => {
    expect(draw([0, -1, null])).toBeNull();
    expect(draw([])).toBeNull();
  });

  test('is small even for fifty thousand posts', () => {
    const drawn = draw(Array.from({ length: 50_000 }, (_, index) => 1 + (index % 997) ** 2));
    expect(drawn?.figure.length).toBeLessThan(20_000);
  });
});
