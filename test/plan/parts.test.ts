import { describe, expect, it } from 'vitest';
import { planJob } from '../../src/plan/plan-job.ts';
import type { PastReading } from '../../src/plan/plan.ts';
import { planWindows, type WindowsQuestion } from '../../src/plan/plan-windows.ts';
import { acme, pastReading, planJobConfig, planQuestion } from '../support/plan-question.ts';

const job = planJobConfig({ start: '2026-01-11', refreshDays: 100 });
const whole = { start: '2026-01-21', end: '2026-01-30' };

/** What is planned of the days from 21 to 30 January, on 4 February at noon. */
function planned(history: readonly PastReading[], question: Partial<WindowsQuestion> = {}) {
  return planWindows(planQuestion({ job, history, ...question }))
    .filter(({ window }) => window.start <= whole.end && window.end >= whole.start)
    .map(({ window, reason, parts, isTrial }) =>
      [
        `${window.start.slice(8)}-${window.end.slice(8)} ${reason}`,
        ...(parts.length > 0 ? [`in ${parts.length}`] : []),
        ...(isTrial ? ['once'] : []),
      ].join(' '),
    );
}

const failure = { status: 'failed' as const, httpStatus: 504 };
const morning = '2026-02-03T05:15:00Z';

/** A reading of some days of the window that was asked for as a part of it. */
const part = (
  first: number,
  last: number,
  reading: Partial<PastReading> = {},
  at = '2026-02-03T05:16:00Z',
) => pastReading(`2026-01-${first}`, `2026-01-${last}`, at, { partOf: whole.start, ...reading });
const failedWhole = (at = morning) => pastReading(whole.start, whole.end, at, failure);

describe('a window that was last read in parts', () => {
  const halves = [failedWhole(), part(26, 30), part(21, 25)];

  it('is planned in these', () => {
    expect(planned(halves)).toEqual(['26-30 young', '21-25 young']);
    const divided = [
      failedWhole(),
      part(26, 30),
      part(21, 25, failure),
      part(24, 25),
      part(21, 23),
    ];
    expect(planned(divided)).toEqual(['26-30 young', '24-25 young', '21-23 young']);
  });

  it('is tried whole once a week, and with --full', () => {
    const aWeek = planned([failedWhole('2026-01-28T11:00:00Z'), part(26, 30), part(21, 25)]);
    expect(aWeek).toEqual(['21-30 young in 2 once']);
    expect(planned(halves, { full: true })).toEqual(['21-30 asked in 2 once']);
  });

  it('is whole again once it was read as one', () => {
    const read = pastReading(whole.start, whole.end, '2026-02-03T06:00:00Z');
    expect(planned([...halves, read])).toEqual(['21-30 young']);
  });

  it('grows with its newest part', () => {
    const yesterday = { start: '2026-01-31', end: '2026-02-03' };
    const history = [
      pastReading(yesterday.start, yesterday.end, morning, failure),
      ...[
        ['2026-02-02', '2026-02-03'],
        ['2026-01-31', '2026-02-01'],
      ].map(([start = '', end = '']) =>
        pastReading(start, end, '2026-02-03T05:16:00Z', { partOf: yesterday.start }),
      ),
    ];
    const windows = planWindows(planQuestion({ job, history })).map(({ window }) => window);
    expect(windows.slice(0, 2)).toEqual([
      { start: '2026-02-02', end: '2026-02-04' },
      { start: '2026-01-31', end: '2026-02-01' },
    ]);
  });

  it('gives a single day that failed before one attempt', () => {
    const history = [failedWhole(), part(22, 30), part(21, 21, failure)];
    expect(planned(history)).toEqual(['22-30 young', '21-21 failed once']);
  });
});

describe('an answer with a round number of records', () => {
  const round = { reason: 'round_count' as const, records: 100 };
  const start = { runStartedAt: new Date('2026-02-03T05:14:00Z') };
  const read = pastReading(whole.start, whole.end, morning, { ...round, ...start });
  const plan = (...history: PastReading[]) =>
    planWindows(planQuestion({ job: planJobConfig({ start: '2026-01-11' }), history })).filter(
      ({ window }) => window.end === whole.end,
    );

  it('is asked for again until its halves were read', () => {
    const unchecked = [{ reason: 'unchecked', confirmedRecords: null }];
    expect(plan(read)).toMatchObject(unchecked);
    const half = part(26, 30, { ...start, partOf: null });
    expect(plan(read, half)).toMatchObject(unchecked);
    // of all but the last day
    const others = [part(25, 29), part(21, 24)].map((each) => ({
      ...each,
      ...start,
      partOf: null,
    }));
    expect(plan(read, ...others)).toMatchObject(unchecked);
    expect(plan({ ...read, runFinished: false }, { ...half, runFinished: false })).toMatchObject(
      unchecked,
    );
  });

  it('is confirmed by halves that have no more', () => {
    const halves = [part(26, 30), part(21, 25)].map((half) => ({
      ...half,
      ...start,
      partOf: null,
    }));
    expect(plan(read, ...halves)).toMatchObject([{ reason: 'young', confirmedRecords: 100 }]);
  });

  it('proves nothing of its parts where these have more', () => {
    expect(plan(read, part(26, 30, start))).toMatchObject([
      { window: { start: '2026-01-26' }, confirmedRecords: null },
    ]);
  });
});

it('a window that failed is asked for between scheduled times after ever longer pauses, of a day at most', () => {
  const attempts = ['2026-02-03T06:00:00Z'];
  for (let minutes = 15; minutes <= 3 * 24 * 60; minutes += 15) {
    const now = new Date(Date.parse('2026-02-03T06:00:00Z') + minutes * 60_000);
    const history = attempts.map((at) => failedWhole(at));
    if (planned(history, { now, onlyWaiting: true }).length > 0) attempts.push(now.toISOString());
  }
  expect(attempts.map((at) => at.slice(8, 16))).toEqual([
    '03T06:00',
    '03T06:15',
    '03T06:30',
    '03T07:00',
    '03T08:00',
    '03T10:00',
    '03T14:00',
    '03T22:00',
    '04T14:00',
    '05T14:00',
  ]);
  const wrong = [failedWhole('2026-02-03T05:00:00Z'), { ...failedWhole(), httpStatus: 400 }];
  expect(planned(wrong, { onlyWaiting: true })).toEqual([]);
});

describe('a profile with a last day', () => {
  const ended = { ...acme, until: '2026-01-24' };
  const plan = (question: Partial<WindowsQuestion> = {}) =>
    planWindows(planQuestion({ job: { ...job, profiles: [ended] }, ...question })).map(
      ({ window }) => `${window.start}..${window.end}`,
    );

  it('is asked for to the day after it', () => {
    expect(plan()).toEqual(['2026-01-21..2026-01-25', '2026-01-10..2026-01-20']);
  });

  it('is asked for no more once it is read and gone', () => {
    const history = [
      pastReading('2026-01-21', '2026-01-25', morning, { status: 'failed', httpStatus: 404 }),
    ];
    const known = (isWhole: boolean) =>
      new Map([[`acme/${acme.id}`, { lastDay: '2026-01-24', isWhole }]]);
    expect(plan({ history, readUntil: known(true) })).toEqual([]);
    expect(plan({ history, readUntil: known(false) })).toHaveLength(2);
    expect(plan({ history, readUntil: known(true), full: true })).toHaveLength(2);
  });
});

it('a service that refused dates to come is asked for today at most, until a full run', () => {
  const refused = pastReading('2026-01-31', '2026-02-03', '2026-02-03T05:15:00Z', {
    reason: 'ends_today',
  });
  const plan = (history: PastReading[], full = false) =>
    planJob({ ...planQuestion({ job, history, full }), posts: [], onlyWaiting: false })[0]
      ?.endsToday;
  expect(plan([])).toBe(false);
  expect(plan([refused])).toBe(true);
  expect(plan([refused], true)).toBe(false);
  const later = pastReading('2026-01-31', '2026-02-04', '2026-02-04T05:15:00Z');
  expect(plan([refused, later])).toBe(false);
});
