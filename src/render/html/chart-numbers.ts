import type { ColumnFormat } from '../../report/report-document.ts';
import type { PageContext } from './page-context.ts';

type Write = (value: number) => string;

/** `€8.0k` beside `€9.5k`: thousands in a chart have one decimal, so that figures compare. */
export function compactWriter(format: ColumnFormat, { document, formatter }: PageContext): Write {
  const plain: Write = (value) => formatter.format(value, format, { compact: true });
  const isMoney = format === 'money' || format === 'money_exact';
  if (!isMoney && format !== 'count') return plain;
  const money = { style: 'currency', currency: document.currency } as const;
  const thousands = numberWriter(document.locale, {
    ...(isMoney ? money : {}),
    ...oneDecimal,
    notation: 'compact',
  });
  return (value) => {
    const size = Math.abs(value);
    if (size >= 1000) return thousands(value);
    // Cents say nothing beside thousands, but all of a figure below ten.
    return isMoney && size >= 10 ? formatter.format(value, 'money') : plain(value);
  };
}

/** Figures divided by `divisor`, with one decimal and without a unit. */
export function bareWriter(divisor: number, locale: string): Write {
  const write = numberWriter(locale, oneDecimal);
  return (value) => write(value / divisor);
}

const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

/** With a true minus, and a small k as in the rest of the report. */
function numberWriter(locale: string, options: Intl.NumberFormatOptions): Write {
  const format = new Intl.NumberFormat(locale, options);
  const typeset = ({ type, value }: Intl.NumberFormatPart) => {
    if (type === 'minusSign') return '\u2212';
    return type === 'compact' && value === 'K' ? 'k' : value;
  };
  return (value) => format.formatToParts(value).map(typeset).join('');
}
