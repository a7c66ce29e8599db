import { z } from 'zod';
import { hintAmong } from '../core/nearest.ts';
import type { Day } from '../core/calendar.ts';
import type { ConfigPath, Finding } from './config-error.ts';
import { amount, bound, dayRule, keyed, quote, repeated, text } from './value-kinds.ts';

/** What can be priced, by the names of price lists; sql/metrics.sql has their columns. */
const prices = {
  impressions: amount('The price of 1,000 impressions: a CPM').optional(),
  likes: amount('The price of a like').optional(),
  comments: amount('The price of a comment').optional(),
  shares: amount('The price of a share').optional(),
  clicks: amount('The price of a click').optional(),
  saves: amount('The price of a save').optional(),
  sends: amount('The price of a send').optional(),
  views: amount('The price of a video view').optional(),
};

type PricedMetric = keyof typeof prices;

/** The prices of posts that were published on a day or after it, until the next edition. */
export interface PriceEdition {
  /** Null: from ever. */
  readonly from: Day | null;
  /** In currency units for each, and for 1,000 impressions. */
  readonly prices: Readonly<Partial<Record<PricedMetric, number | undefined>>>;
}

/** A list of prices, of which the EMV of a post is made. */
export interface PriceList {
  /** Its name in jobs.yaml; null for a CPM, which is a list of one price. */
  readonly name: string | null;
  /** The earliest first. */
  readonly editions: readonly PriceEdition[];
}

const editionSchema = bound(
  z.strictObject({
    from: text('The first day of publication of the posts with these prices', dayRule).optional(),
    ...prices,
  }),
  (edition, report) => {
    if (Object.keys(edition).every((key) => key === 'from'))
      report([], `has no price; give one of ${Object.keys(prices).join(', ')}`);
  },
).transform(({ from, ...given }): PriceEdition => ({ from: from ?? null, prices: given }));

const editionsSchema = bound(z.array(editionSchema).min(1), (editions, report) => {
  if (editions.length === 1) return;
  const days = editions.map(({ from }) => from ?? '');
  for (const [index, day] of days.entries())
    if (day === '') report([index], 'has no from; among several, each needs its first day');
  for (const { index, first } of repeated(days))
    if (days[index] !== '') report([index, 'from'], `is the day of [${first}], too`);
});

export const pricesSchema = keyed(
  z
    .union([editionSchema.transform((edition) => [edition]), editionsSchema])
    .describe('The prices, or a list of them with the first day of each'),
).transform(
  (lists): ReadonlyMap<string, PriceList> =>
    new Map(
      Object.entries(lists).map(([name, editions]) => {
        const sorted = editions.toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1));
        return [name, { name, editions: sorted }];
      }),
    ),
);

/** Returns the editions that price the posts of some days, the first of them without its own first day. */
export function editionsWithin(
  { editions }: PriceList,
  from: Day | null,
  to: Day | null,
): readonly PriceEdition[] {
  const begun = editions.filter((edition) => (edition.from ?? '') <= (to ?? '9'));
  const first = begun.findLastIndex((edition) => (edition.from ?? '') <= (from ?? ''));
  return begun
    .slice(Math.max(first, 0))
    .map((edition, index) => (index === 0 && first >= 0 ? { ...edition, from: null } : edition));
}

/** Each price of a list with the first day for which it holds. */
export function pricesOf({ name, editions }: PriceList) {
  return editions.flatMap((edition) =>
    Object.entries(edition.prices).map(([metric, price]) => {
      return { list: name, from_date: edition.from, metric, price };
    }),
  );
}

/** A key `prices` of a profile, a client or a report. */
interface WrittenPrices {
  readonly path: ConfigPath;
  readonly name: string;
}

/** Refuses names of lists that jobs.yaml does not have. */
export function priceFindings(
  used: readonly WrittenPrices[],
  lists: ReadonlyMap<string, PriceList>,
): Finding[] {
  return used
    .filter(({ name }) => !lists.has(name))
    .map(({ path, name }) => {
      const hint =
        lists.size === 0 ? 'jobs.yaml has no prices' : hintAmong(name, [...lists.keys()]);
      return { path, message: `no price list ${quote(name)}; ${hint}` };
    });
}

/** Warns about lists that price nothing. */
export function unusedPrices(
  used: readonly WrittenPrices[],
  lists: ReadonlyMap<string, PriceList>,
): Finding[] {
  const names = new Set(used.map(({ name }) => name));
  return [...lists.keys()]
    .filter((name) => !names.has(name))
    .map((name) => {
      const message = 'prices nothing: no profile, client or report names it';
      return { path: ['prices', name], message };
    });
}

/** Refuses a CPM beside a price list. */
export function bothPrices(
  {
    cpm,
    prices: list,
  }: { readonly cpm?: number | undefined; readonly prices?: string | undefined },
  report: (path: ConfigPath, message: string) => void,
): void {
  if (cpm !== undefined && list !== undefined)
    report(['prices'], 'stands beside cpm; leave one of the two out');
}
