import { type FormatterOptions, hasHalfDays } from '../../languages/number-format.ts';
import { english, translate } from '../../languages/phrases.ts';
import type { Cell, ColumnFormat } from '../../report/report-document.ts';

/** The locale sets the position of the currency sign. Separators follow the settings of the reader. */
type NumberFormatOptions = Pick<FormatterOptions, 'locale' | 'currency' | 'language' | 'precision'>;

/** Number formats by the format of a column; null where a cell holds text. */
export type NumberFormats = Readonly<Record<ColumnFormat, string | null>>;

export function createNumberFormats(options: NumberFormatOptions): NumberFormats {
  const points = `" ${translate('pp', options.language ?? english)}"`;
  const decimal = '#,##0.00';
  const { precision = {} } = options;
  return {
    text: null,
    longtext: null,
    url: null,
    list: null,
    // Excel follows the type of the cell, LibreOffice this format.
    boolean: '"TRUE";"TRUE";"FALSE"',
    trend: null,
    count: '#,##0',
    decimal,
    money: moneyFormat(options, (precision.money ?? 0) > 0 ? exactPattern(options) : '#,##0'),
    money_exact: moneyFormat(options, exactPattern(options)),
    cpm: decimal,
    rate: `0.${'0'.repeat(precision.rate ?? 1)}%`,
    share: '0.0%',
    duration: '[h]:mm:ss',
    factor: '"× "0.00',
    pp: `+0.0${points};"−"0.0${points};0.0${points}`,
    change: changeFormat,
    month: 'mmm yyyy',
    quarter: 'mmm yyyy',
    date: 'yyyy-mm-dd',
    datetime: hasHalfDays(options) ? 'yyyy-mm-dd h:mm AM/PM' : 'yyyy-mm-dd hh:mm',
    weekday: '0',
    hour: '00":00"',
  };
}

/** Longer durations are printed in minutes. */
const endOfSeconds = 59.95;

/** The format of durations that are all a few seconds long: `7.3 s`, since `0:00:07` would lose the difference. */
const secondsFormat = 's.0" s"';

/**
 * The number format of cells that are read together: a column, or a card's two values.
 * @param cells durations are in seconds
 */
export function numberFormatOf(
  format: ColumnFormat,
  cells: Iterable<Cell>,
  numberFormats: NumberFormats,
): string | null {
  return format === 'duration' && areSeconds(cells) ? secondsFormat : numberFormats[format];
}

function areSeconds(cells: Iterable<Cell>): boolean {
  let isAny = false;
  for (const cell of cells) {
    if (typeof cell !== 'number' && typeof cell !== 'bigint') continue;
    if (!(Number(cell) >= 0 && Number(cell) < endOfSeconds)) return false;
    isAny = true;
  }
  return isAny;
}

export const changeFormat = '+0.0%;"−"0.0%;0.0%';

function exactPattern({ locale, currency }: NumberFormatOptions): string {
  const style = new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions();
  const digits = style.maximumFractionDigits ?? 2;
  return digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`;
}

/** The currency sign is where the locale puts it, with a space if the locale has one. */
function moneyFormat({ locale, currency }: NumberFormatOptions, pattern: string): string {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(1);
  const types = parts.map((part) => part.type);
  const at = types.indexOf('currency');
  // A dash would start the number of a language, a bracket would end the sign.
  const sign = `[$${(parts[at]?.value ?? currency).replace(/[-[\]]/gu, '')}]`;
  const isBefore = at < types.indexOf('integer');
  const gap = types[isBefore ? at + 1 : at - 1] === 'literal' ? ' ' : '';
  return isBefore ? `${sign}${gap}${pattern}` : `${pattern}${gap}${sign}`;
}
