import type { DeliveryRecord } from './delivery.ts';
import { sentence, type Sentence } from './sentence.ts';

/** What the figures of a delivery depend on beside its reports and days. */
export type Sources = Pick<DeliveryRecord, 'profiles' | 'reports'>;

interface WithProfiles {
  readonly profiles: readonly { readonly workspace: string; readonly id: string }[];
}

/** Returns true if both are about the same profiles, whatever their names and prices. */
export function hasSameProfiles(one: WithProfiles, other: WithProfiles): boolean {
  const keys = ({ profiles }: WithProfiles) => JSON.stringify(profiles.map(keyOf).sort());
  return keys(one) === keys(other);
}

/** Says how profiles and prices differ between two deliveries of the same reports; empty where they do not. */
export function changedSources(before: Sources, now: Sources): Sentence[] {
  const lacking = (some: Sources, others: Sources) =>
    some.profiles
      .filter((one) => !others.profiles.some((other) => keyOf(other) === keyOf(one)))
      .map((profile) => `${profile.name} (${keyOf(profile)})`);
  const [lost, gained] = [lacking(before, now), lacking(now, before)];
  const prices = [
    ...now.profiles.map((profile) => {
      const was = before.profiles.find((other) => keyOf(other) === keyOf(profile));
      return was ? changedPrice(profile.name, was, profile) : [];
    }),
    ...inOrder(now).map((report, index) => {
      const what = [sentence('the report {report:text}', { report: report.report })];
      return changedPrice(what, inOrder(before)[index] ?? unpriced, report);
    }),
  ];
  return [
    ...(lost.length > 0
      ? [sentence('it no longer has {lost:text}', { lost: lost.join(', ') })]
      : []),
    ...(gained.length > 0
      ? [sentence('it now has {gained:text}', { gained: gained.join(', ') })]
      : []),
    ...prices.flat(),
  ];
}

function inOrder({ reports }: Sources): Sources['reports'] {
  const keys = ({ report, from, to, cpm, prices }: Sources['reports'][number]) =>
    JSON.stringify([report, from, to, cpm, prices]);
  return reports.toSorted((a, b) => (keys(a) < keys(b) ? -1 : 1));
}

type Priced = Pick<Sources['reports'][number], 'cpm' | 'prices'>;

const unpriced: Priced = { cpm: null, prices: null };

/** Tells whether both have the same prices on their days. */
export function hasSamePrices(one: Priced, other: Priced): boolean {
  return JSON.stringify(priceWords(one)) === JSON.stringify(priceWords(other));
}

function changedPrice(of: string | Sentence[], was: Priced, is: Priced): Sentence[] {
  if (hasSamePrices(was, is)) return [];
  const isCpm = was.prices === null && is.prices === null;
  const price = [isCpm ? sentence('the CPM') : sentence('the price')];
  const values = { price, of, was: priceWords(was), now: priceWords(is) };
  if (values.was.length === 0)
    return [sentence('{price:text} of {of:text} is {now:text}, and was none', values)];
  return values.now.length === 0
    ? [sentence('{price:text} of {of:text} is none, and was {was:text}', values)]
    : [sentence('{price:text} of {of:text} is {now:text}, and was {was:text}', values)];
}

/** The price in words; empty if there is none. */
function priceWords({ cpm, prices }: Priced): Sentence[] {
  if (prices === null) return cpm === null ? [] : [sentence('{cpm:money_exact}', { cpm })];
  const editions = prices.map(({ from, prices: each }) => {
    const parts = Object.entries(each)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([metric, price]) => {
        const title = `${metric.charAt(0).toUpperCase()}${metric.slice(1)}`;
        return sentence('{metric:phrase} {price:money_exact}', { metric: title, price });
      });
    return from === null
      ? sentence('{parts:list}', { parts })
      : sentence('from {from:date} {parts:list}', { from, parts });
  });
  return [sentence('({editions:text})', { editions })];
}

function keyOf({ workspace, id }: { readonly workspace: string; readonly id: string }): string {
  return `${workspace}/${id}`;
}
