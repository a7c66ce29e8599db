import { expect, it } from 'vitest';
import type { Delivery, DeliveryStatus } from '../../src/deliver/delivery.ts';
import { hasUnexpected, openProblems, type KnownFacts } from '../../src/status/open-problems.ts';
import { verdictsOf } from '../../src/status/problem-sentences.ts';
import { madeDelivery, mailTarget } from '../deliver/made-delivery.ts';
import { configOf, jobOf } from '../support/stored-run.ts';

const changedAt = '2026-02-01T05:00:00.000Z';

function delivery(change: Partial<DeliveryStatus>): Delivery {
  const record = { ...madeDelivery(mailTarget('a@acme.test')), id: 'd1' };
  const status = { state: 'held', changed_at: changedAt, attempts: 0, reason: null } as const;
  return {
    record: { ...record, files: [], created_at: changedAt },
    status: { ...status, waits_for: null, is_transmitting: false, ...change },
  };
}

const days = [
  { profile: 'Acme', first_day: '2026-01-30', last_day: '2026-01-30' },
  { profile: 'Fjord', first_day: '2026-01-31', last_day: '2026-02-02' },
];

it.each<[string, Partial<DeliveryStatus>, [string, string, string | null] | null]>([
  ['that was sent', { state: 'sent' }, null],
  ['that was discarded', { state: 'discarded' }, null],
  ['that is queued', { state: 'queued' }, ['queued_delivery', 'undone', 'catch-up']],
  ['that is being sent', { state: 'sending' }, ['queued_delivery', 'undone', 'catch-up']],
  ['that was refused', { state: 'failed' }, ['failed_delivery', 'failed', 'deliver retry d1']],
  [
    'that may have arrived',
    { state: 'unknown' },
    ['unknown_delivery', 'failed', 'deliver retry d1'],
  ],
  [
    'that a person approves',
    { waits_for: { kind: 'approval' } },
    ['held_for_approval', 'expected', 'deliver approve d1'],
  ],
  [
    'that may have been sent before records were lost',
    { waits_for: { kind: 'approval' }, reason: 'it may have been sent' },
    ['held_for_approval', 'undone', 'deliver approve d1'],
  ],
  [
    'with other profiles',
    { waits_for: { kind: 'approval', differs_from: 'held' }, reason: 'its profiles' },
    ['held_for_change', 'expected', 'deliver approve d1'],
  ],
  [
    'without its comment',
    { waits_for: { kind: 'comment', file: 'a.md' } },
    ['held_for_comment', 'expected', null],
  ],
  [
    'without its recipient',
    { waits_for: { kind: 'recipient' }, reason: 'gone' },
    ['held_for_recipient', 'undone', null],
  ],
  [
    'of days that were not read',
    { waits_for: { kind: 'days', are_over: true, warehouse: null, days } },
    ['held_for_days', 'undone', 'catch-up'],
  ],
  [
    'of a day that is not over',
    { waits_for: { kind: 'days', are_over: false, warehouse: null, days } },
    ['held_for_days', 'expected', 'catch-up'],
  ],
])('a delivery %s has the problem that it should', (_, status, expected) => {
  const [found, ...others] = openProblems({ deliveries: [delivery(status)] });
  expect(others).toEqual([]);
  expect(found ? [found.kind, found.severity, found.remedy] : null).toEqual(expected);
  expect(found?.since ?? changedAt).toBe(changedAt);
});

it.each([
  ['2026-01-30T12:00:00Z', '2026-01-30T23:59:59.999Z'],
  ['2026-01-31T12:00:00Z', '2026-01-30T23:59:59.999Z'],
  ['2026-02-03T12:00:00Z', '2026-02-02T23:59:59.999Z'],
])('at %s a delivery waits for the day that ends at %s', (now, until) => {
  const status = { waits_for: { kind: 'days', are_over: true, warehouse: null, days } } as const;
  const site = { config: configOf('/', {}), now: new Date(now) };
  expect(openProblems({ deliveries: [delivery(status)] }, site)).toMatchObject([{ until }]);
});

it('a report that failed is tried again after as long as its last attempt took to come', () => {
  const times = {
    slotAt: new Date('2026-02-01T05:00:00Z'),
    attemptedAt: new Date('2026-02-01T05:20:00Z'),
  };
  const report = { job: 'daily', report: 'emv', error: 'no font', ...times };
  expect(openProblems({ failedReports: [report] })).toMatchObject([
    { kind: 'failed_report', until: '2026-02-01T05:40:00.000Z', message: 'no font' },
  ]);
});

it('a run folder waits for a load if it has ended, or was cut off and has responses', () => {
  const folder = { workspace: 'acme', run_id: 'r1', job: 'daily', started_at: changedAt };
  const isOpen = (state: 'finished' | 'interrupted' | 'running', responses: number) =>
    openProblems({ pending: [{ ...folder, state, responses }] }).length === 1;
  expect([isOpen('finished', 0), isOpen('interrupted', 0), isOpen('interrupted', 1)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(isOpen('running', 1)).toBe(false);
});

it('a profile is stale for each job that asks for it', () => {
  const hourly = jobOf({ staleAfterMs: 3_600_000 });
  const jobs = new Map([
    ['daily', jobOf()],
    ['hourly', { ...hourly, name: 'hourly' }],
  ]);
  const profiles = hourly.profiles.map(({ workspace, id, name }) => {
    return { workspace, profile_id: id, name, last_read_at: '2026-02-01T05:00:00.000Z' };
  });
  const at = (now: string) =>
    openProblems({ profiles }, { config: configOf('/', { jobs }), now: new Date(now) });
  expect(at('2026-02-01T06:00:00Z')).toEqual([]);
  expect(at('2026-02-01T06:00:01Z')).toMatchObject([
    { kind: 'stale_profile', job: 'hourly', since: '2026-02-01T05:00:00.000Z' },
  ]);
});

it('each alert that failed is a failure of its own', () => {
  const failedAlerts = ['alerts/a.sql: no column x', 'alerts/b.sql: no column y'];
  expect(verdictsOf(openProblems({ failedAlerts }), true)).toEqual({
    stale: null,
    warning: null,
    failed: failedAlerts.map((text) => `an alert failed: ${text}`),
  });
});

it.each<[string, KnownFacts, boolean]>([
  ['nothing', {}, false],
  ['work that was not done', { undone: [{ kind: 'not_loaded', subject: '', message: '' }] }, true],
  ['a damaged file', { damaged: 1 }, true],
  [
    'a delivery for a person',
    { deliveries: [delivery({ waits_for: { kind: 'approval' } })] },
    false,
  ],
  ['a queued delivery', { deliveries: [delivery({ state: 'queued' })] }, true],
])('a run with %s is whole or partly done as it should be', (_, facts, expected) => {
  expect(hasUnexpected(openProblems(facts))).toBe(expected);
});

it('what was sent as complete is named by the days of it that count as unread, the first and the last too', () => {
  const profile = { workspace: 'w', id: 'p', name: 'Acme', cpm: null, prices: null };
  const sent = delivery({ state: 'sent' });
  const record = { ...sent.record, profiles: [profile] };
  const problemsOf = (first: string, last: string, isComplete = true) =>
    openProblems({
      allDeliveries: [{ ...sent, record: { ...record, is_complete: isComplete } }],
      profiles: [
        {
          workspace: 'w',
          profile_id: 'p',
          name: 'Acme',
          last_read_at: null,
          gaps: [{ first_day: first, last_day: last, is_begun: false }],
        },
      ],
    }).map(({ kind, remedy, message }) => [kind, remedy, message.split(': ')[1]]);
  const about = ['sent_unread', 'deliver resend d1'];
  expect(problemsOf('2025-12-20', '2026-01-01')).toEqual([[...about, 'Acme 2026-01-01']]);
  expect(problemsOf('2026-01-31', '2026-02-03')).toEqual([[...about, 'Acme 2026-01-31']]);
  expect(problemsOf('2025-12-20', '2025-12-31')).toEqual([]);
  expect(problemsOf('2026-02-01', '2026-02-03')).toEqual([]);
  expect(problemsOf('2026-01-05', '2026-01-07', false)).toEqual([]);
});
