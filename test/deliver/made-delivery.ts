import { deliveryId, type DeliveryTarget, type NewDelivery } from '../../src/deliver/delivery.ts';

const day = '2026-02-01';

/** A delivery of emv for January to this target. The arguments determine its identity. */
export function madeDelivery(
  target: DeliveryTarget,
  change: Partial<NewDelivery> = {},
): NewDelivery {
  const recipient = target.kind === 'mail' ? target.address : target.kind;
  const days = { from: '2026-01-01', to: '2026-01-31' };
  return {
    id: deliveryId(day, target),
    job: 'monthly',
    report: 'emv',
    client: null,
    slot: day,
    reports: [{ report: 'emv', ...days, cpm: null, prices: null }],
    ...days,
    definition: `to ${recipient}`,
    content: `to ${recipient}`,
    recipient,
    name: null,
    is_closed: true,
    target,
    figures: [],
    headline: '',
    profiles: [],
    is_complete: true,
    comment: null,
    corrects: null,
    ...change,
  };
}

export function mailTarget(address: string, attached: string[] = []): DeliveryTarget {
  return { kind: 'mail', address, subject: 'EMV', attached };
}
