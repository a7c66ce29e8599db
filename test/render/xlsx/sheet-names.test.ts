import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameGiver } from '../../../src/render/xlsx/sheet-plan.ts';

const sheetNames = (names: readonly string[]) => names.map(nameGiver());

describe('names of sheets', () => {
  it('have no characters that Excel forbids', () => {
    const names = ["a[b]:c*d?e/f\\g'h", '', 'History', 'about', 'About', 'ABOUT'];
    expect(sheetNames(names).join('|')).toBe(
      'a_b__c_d_e_f_g’h|sheet|History 2|about|About 2|ABOUT 3',
    );
  });

  it('are short and unique, whatever the sections are called', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 60 })), (names) => {
        const given = sheetNames(names);
        expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(names.length);
        for (const name of given) expect(name).toMatch(/^[^[\]:*?/\\'!]{1,31}$/);
      }),
    );
  });
});
