import type { ClientConfig, Config, JobReport, PriceList } from '../config/config.ts';
import { editionsWithin } from '../config/prices-schema.ts';
import { hasSamePrices } from '../deliver/changed-sources.ts';
import type { DeliveryRecord } from '../deliver/delivery.ts';

/** Says at which prices a profile or a report prices posts that were published on these days. */
export function pricedAt(
  { cpm, prices }: Pick<JobReport, 'cpm' | 'prices'>,
  { from, to }: Days,
  lists: Config['prices'],
): Pick<DeliveryRecord['reports'][number], 'cpm' | 'prices'> {
  return withPrices(cpm, lists.get(prices ?? '') ?? null, { from, to });
}

function withPrices(cpm: number | null, list: PriceList | null, { from, to }: Days) {
  return { cpm, prices: list && editionsWithin(list, from, to).map(plainEdition) };
}

/** The prices of today: those of a report itself, else those of the client's profiles. */
export interface PricesOfToday {
  readonly cpm: number | null;
  readonly prices: PriceList | null;
  readonly lists: Config['prices'];
}

/** Returns whether posts of the days of what was sent to a client have other prices today. */
export function repricedSince(
  client: Pick<ClientConfig, 'profiles'> | null,
  { cpm, prices, lists }: PricesOfToday,
): (record: DeliveryRecord, report: DeliveryRecord['reports'][number]) => boolean {
  return ({ reports, profiles }, report) => {
    const now = withPrices(cpm, prices, report);
    const isOfReport = [now, report].some((each) => each.cpm !== null || each.prices !== null);
    if (isOfReport) return !hasSamePrices(now, report);
    const days = daysOf(reports);
    return (client?.profiles ?? []).some(({ workspace, id, ...profile }) => {
      const was = profiles.find((each) => each.workspace === workspace && each.id === id);
      return was !== undefined && !hasSamePrices(pricedAt(profile, days, lists), was);
    });
  };
}

function plainEdition({ from, prices }: PriceList['editions'][number]) {
  const known = Object.entries(prices).flatMap(([metric, price]) =>
    price === undefined ? [] : [[metric, price] as const],
  );
  return { from, prices: Object.fromEntries(known) };
}

export interface Days {
  readonly from: string | null;
  readonly to: string | null;
}

/** The days of all reports of a delivery; null where one of them is open. */
export function daysOf(reports: readonly Days[]): Days {
  const [froms, tos] = [reports.map(({ from }) => from), reports.map(({ to }) => to)];
  return {
    from: froms.includes(null) ? null : (froms.sort()[0] ?? null),
    to: tos.includes(null) ? null : (tos.sort().at(-1) ?? null),
  };
}
