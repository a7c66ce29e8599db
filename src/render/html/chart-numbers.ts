import type { ColumnFormat } from '../../report/report-document.ts';
import type { PageContext } from './page-context.ts';

type Write = (value: number) => string;

/** `€8.0k` beside `€9.5k`: thousands in a chart have one decimal, so that figures compare. */
export function compactWriter(format: ColumnFormat, { document, formatter }: PageContext): Write {
  const plain: Write = (value) => formatter.format(value, format, { compact: true });
  const isMoney = format === 'money' || format === 'money_exact';
  if (!isMoney && format !== 'count') return plain;
  const money = { style: 'currency', currency: document.currency } as const;
  const thousands = new Intl.NumberFormat(document.locale, {
    ...(isMoney ? money : {}),
    ...oneDecimal,
    notation: 'compact',
  });
  return (value) => {
    const size = Math.abs(value);
    if (size >= 1000) {
      const parts = thousands.formatToParts(value);
      // German has no word for thousands: the figure stays whole.
      return isShort(parts) ? partsText(parts) : formatter.format(value, isMoney ? 'money' : format); // prettier-ignore
    }
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
  return (value) => partsText(format.formatToParts(value));
}

function isShort(parts: readonly Intl.NumberFormatPart[]): boolean {
  return parts.some(({ type }) => type === 'compact');
}

function partsText(parts: readonly Intl.NumberFormatPart[]): string {
  const texts = parts.map(({ type, value }) => {
    if (type === 'minusSign') return '\u2212';
    return type === 'compact' && value === 'K' ? 'k' : value;
  });
  return texts.join('');
}
