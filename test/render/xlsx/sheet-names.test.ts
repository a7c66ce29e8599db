import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sheetNames } from '../../../src/render/xlsx/sheet-names.ts';

describe('names of sheets', () => {
  it('are those of the sections', () => {
    expect(sheetNames(['About', 'summary', 'by_weekday_hour'])).toEqual([
      'About',
      'summary',
      'by_weekday_hour',
    ]);
  });

  it('do without what Excel forbids', () => {
    expect(sheetNames(["a[b]:c*d?e/f\\g'h", '', 'History', 'about', 'About', 'ABOUT'])).toEqual([
      'a_b__c_d_e_f_g’h',
      'sheet',
      'History_2',
      'about',
      'About_2',
      'ABOUT_3',
    ]);
  });

  it('are short and unique, whatever the sections are called', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 60 })), (names) => {
        const given = sheetNames(names);
        expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(names.length);
        for (const name of given) expect(name).toMatch(/^[^[\]:*?/\\']{1,31}$/);
      }),
    );
  });
});
