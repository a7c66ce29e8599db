import { max } from 'd3-array';
import type { ColumnFormat } from '../../report/report-document.ts';
import { bareWriter, compactWriter } from './chart-numbers.ts';
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

/** Between two figures, in px: two that touch read as one. */
const figureGap = 4;

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
    (max(texts, (text) => textWidth(text ?? '')) ?? 0) <= step - figureGap;
  const full = write(compactWriter(format, context));
  if (fits(full)) return { kind: 'direct', texts: full, unit: null };
  const unit = leftOutUnit(values, format, context);
  if (unit === null) return { kind: 'axis' };
  const bare = write(bareWriter(unit.divisor, context.document.locale));
  return fits(bare) ? { kind: 'direct', texts: bare, unit: unit.name } : { kind: 'axis' };
}

/** What figures can be divided by and do without, when it is said once beside the chart. */
function leftOutUnit(
  values: readonly (number | null)[],
  format: ColumnFormat,
  { document: { locale, currency } }: PageContext,
): { readonly name: string | null; readonly divisor: number } | null {
  if (format === 'rate' || format === 'share') return { name: 'in %', divisor: 0.01 };
  const isMoney = format === 'money' || format === 'money_exact' || format === 'cpm';
  if (!isMoney && format !== 'count') return null;
  const divisor = divisorFor(max(values, (value) => Math.abs(value ?? 0)) ?? 0);
  const parts = [
    ...(isMoney ? [currencySymbol(locale, currency)] : []),
    ...(divisor === 1 ? [] : [new Intl.NumberFormat(locale).format(divisor)]),
  ];
  return { name: parts.length === 0 ? null : `in ${parts.join(' ')}`, divisor };
}

function divisorFor(largest: number): number {
  return [1e9, 1e6, 1e3].find((divisor) => largest >= divisor) ?? 1;
}

function currencySymbol(locale: string, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const parts = new Intl.NumberFormat(locale, style).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}
