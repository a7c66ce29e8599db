import { describe, expect, test } from 'vitest';
import type { Cell, ChartSpec, ColumnFormat } from '../../../../src/report/report-document.ts';
import {
  cornersOf,
  drawnSection,
  pathsOf,
  svgTexts,
  textOf,
  wordsOf,
} from '../../../support/drawn-section.ts';
import { chartOf, chartSection } from '../../../support/document-parts.ts';

type Lines = Extract<ChartSpec, { kind: 'lines' }>;

const plain = chartOf('lines', { x: 'at', y: 'value' });

function draw(
  rows: readonly (readonly Cell[])[],
  chart: Partial<Lines> = {},
  formats: { at?: ColumnFormat; value?: ColumnFormat } = {},
) {
  const columns = {
    at: formats.at ?? 'month',
    value: formats.value ?? 'count',
    series: 'text',
    n: 'count',
    previous: 'count',
  } as const;
  return drawnSection(chartSection('lines', { chart: { ...plain, ...chart }, columns, rows }));
}

/** Matches a number to half a px. */
function near(px: number): unknown {
  return expect.closeTo(px, 0);
}

/** The scale of an axis, from two grid lines and their labels. */
function yScale(svg: string, low: [string, number], high: [string, number]) {
  const [from, to] = [textOf(svg, low[0]).y + 5, textOf(svg, high[0]).y + 5];
  return (value: number) => from + ((value - low[1]) / (high[1] - low[1])) * (to - from);
}

describe('a line over months', () => {
  const drawn = draw([
    ['2025-01-01', 10],
    ['2025-02-01', 30],
    ['2025-03-01', 20],
    ['2025-05-01', 40],
    ['2025-06-01', null],
    ['2025-07-01', 5],
  ]);
  const { wide } = drawn;
  const y = yScale(wide, ['10', 10], ['40', 40]);

  test('passes through its values on a scale from 0', () => {
    const [first = []] = cornersOf(pathsOf(wide, 'line c1')[0] ?? '');
    expect(first.map(([, at]) => at)).toEqual([10, 30, 20].map((value) => near(y(value))));
    const [axis] = pathsOf(wide, 'axis');
    expect(Number(/^M0 ([\d.]+)H/u.exec(axis ?? '')?.[1])).toBeCloseTo(y(0), 0);
    const [one, two, three] = first.map(([at]) => at);
    expect((two ?? 0) - (one ?? 0)).toBeCloseTo((three ?? 0) - (two ?? 0), 0);
  });

  test('breaks at a month that is missing or unknown, and shows a value between two gaps as a dot', () => {
    expect(cornersOf(pathsOf(wide, 'line c1')[0] ?? '')).toHaveLength(1);
    const dots = cornersOf(pathsOf(wide, 'point c1')[0] ?? '').map(([spot]) => spot?.[1]);
    expect(dots).toEqual([expect.closeTo(y(40), 0), expect.closeTo(y(5), 0)]);
  });

  test('has its last value at its end, and the unit on the top grid line only', () => {
    expect(textOf(wide, '5').look).toContain('strong');
    expect(textOf(wide, '5').y).toBeCloseTo(y(5) + 4, 0);
    const rows = [
      ['2025-01-01', 1000],
      ['2025-02-01', 3000],
    ];
    const money = draw(rows, {}, { value: 'money' });
    const labels = wordsOf(money.wide).filter((text) => /\dk$/u.test(text));
    expect(labels).toEqual(['1k', '2k', '€3k', '€3k']);
  });

  test('draws the previous period as a thin line below its own, each with its name', () => {
    const rows = [
      ['2025-01-01', 10, null, null, 12],
      ['2025-02-01', 30, null, null, 25],
    ];
    const both = draw(rows, { previous: 'previous' });
    expect(pathsOf(both.wide, 'line before')).toHaveLength(1);
    expect(wordsOf(both.wide)).toEqual(expect.arrayContaining(['2025', '30', '2024', '25']));
    expect(wordsOf(both.narrow)).toEqual(expect.arrayContaining(['2025', '2024']));
  });
});

test('periods of whole months are named by their months', () => {
  const section = chartSection('lines', {
    chart: { ...plain, previous: 'previous' },
    columns: { at: 'month', value: 'count', previous: 'count' },
    rows: [
      ['2025-11-01', 10, 12],
      ['2025-12-01', 30, 25],
    ],
  });
  const named = (from: string, to: string, before: string, until: string) => {
    const period = { period: { from, to }, previousPeriod: { from: before, to: until } };
    return wordsOf(drawnSection(section, period).wide);
  };
  expect(named('2025-11-01', '2026-10-31', '2024-11-01', '2025-10-31')).toEqual(
    expect.arrayContaining(['Nov 2025 to Oct 2026', 'Nov 2024 to Oct 2025']),
  );
  expect(named('2025-11-03', '2026-10-30', '2024-11-03', '2025-11-02')).toEqual(
    expect.arrayContaining(['3 Nov 2025 to 30 Oct 2026', '3 Nov 2024 to 2 Nov 2025']),
  );
});

describe('a line over days', () => {
  test('joins only days that are as far apart as most', () => {
    const weeks = ['2025-06-02', '2025-06-09', '2025-06-16', '2025-06-30', '2025-07-07'];
    const rows = weeks.map((day, index) => [day, index + 1]);
    const drawn = draw(rows, {}, { at: 'date' });
    const parts = cornersOf(pathsOf(drawn.wide, 'line c1')[0] ?? '');
    expect(parts.map((part) => part.length)).toEqual([3, 2]);
  });

  test('has a tick at the start of each month, even in another year than that of the report', () => {
    const days = Array.from({ length: 120 }, (_, index) =>
      new Date(Date.UTC(2024, 10, 1 + index)).toISOString().slice(0, 10),
    );
    const rows = days.map((day) => [day, 1]);
    const { wide } = draw(rows, {}, { at: 'date' });
    expect(wordsOf(wide)).toEqual(expect.arrayContaining(['Nov', '2024', 'Dec', 'Jan', 'Feb']));
    const [line = []] = cornersOf(pathsOf(wide, 'line c1')[0] ?? '');
    expect(line.length).toBeGreaterThan(1);
    expect(textOf(wide, 'Dec').x).toBeCloseTo(line[30]?.[0] ?? NaN, 0);
  });

  test('keeps a sum in steps until the next one, across days without a row', () => {
    const rows = [
      ['2025-06-01', 10],
      ['2025-06-05', 10],
      ['2025-06-11', 30],
    ];
    const drawn = draw(rows, { steps: true }, { at: 'date' });
    const [line = []] = cornersOf(pathsOf(drawn.wide, 'line c1')[0] ?? '');
    const ys = line.map(([, at]) => at);
    expect(ys[0]).toBe(ys[1]);
    expect(line.at(-2)?.[0]).toBe(line.at(-1)?.[0]);
    expect(ys.at(-1)).toBeLessThan(ys.at(-2) ?? 0);
  });
});

test('a line over numbers joins all measured values at their places on the scale, however far apart', () => {
  const rows = [
    [1, 0.2],
    [7, 0.6],
    [30, 1],
  ];
  const { wide } = draw(rows, {}, { at: 'count', value: 'share' });
  const [line = []] = cornersOf(pathsOf(wide, 'line c1')[0] ?? '');
  expect(line).toHaveLength(3);
  const [one = NaN, seven = NaN, thirty = NaN] = ['1', '7', '30'].map(
    (text) => textOf(wide, text).x,
  );
  expect(line.map(([at]) => at)).toEqual([one, seven, thirty].map(near));
  expect((seven - one) / 6).toBeCloseTo((thirty - seven) / 23, 1);
});

describe('several lines', () => {
  const series = { series: 'series', n: 'n' } as const;
  const rowsOf = (name: string | null, last: number): Cell[][] => [
    ['2025-01-01', 1, name, 2],
    ['2025-02-01', last, name, name === 'A' ? 1 : 1200],
  ];

  test('differ in colour and dash, and have their name, value and n at the end', () => {
    const drawn = draw([...rowsOf('A', 10), ...rowsOf('B', 90), ...rowsOf(null, 50)], series);
    const wide = drawn.wide;
    expect(['line c1', 'line c2', 'line c6'].map((look) => pathsOf(wide, look).length)).toEqual([
      1, 1, 1,
    ]);
    expect(wordsOf(wide)).toEqual(
      expect.arrayContaining(['A', '10 · 1 post', 'B', '90 · 1,200 posts', '(none)']),
    );
  });

  test('keep 34 px between their names, even when they all end together', () => {
    const rows = ['A', 'B', 'C', 'D', 'E', 'F'].flatMap((name) => rowsOf(name, 3));
    const drawn = draw(rows, series);
    const names = svgTexts(drawn.wide).filter(({ text }) => /^[A-F]$/u.test(text));
    const ys = names.map(({ y }) => y).sort((a, b) => a - b);
    expect(ys).toHaveLength(6);
    for (const [index, y] of ys.slice(1).entries()) {
      expect(y - (ys[index] ?? 0)).toBeGreaterThanOrEqual(34);
    }
    const height = Number(/height="(\d+)"/u.exec(drawn.wide)?.[1]);
    expect(Math.min(...ys)).toBeGreaterThan(10);
    expect(Math.max(...ys)).toBeLessThan(height - 15);
  });

  test('are reduced to the five with the highest last value when there are more than six, and a note counts the others', () => {
    const names = 'A B C D E F G H'.split(' ');
    const rows = names.flatMap((name, index) => rowsOf(name, 10 + index));
    const drawn = draw(rows, series);
    const shown = wordsOf(drawn.wide).filter((text) => names.includes(text));
    expect(shown.sort()).toEqual(['D', 'E', 'F', 'G', 'H']);
    expect(drawn.notes).toEqual(['3 of 8 lines are in the table alone.']);
  });
});

test('names that differ only at the end still differ after they are cut', () => {
  const start = 'The very long name of a campaign that nobody could shorten with any grace';
  const rows = [2025, 2026].flatMap((year): Cell[][] => [
    ['2025-01-01', year, `${start} ${year}`],
    ['2025-02-01', year * 2, `${start} ${year}`],
  ]);
  const drawn = draw(rows, { series: 'series' });
  for (const svg of [drawn.wide, drawn.narrow]) {
    const names = wordsOf(svg).filter((text) => text.startsWith('The very'));
    expect(names).toHaveLength(2);
    expect(names.map((name) => name.slice(-4)).sort()).toEqual(['2025', '2026']);
    expect(names.every((name) => name.includes('…'))).toBe(true);
  }
});
