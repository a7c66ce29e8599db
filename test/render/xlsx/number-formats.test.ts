import { expect, test } from 'vitest';
import { createNumberFormats } from '../../../src/render/xlsx/number-formats.ts';

test.each([
  ['en-GB', 'EUR', '[$€]#,##0', '[$€]#,##0.00'],
  ['en-US', 'USD', '[$$]#,##0', '[$$]#,##0.00'],
  ['de-DE', 'EUR', '#,##0 [$€]', '#,##0.00 [$€]'],
  ['de-CH', 'CHF', '[$CHF] #,##0', '[$CHF] #,##0.00'],
  ['en-US', 'JPY', '[$¥]#,##0', '[$¥]#,##0'],
  ['en-US', 'KWD', '[$KWD] #,##0', '[$KWD] #,##0.000'],
])(
  'number formats put the sign where %s puts it for %s',
  (locale, currency, money, money_exact) => {
    expect(createNumberFormats({ locale, currency })).toMatchObject({ money, money_exact });
  },
);
