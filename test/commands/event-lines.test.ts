import { expect, test } from 'vitest';
import { eventLines } from '../../src/commands/event-lines.ts';
import type { EventStatus } from '../../src/load/received-events.ts';

const none: EventStatus = {
  pending: { events: 0 },
  applied: 0,
  kept: 0,
  rejected: 0,
  reasons: [],
  has_more_reasons: false,
};
const last_received_at = '2026-01-20T10:00:00.500Z';

test('status has no lines about events while there are none', () => {
  expect(eventLines(none)).toEqual([]);
});

test('status tells of events that were applied without a remedy', () => {
  expect(eventLines({ ...none, applied: 1200 })).toEqual(['Events   1,200 events applied']);
});

test('status tells of events by what became of them, why, what to do, and of those that wait', () => {
  const status: EventStatus = {
    ...none,
    pending: { events: 1 },
    kept: 2000,
    rejected: 1,
    reasons: [
      {
        outcome: 'kept',
        reason: 'the type "a\u001b[2J" is not known',
        events: 2000,
        last_received_at,
      },
      { outcome: 'rejected', reason: 'data.post.id: missing', events: 1, last_received_at },
    ],
    has_more_reasons: true,
  };
  expect(eventLines(status)).toEqual([
    [
      'Events   2,000 events kept, 1 rejected',
      '  kept 2,000: the type "a␛[2J" is not known',
      '  rejected 1: data.post.id: missing',
      '  and more, which `postledger webhooks list` has with each event',
      '  Kept ones are applied by a load, once jobs.yaml has their workspace, or a version knows their type.',
      '  Rejected ones: `postledger webhooks list --outcome rejected`; after an upgrade, `postledger webhooks replay --rejected`.',
      'Pending  1 event, which the next load takes',
    ].join('\n'),
  ]);
});

test('status tells of events that wait for the first load', () => {
  expect(eventLines({ ...none, pending: { events: 2 } })).toEqual([
    'Pending  2 events, which the next load takes',
  ]);
});
