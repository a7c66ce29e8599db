import { describe, expect, it } from 'vitest';
import type { Calculation, Cell, ReportColumn } from '../../../src/report/report-document.ts';
import { totalFormulas } from '../../../src/render/xlsx/formulas.ts';
import { locateTable } from '../../../src/render/xlsx/table-address.ts';
import { column, columns, section } from '../../support/document-parts.ts';

/** The formulas of the totals by column. */
function formulas(
  of: readonly ReportColumn[],
  rows: readonly (readonly Cell[])[],
  total: readonly Cell[],
): Record<string, string> {
  const only = section(of, rows, { total: { label: 'Total', cells: total } });
  const made = totalFormulas(only, locateTable(only, 'sheet'));
  return Object.fromEntries([...made].map(([name, { formula }]) => [name, formula]));
}

function calculated(name: string, format: ReportColumn['format'], calculation: Calculation) {
  return column(name, format, { calculation });
}

describe('the totals of a sheet', () => {
  it('are sums of the rows that its filter shows, and ratios of these sums', () => {
    const sums = [
      ...columns({ label: 'text', impressions: 'count', emv: 'money', previous_emv: 'money' }),
      calculated('cpm', 'cpm', { kind: 'ratio', of: 'emv', to: 'impressions', times: 1000 }),
      calculated('change', 'change', { kind: 'change', of: 'emv', from: 'previous_emv' }),
      calculated('share', 'share', { kind: 'share', of: 'emv' }),
    ];
    const rows = [
      ['a', 1000, 30, 60, 30, -0.5, 0.25],
      ['b', 2000, 90, null, 45, null, 0.75],
    ];
    expect(formulas(sums, rows, [null, 3000, 120, 60, 40, 1, 1])).toEqual({
      impressions: 'SUBTOTAL(109,B5:B6)',
      emv: 'SUBTOTAL(109,C5:C6)',
      previous_emv: 'SUBTOTAL(109,D5:D6)',
      cpm: 'IFERROR(C7/B7*1000,"")',
      change: 'IFERROR(C7/D7-1,"")',
      share: 'SUBTOTAL(109,G5:G6)',
    });
  });

  it('show nothing of rows that a filter hides when rows do not add up to them', () => {
    const whole = [
      ...columns({ label: 'text', posts: 'count', rate: 'rate' }),
      calculated('per_post', 'money', { kind: 'ratio', of: 'rate', to: 'posts', times: 1 }),
    ];
    const rows = [
      ['a', 3, 0.25, 10],
      ['b', 2, 0.75, 5],
    ];
    const ofAll = (value: string) => `IF(SUBTOTAL(103,A5:A6)=COUNTA(A5:A6),${value},"")`;
    expect(formulas(whole, rows, [null, 4, 1, 7.5])).toEqual({
      posts: ofAll('4'),
      rate: ofAll('1'),
      per_post: ofAll('7.5'),
    });
  });

  it('are no ratios of sums that leave out posts which the columns count', () => {
    const rate = calculated('rate', 'rate', { kind: 'ratio', of: 'emv', to: 'posts', times: 1 });
    const found = formulas(
      [...columns({ label: 'text', posts: 'count', emv: 'money' }), rate],
      [['a', 100, 5, 0.0625]],
      [null, 100, 5, 0.0625],
    );
    expect(found['rate']).toBe('IF(SUBTOTAL(103,A5:A5)=COUNTA(A5:A5),0.0625,"")');
  });

  it('use the units of the cells: days, points', () => {
    const units = [
      ...columns({ label: 'text', time: 'duration', views: 'count' }),
      calculated('per_view', 'duration', { kind: 'ratio', of: 'time', to: 'views', times: 1 }),
      calculated('seconds', 'decimal', { kind: 'ratio', of: 'time', to: 'views', times: 1 }),
      calculated('points', 'pp', { kind: 'ratio', of: 'views', to: 'views', times: 1 }),
    ];
    const row = ['a', 86_400, 2, 43_200, 43_200, 1];
    expect(formulas(units, [row], row)).toMatchObject({
      per_view: 'IFERROR(B6/C6,"")',
      seconds: 'IFERROR(B6/C6*86400,"")',
      points: 'IFERROR(C6/C6*100,"")',
    });
  });

  it('have no formulas without a total, without rows, or in columns that the sheet has not', () => {
    const priced = columns({ label: 'text', emv: 'money' });
    expect(formulas(priced, [['a', 1]], [null, null])).toEqual({});
    expect(formulas(priced, [], [null, 1])).toEqual({});
    expect(formulas(columns({ label: 'text', trend: 'trend' }), [['a', [1]]], [null, 1])).toEqual(
      {},
    );
  });
});
