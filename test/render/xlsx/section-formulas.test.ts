import { describe, expect, it } from 'vitest';
import type { Calculation, Cell, ReportColumn } from '../../../src/report/report-document.ts';
import { inputNames } from '../../../src/render/xlsx/formulas.ts';
import { SectionFormulas } from '../../../src/render/xlsx/formulas.ts';
import { FigureCells, placeOf } from '../../../src/render/xlsx/table-place.ts';
import { column, section } from './small-document.ts';

const untouched = 'OR(N(cpm)<=0,cpm=cpm_reported)';

interface Sheet {
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly Cell[])[];
  readonly total?: readonly Cell[];
  readonly hasInput?: boolean;
}

/** The formulas of a sheet by address, including those of the total. */
function formulas({ columns, rows, total, hasInput = true }: Sheet): Record<string, string> {
  const only = section(columns, rows, {
    total: total === undefined ? null : { label: 'Total', cells: total },
  });
  const place = placeOf(only, 'sheet');
  const input = hasInput ? inputNames({ name: 'cpm', format: 'cpm' }) : null;
  const figures = new FigureCells([{ section: only, place }, summary()]);
  const made = new SectionFormulas({ section: only, place, input, figures });
  const found: Record<string, string> = {};
  columns.forEach(({ name }, index) => {
    const letter = String.fromCharCode(65 + index);
    rows.forEach((cells, at) => {
      const formula = made.body(name, { cells, row: 5 + at });
      if (formula) found[`${letter}${5 + at}`] = formula.formula;
    });
    const last = total && made.total(name, { cells: total, row: 5 + rows.length });
    if (last) found[`${letter}${5 + rows.length}`] = last.formula;
  });
  return found;
}

function summary() {
  const figures = section([column('emv', 'money'), column('all_emv', 'money')], [[1_000, 4_000]], {
    name: 'summary',
    layout: 'figures',
  });
  return { section: figures, place: placeOf(figures, 'summary') };
}

function calculated(name: string, format: ReportColumn['format'], calculation: Calculation) {
  return column(name, format, { calculation });
}

const impressions = column('impressions', 'count');
const emv = calculated('emv', 'money', { kind: 'priced', by: 'impressions', per: 1000 });
const ratio = { kind: 'ratio', of: 'emv', to: 'impressions', times: 1000 } as const;

describe('formulas of a sheet', () => {
  it('price a row by the input once that is changed, even a row without a value', () => {
    const rows = [
      [1000, 30.5],
      [2000, null],
      [null, 7],
      [null, null],
      [0, 0],
    ];
    expect(formulas({ columns: [impressions, emv], rows })).toEqual({
      B5: `IF(${untouched},30.5,A5/1000*cpm)`,
      B6: `IF(${untouched},"",A6/1000*cpm)`,
      B7: `IF(${untouched},7,"")`,
      B9: `IF(${untouched},0,A9/1000*cpm)`,
    });
  });

  it('price a row with its own price by that price', () => {
    const columns = [
      impressions,
      calculated('emv', 'money', { kind: 'priced', by: 'impressions', per: 1000, at: 'own_cpm' }),
      column('own_cpm', 'cpm'),
    ];
    const rows = [
      [1000, 20, 20],
      [1000, 30, null],
      [1000, null, null],
    ];
    expect(formulas({ columns, rows })).toEqual({
      B5: `IF(${untouched},20,A5/1000*C5)`,
      B6: `IF(${untouched},30,A6/1000*cpm)`,
    });
  });

  it('divide by the posts that have a price once the input is changed', () => {
    const columns = [
      impressions,
      emv,
      calculated('posts', 'count', { kind: 'recounted', as: 'posts_with_impressions' }),
      column('posts_with_impressions', 'count'),
      calculated('per_post', 'money', { kind: 'ratio', of: 'emv', to: 'posts', times: 1 }),
    ];
    const rows = [
      [1000, 30, 5, 4, 6],
      [1000, 30, 5, 5, 6],
      [null, 30, 5, null, 6],
    ];
    expect(formulas({ columns, rows })).toMatchObject({
      C5: `IF(${untouched},5,D5)`,
      E5: 'IFERROR(B5/C5,"")',
      E6: 'IFERROR(B6/C6,"")',
      C7: `IF(${untouched},5,"")`,
      E7: 'IFERROR(B7/C7,"")',
    });
    expect(formulas({ columns, rows })).not.toHaveProperty('C6');
    const sums = [columns[0], columns[1], columns[2], columns[3]].filter(
      (each) => each !== undefined,
    );
    const two = [
      [1000, 30, 5, 4],
      [1000, 30, 5, 5],
    ];
    expect(formulas({ columns: sums, rows: two, total: [2000, 60, 10, 9] })['C7']).toBe(
      'SUM(C5:C6)',
    );
    expect(formulas({ columns: sums, rows: two, total: [2000, 60, 10, 8] })['C7']).toBe(
      `IF(${untouched},10,D7)`,
    );
  });

  it('do not exist when the workbook has no input', () => {
    const columns = [impressions, emv, calculated('median', 'money', { kind: 'as_given' })];
    expect(formulas({ columns, rows: [[1000, 30, 4]], hasInput: false })).toEqual({});
  });

  it('divide cells when they give the figure, but not when sums of other rows do, and never by 0', () => {
    const columns = [
      column('engagements', 'count'),
      impressions,
      calculated('rate', 'rate', { kind: 'ratio', of: 'engagements', to: 'impressions', times: 1 }),
    ];
    const rows = [
      [5, 100, 0.05],
      [5, 100, 0.0625],
      [5, 0, null],
      [null, 100, null],
      [0, 100, 0],
    ];
    expect(formulas({ columns, rows })).toEqual({ C5: 'A5/B5', C9: 'A9/B9' });
  });

  it('use the price itself when a priced sum does not give it', () => {
    const columns = [impressions, emv, calculated('cpm', 'cpm', ratio)];
    const rows = [
      [1000, 30, 30],
      [2000, 30, 30],
      [2000, null, null],
    ];
    expect(formulas({ columns, rows })).toMatchObject({
      C5: 'IFERROR(B5/A5*1000,"")',
      C6: `IF(${untouched},30,cpm)`,
      C7: `IF(${untouched},"",cpm)`,
    });
  });

  it('leave no value that the changed input makes untrue', () => {
    const columns = [
      column('posts', 'count'),
      impressions,
      emv,
      calculated('per_post', 'money', { kind: 'ratio', of: 'emv', to: 'posts', times: 1 }),
      calculated('median', 'money', { kind: 'as_given' }),
      calculated('change', 'change', { kind: 'change', of: 'median', from: 'posts' }),
    ];
    expect(formulas({ columns, rows: [[4, 1000, 30, 10, 5, 0.25]] })).toMatchObject({
      D5: `IF(${untouched},10,"")`,
      E5: `IF(${untouched},5,"")`,
      F5: 'IFERROR(E5/A5-1,"")',
    });
  });

  it('empty what has no cells to follow: a price without its column, a text, a share of nothing known', () => {
    const columns = [
      calculated('median', 'money', { kind: 'priced', by: 'median_impressions', per: 1000 }),
      calculated('posts', 'count', { kind: 'recounted', as: 'posts_with_impressions' }),
      calculated('source', 'text', { kind: 'as_given' }),
      calculated('share', 'share', { kind: 'share', of: 'median', whole: 'gone' }),
    ];
    expect(formulas({ columns, rows: [[5, 3, `"${'a'.repeat(260)}`, 0.5]] })).toEqual({
      A5: `IF(${untouched},5,"")`,
      B5: `IF(${untouched},3,"")`,
      C5: `IF(${untouched},"""${'a'.repeat(249)}"&"${'a'.repeat(11)}","")`,
      D5: `IF(${untouched},0.5,"")`,
    });
  });

  it('give a row without a value its share once the input gives it one', () => {
    const columns = [
      impressions,
      emv,
      calculated('share', 'share', { kind: 'share', of: 'emv', whole: 'all_emv' }),
    ];
    expect(formulas({ columns, rows: [[1000, null, null]] })['C5']).toBe(
      `IF(${untouched},"",IFERROR(B5/'summary'!$B$6,""))`,
    );
  });

  it('use the units of the cells: days, points', () => {
    const columns = [
      column('time', 'duration'),
      column('views', 'count'),
      calculated('per_view', 'duration', { kind: 'ratio', of: 'time', to: 'views', times: 1 }),
      calculated('seconds', 'decimal', { kind: 'ratio', of: 'time', to: 'views', times: 1 }),
      calculated('points', 'pp', { kind: 'ratio', of: 'views', to: 'views', times: 1 }),
      calculated('fewer', 'pp', { kind: 'change', of: 'views', from: 'views' }),
    ];
    expect(formulas({ columns, rows: [[86_400, 2, 43_200, 43_200, 1, 0]] })).toEqual({
      C5: 'A5/B5',
      D5: 'A5/B5*86400',
      E5: 'B5/B5*100',
      F5: '(B5/B5-1)*100',
    });
  });

  it('sum columns that add up, and price the total of rows that overlap', () => {
    const columns = [column('label', 'text'), impressions, emv, column('rate', 'rate')];
    const rows = [
      ['a', 1000, 30, 0.5],
      ['b', 2000, 60, null],
    ];
    expect(formulas({ columns, rows, total: [null, 3000, 90, 0.5] })).toMatchObject({
      B7: 'SUM(B5:B6)',
      C7: 'SUM(C5:C6)',
    });
    const overlapping = formulas({ columns, rows, total: [null, 2500, 90, 0.5] });
    expect(overlapping['C7']).toBe(`IF(${untouched},90,B7/1000*cpm)`);
    expect(Object.keys(overlapping)).toEqual(['C5', 'C6', 'C7']);
  });

  it('relate a share to the total, or to the sum of the report when there is none', () => {
    const money = column('emv', 'money');
    const share = calculated('share', 'share', { kind: 'share', of: 'emv' });
    const columns = [column('label', 'text'), money, share];
    const labels = [
      ['a', 30, 0.3],
      ['b', 90, 0.9],
      ['none', null, null],
    ];
    expect(formulas({ columns, rows: labels, total: [null, 100, 1] })).toEqual({
      C5: 'B5/$B$8',
      C6: 'B6/$B$8',
    });
    expect(formulas({ columns, rows: [['a', 250, 0.25]] })).toEqual({ C5: "B5/'summary'!$B$5" });
    expect(formulas({ columns, rows: [['a', 1, 0.5]] })).toEqual({});
  });

  it('relate a share to the figure that is declared as its whole', () => {
    const money = column('emv', 'money');
    const named = calculated('share', 'share', { kind: 'share', of: 'emv', whole: 'all_emv' });
    expect(formulas({ columns: [money, named], rows: [[1_000, 0.25]] })).toEqual({
      B5: "A5/'summary'!$B$6",
    });
    expect(formulas({ columns: [money, named], rows: [[1_000, 0.5]] })).toEqual({});
  });

  it('never refer to each other in a circle, to missing cells, or to a list', () => {
    const columns = [
      calculated('a', 'decimal', { kind: 'ratio', of: 'b', to: 'c', times: 1 }),
      calculated('b', 'decimal', { kind: 'ratio', of: 'a', to: 'c', times: 1 }),
      column('c', 'count'),
      calculated('d', 'decimal', { kind: 'ratio', of: 'd', to: 'c', times: 1 }),
      calculated('e', 'decimal', { kind: 'ratio', of: 'gone', to: 'c', times: 1 }),
    ];
    expect(formulas({ columns, rows: [[1, 1, 1, 1, 1]] })).toEqual({ A5: 'B5/C5' });
  });

  it('count only the columns of the sheet', () => {
    const columns = [
      column('trend', 'trend'),
      column('a', 'count'),
      column('b', 'count'),
      calculated('rate', 'rate', { kind: 'ratio', of: 'a', to: 'b', times: 1 }),
    ];
    expect(formulas({ columns, rows: [[[1, null], 1, 4, 0.25]] })).toEqual({ D5: 'A5/B5' });
  });
});

describe("an input's names", () => {
  it.each([
    ['cpm', 'cpm', 'cpm_reported'],
    ['cpm1', 'cpm1_', 'cpm1_reported'],
    ['r', 'r_', 'r_reported'],
    ['r1c1', 'r1c1_', 'r1c1_reported'],
    ['true', 'true_', 'true_reported'],
  ])('are not cell addresses: %s', (name, current, reported) => {
    expect(inputNames({ name, format: 'cpm' })).toMatchObject({ current, reported });
  });
});
