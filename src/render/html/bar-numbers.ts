import { max } from 'd3-array';
import type { ColumnFormat } from '../../report/report-document.ts';
import type { PageContext } from './page-context.ts';
import { textWidth } from './text-width.ts';

/** How a drawing's bars are told: each by its figure, or all by an axis; never both. */
export type BarNumbers =
  | {
      readonly kind: 'direct';
      /** One a bar; null for a bar that is not known. */
      readonly texts: readonly (string | null)[];
      /** What the figures leave out, for example `in € 1,000`; null where they say it themselves. */
      readonly unit: string | null;
    }
  | { readonly kind: 'axis' };

/** Figures in full if they fit above bars `step` px apart; else without their unit; else an axis. */
export function barNumbers(
  values: readonly (number | null)[],
  format: ColumnFormat,
  step: number,
  context: PageContext,
): BarNumbers {
  const write = (text: (value: number) => string) =>
    values.map((value) => (value === null ? null : text(value)));
  const fits = (texts: readonly (string | null)[]) =>
    (max(texts, (text) => textWidth(text ?? '')) ?? 0) <= step;
  const full = write((value) => context.formatter.format(value, format, { compact: true }));
  if (fits(full)) return { kind: 'direct', texts: full, unit: null };
  const unit = bareUnit(values, format, context);
  const bare = unit && write((value) => unit.write(value));
  return bare && fits(bare) ? { kind: 'direct', texts: bare, unit: unit.name } : { kind: 'axis' };
}

interface BareUnit {
  readonly name: string | null;
  write(value: number): string;
}

function bareUnit(
  values: readonly (number | null)[],
  format: ColumnFormat,
  { document }: PageContext,
): BareUnit | null {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const number = new Intl.NumberFormat(document.locale, digits);
  const write = (divisor: number) => (value: number) =>
    number.format(value / divisor).replace('-', '\u2212');
  if (format === 'rate' || format === 'share') return { name: 'in %', write: write(0.01) };
  const isMoney = format === 'money' || format === 'money_exact' || format === 'cpm';
  if (!isMoney && format !== 'count') return null;
  const divisor = divisorFor(max(values, (value) => Math.abs(value ?? 0)) ?? 0);
  const symbol = isMoney ? currencySymbol(document.locale, document.currency) : null;
  const size = divisor === 1 ? null : new Intl.NumberFormat(document.locale).format(divisor);
  const name = ['in', symbol, size].filter((part) => part !== null).join(' ');
  return { name: name === 'in' ? null : name, write: write(divisor) };
}

function divisorFor(largest: number): number {
  return [1e9, 1e6, 1e3].find((divisor) => largest >= divisor) ?? 1;
}

function currencySymbol(locale: string, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const parts = new Intl.NumberFormat(locale, style).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}
