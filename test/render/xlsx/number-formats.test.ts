import { describe, expect, it } from 'vitest';
import { createNumberFormats } from '../../../src/render/xlsx/number-formats.ts';

const money = (locale: string, currency: string) => {
  const formats = createNumberFormats({ locale, currency });
  return [formats.money, formats.money_exact];
};

describe('number formats', () => {
  it.each([
    ['en-GB', 'EUR', '[$€]#,##0', '[$€]#,##0.00'],
    ['en-US', 'USD', '[$$]#,##0', '[$$]#,##0.00'],
    ['de-DE', 'EUR', '#,##0 [$€]', '#,##0.00 [$€]'],
    ['de-CH', 'CHF', '[$CHF] #,##0', '[$CHF] #,##0.00'],
    ['en-US', 'JPY', '[$¥]#,##0', '[$¥]#,##0'],
    ['en-US', 'KWD', '[$KWD] #,##0', '[$KWD] #,##0.000'],
  ])('put the sign where %s puts it for %s', (locale, currency, whole, exact) => {
    expect(money(locale, currency)).toEqual([whole, exact]);
  });

  it('follow the design', () => {
    expect(createNumberFormats({ locale: 'en-US', currency: 'USD' })).toMatchObject({
      text: null,
      count: '#,##0',
      cpm: '#,##0.00',
      rate: '0.0%',
      share: '0.0%',
      duration: '[h]:mm:ss',
      month: 'mmm yyyy',
      date: 'yyyy-mm-dd',
      datetime: 'yyyy-mm-dd hh:mm',
    });
  });
});
