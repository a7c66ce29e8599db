import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDocumentHead } from '../../src/render/document-head.ts';
import { precisionOf } from '../../src/report/precision.ts';
import { buildOf } from '../reports/support/built-report.ts';
import { card, documentOf } from '../support/document-parts.ts';

const change = { says: 'change' } as const;

test.each([
  ['a change of rates', [{ ...change, format: 'rate', now: 0.0197, of: 0.0233 }], { rate: 2 }],
  [
    'a target that was just missed',
    [{ says: 'part', format: 'rate', now: 0.02, of: 0.0203 }],
    { rate: 2 },
  ],
  [
    'sums whose euros tell another change',
    [{ ...change, format: 'money', now: 132.4, of: 505.4 }],
    { money: 2 },
  ],
  [
    'sums whose euros tell the change',
    [{ ...change, format: 'money', now: 64_198, of: 51_200 }],
    { money: 0 },
  ],
  [
    'hours whose minutes tell another change',
    [{ ...change, format: 'duration', now: 4_999, of: 4_800 }],
    { duration: 1 },
  ],
] as const)('%s: the figures have as many decimals as it needs', (_, pairs, expected) => {
  expect(precisionOf([{ pairs, sums: [] }])).toMatchObject(expected);
});

test('a sum under 10 has its cents, and all other sums with it', () => {
  expect(precisionOf([{ pairs: [], sums: [0.36, 1200] }])).toMatchObject({ money: 2 });
});

/** The number in a printed figure: `€1,234.56`, `▼ 44.4%`. */
function numberIn(text: string): number {
  return Number(/[\d,.]+/.exec(text)?.[0].replaceAll(',', ''));
}

const amount = fc.double({ min: 20, max: 90_000, noNaN: true });
const rate = fc.double({ min: 0.001, max: 0.2, noNaN: true });

test('a reader gets each printed change from the printed figures, or no decimals would do', () => {
  const previousPeriod = { from: '2025-10-01', to: '2025-10-31' };
  const compared = { period: { from: '2025-11-01', to: '2025-11-30' }, previousPeriod };
  fc.assert(
    fc.property(fc.tuple(amount, amount), fc.tuple(rate, rate), (money, rates) => {
      const given = [
        { format: 'money', now: money[0], of: money[1] },
        { format: 'rate', now: rates[0], of: rates[1] },
      ] as const;
      const precision = precisionOf([
        { pairs: given.map((pair) => ({ ...pair, says: 'change' })), sums: money },
      ]);
      const cards = given.map(({ format, now, of }) => card(format, format, now, of));
      const { cards: printed } = createDocumentHead(
        documentOf([], { ...compared, precision, cards }),
      );
      for (const { change, value, previous, figures } of printed) {
        if (!change || !['up', 'down'].includes(change.kind) || change.text.includes('was'))
          continue;
        const [now, before] = [numberIn(value), numberIn(previous[0] ?? '')];
        const inPoints = figures.format === 'rate';
        const again = Math.abs(inPoints ? now - before : 100 * (now / before - 1));
        const most = inPoints ? precision.rate === 3 : precision.money === 2;
        expect(Math.abs(again - numberIn(change.text))).toBeLessThan(
          0.05 + (most ? (inPoints ? 0.002 : (1 + now / before) / before) : 0),
        );
      }
    }),
  );
});

test('a document prints a figure alike in card, summary and sentence', async () => {
  const post = (id: string, day: string, emv: number, engagement: number) => ({
    linkedin_post_id: id,
    published_at: `${day}T10:00:00Z`,
    impression_count: 10_000,
    emv,
    engagement,
  });
  const rows = {
    profiles: [{ profile_id: 'p1', name: 'Acme' }],
    linkedin_posts: [post('a', '2025-11-10', 6.52, 0.0197), post('b', '2025-10-10', 11.73, 0.0233)],
  };
  const parameters = { from: '2025-11-01', to: '2025-11-30' };
  const asked = { only: ['_lede', '_cards', 'summary'], parameters };
  const emv = await buildOf(rows, 'emv', asked);
  expect(emv.lede).toContain('**€6.52** of media value, 44% less than');
  expect(createDocumentHead(emv).cards[0]).toMatchObject({
    value: '€6.52',
    change: { kind: 'down', text: '44.4%' },
    previous: ['€11.73 in Oct 2025'],
  });
  const engagement = await buildOf(rows, 'engagement', asked);
  const [head] = createDocumentHead(engagement).cards.filter(
    ({ figures }) => figures.figure === 'engagement_rate',
  );
  expect(head).toMatchObject({ value: '1.97%', change: { kind: 'down', text: '0.4 pp' } });
});
