import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobConfig } from '../../src/config/config.ts';
import { addDays, dayOf, daysBetween } from '../../src/core/calendar.ts';
import type { PastReading } from '../../src/plan/plan.ts';
import { planWindows, type WindowsQuestion } from '../../src/plan/plan-windows.ts';
import { acme, fjord, pastReading, planJobConfig, planQuestion } from '../support/plan-question.ts';

/** The planned windows such as `2026-02-01 young`, in order. */
function plan(question: Partial<WindowsQuestion> = {}): string[] {
  return planWindows(planQuestion(question)).map(
    ({ window, reason }) => `${window.start}..${window.end} ${reason}`,
  );
}

/** All windows of the job, read on 2026-02-04 in the morning. */
const allRead = [
  pastReading('2026-01-31', '2026-02-04', '2026-02-04T05:15:00Z'),
  pastReading('2026-01-21', '2026-01-30', '2026-02-04T05:15:00Z'),
  pastReading('2026-01-11', '2026-01-20', '2026-02-04T05:15:00Z'),
  pastReading('2025-12-31', '2026-01-10', '2026-02-04T05:15:00Z'),
];

const young = ['2026-01-31..2026-02-04 young', '2026-01-21..2026-01-30 young'];

describe('which windows are due', () => {
  it('reads all of them, newest first, when none was ever read', () => {
    expect(plan()).toEqual([
      '2026-01-31..2026-02-04 never-read',
      '2026-01-21..2026-01-30 never-read',
      '2026-01-11..2026-01-20 never-read',
      '2025-12-31..2026-01-10 never-read',
    ]);
  });

  it('alternates between profiles, so that the newest days of all are read first', () => {
    const job = planJobConfig({ sizeDays: 20 }, { profiles: [fjord, acme] });
    const turns = planWindows(planQuestion({ job }));
    expect(turns.map(({ profile, window }) => `${profile.name} ${window.start}`)).toEqual([
      'Fjord 2026-01-21',
      'Acme 2026-01-21',
      'Fjord 2025-12-31',
      'Acme 2025-12-31',
    ]);
  });

  it('reads only young ones again in the next run', () => {
    expect(plan({ history: allRead })).toEqual(young);
  });

  it('counts a window as young while its last day is younger than refresh_days', () => {
    const job = planJobConfig({ refreshDays: 5 });
    expect(plan({ history: allRead, job })).toEqual(['2026-01-31..2026-02-04 young']);
    expect(plan({ history: allRead, job: planJobConfig({ refreshDays: 6 }) })).toEqual(young);
    const morning = {
      job: planJobConfig({ refreshDays: 0 }),
      now: new Date('2026-02-04T11:00:00Z'),
    };
    expect(plan({ history: allRead, ...morning })).toEqual([]);
  });

  it('reads an old one again when its last reading is as old as half its age', () => {
    const reading = pastReading('2025-12-31', '2026-01-10', '2026-02-04T05:15:00Z');
    const isDueOn = (day: string) =>
      plan({ history: [reading], now: new Date(`${day}T05:00:00Z`) }).includes(
        '2025-12-31..2026-01-10 aged',
      );
    // 25 days old when it was read, so due at 50 days, though 15 minutes early.
    expect(isDueOn('2026-02-28')).toBe(false);
    expect(isDueOn('2026-03-01')).toBe(true);
  });

  it('waits at least a week before it reads an old one again', () => {
    const job = planJobConfig({ refreshDays: 0, sizeDays: 1, start: '2026-02-01' });
    const history = [pastReading('2026-01-31', '2026-02-01', '2026-02-04T05:15:00Z')];
    const isDueOn = (day: string) =>
      plan({ job, history, now: new Date(`${day}T05:15:00Z`) }).at(-1);
    expect(isDueOn('2026-02-10')).toBe('2026-02-02..2026-02-02 never-read');
    expect(isDueOn('2026-02-11')).toBe('2026-01-31..2026-02-01 aged');
  });

  it('reads one again, however old, until the days that may lie on its last date were over in all zones', () => {
    const job = planJobConfig({ refreshDays: 0, sizeDays: 1, start: '2026-02-01' });
    const history = [
      pastReading('2026-01-31', '2026-02-01', '2026-02-04T05:15:00Z'),
      ...['2026-02-02', '2026-02-03', '2026-02-04'].map((day) =>
        pastReading(day, day, '2026-02-04T05:15:00Z'),
      ),
    ];
    const at = (time: string) => ({ job, history, now: new Date(time) });
    expect(plan(at('2026-02-04T11:59:00Z'))).toEqual([]);
    // in the last zone 3 February ends at noon in UTC on the 4th
    expect(plan(at('2026-02-04T12:00:00Z'))).toEqual([
      '2026-02-04..2026-02-04 young',
      '2026-02-03..2026-02-03 young',
      '2026-02-02..2026-02-02 young',
    ]);
    const later = pastReading('2026-02-02', '2026-02-02', '2026-02-04T12:00:00Z');
    expect(plan({ ...at('2026-03-04T05:15:00Z'), history: [...history, later] })).toContain(
      '2026-02-03..2026-02-03 young',
    );
    expect(plan({ ...at('2026-02-05T05:15:00Z'), history: [...history, later] })).not.toContain(
      '2026-02-02..2026-02-02 young',
    );
  });

  it('reads the window of today again when it has grown since', () => {
    const job = planJobConfig({ refreshDays: 0 });
    expect(plan({ job, history: allRead, now: new Date('2026-02-05T05:15:00Z') })).toEqual([
      '2026-01-31..2026-02-05 never-read',
    ]);
  });

  it('counts a wider window that was read for all windows within it', () => {
    const history = [pastReading('2025-12-31', '2026-02-04', '2026-02-04T05:15:00Z')];
    expect(plan({ history })).toEqual(young);
  });

  it('reads one whose last reading failed, or one of some of its days, even if an earlier one succeeded', () => {
    const failed = pastReading('2026-01-01', '2026-01-10', '2026-02-04T06:00:00Z', {
      status: 'failed',
    });
    expect(plan({ history: [...allRead, failed] })).toEqual([
      ...young,
      '2025-12-31..2026-01-10 failed',
    ]);
    const backfill = pastReading('2026-01-03', '2026-01-05', '2026-02-04T06:00:00Z', {
      status: 'failed',
    });
    expect(plan({ history: [...allRead, backfill] })).toContain('2025-12-31..2026-01-10 failed');
    const healed = pastReading('2025-12-31', '2026-01-10', '2026-02-04T07:00:00Z');
    expect(plan({ history: [...allRead, failed, healed] })).toEqual(young);
  });

  it('ignores readings of other profiles and workspaces', () => {
    const others = allRead.flatMap((reading) => [
      { ...reading, profileId: fjord.id },
      { ...reading, workspace: 'other' },
    ]);
    expect(plan({ history: others })).toEqual(plan());
  });

  it('reads all of them with --full', () => {
    expect(plan({ history: allRead, full: true })).toEqual([
      '2026-01-31..2026-02-04 asked',
      '2026-01-21..2026-01-30 asked',
      '2026-01-11..2026-01-20 asked',
      '2025-12-31..2026-01-10 asked',
    ]);
  });

  it('reads only the days of a backfill, and a date more at each end, along the grid, however fresh', () => {
    const asked = { from: '2026-01-08', to: '2026-01-12' };
    expect(plan({ history: allRead, asked })).toEqual([
      '2026-01-11..2026-01-13 asked',
      '2026-01-07..2026-01-10 asked',
    ]);
  });
});

describe('only what waits', () => {
  const failed = (httpStatus: number | null, at = '2026-02-04T06:00:00Z') =>
    pastReading('2026-01-11', '2026-01-20', at, { status: 'failed', httpStatus });
  const waiting = (...readings: PastReading[]) =>
    plan({ history: [...allRead, ...readings], onlyWaiting: true });

  it('is what failed for a reason that may have passed, and no young window', () => {
    expect(waiting()).toEqual([]);
    for (const status of [null, 200, 401, 403, 429, 500, 503])
      expect(waiting(failed(status)), String(status)).toEqual(['2026-01-11..2026-01-20 failed']);
    expect(
      waiting(failed(500), pastReading('2026-01-11', '2026-01-20', '2026-02-04T07:00:00Z')),
    ).toEqual([]);
  });

  it('is nothing that failed since the request is wrong or the profile does not exist', () => {
    for (const status of [400, 404, 422]) {
      expect(waiting(failed(status)), String(status)).toEqual([]);
      expect(waiting(failed(500), failed(status, '2026-02-04T06:30:00Z'))).toEqual([]);
      expect(plan({ history: [...allRead, failed(status)] })).toContain(
        '2026-01-11..2026-01-20 failed',
      );
    }
  });
});

describe('after an interrupted run', () => {
  const stored = pastReading('2026-01-21', '2026-01-30', '2026-02-04T10:01:00Z', {
    runStartedAt: new Date('2026-02-04T10:00:00Z'),
    runFinished: false,
  });
  const isAskedAgain = (reading: PastReading, question: Partial<WindowsQuestion> = {}) =>
    plan({ history: [...allRead.slice(0, 1), reading], ...question }).some((line) =>
      line.startsWith('2026-01-21'),
    );

  it('does not ask again for what was stored in the last 12 hours', () => {
    expect(isAskedAgain(stored)).toBe(false);
    expect(isAskedAgain(stored, { now: new Date('2026-02-04T22:00:59Z') })).toBe(false);
    expect(isAskedAgain(stored, { now: new Date('2026-02-04T22:01:00Z') })).toBe(true);
  });

  it('asks again for what had failed, and with --full', () => {
    expect(isAskedAgain({ ...stored, status: 'failed' })).toBe(true);
    expect(isAskedAgain(stored, { full: true })).toBe(true);
  });

  it('continues a backfill where it was interrupted', () => {
    const asked = { from: '2026-01-15', to: '2026-01-30' };
    expect(plan({ history: [stored], asked })).toEqual([
      '2026-01-31..2026-01-31 asked',
      '2026-01-14..2026-01-20 asked',
    ]);
  });

  it('asks again once a run of the job that began later has finished', () => {
    const finished = pastReading('2026-01-31', '2026-02-04', '2026-02-04T11:00:00Z');
    expect(isAskedAgain(stored, { history: [stored, finished] })).toBe(true);
    const otherJob = { ...finished, job: 'weekly' };
    expect(isAskedAgain(stored, { history: [stored, otherJob] })).toBe(false);
  });
});

it('a run that machines share reads no window again that one of them has read since the scheduled time', () => {
  const history = [
    pastReading('2026-01-31', '2026-02-04', '2026-02-04T05:20:00Z'),
    pastReading('2026-01-21', '2026-01-30', '2026-02-04T05:00:00Z'),
  ];
  expect(plan({ history })).toEqual(expect.arrayContaining(young));
  const due = plan({ history, sharedSince: new Date('2026-02-04T05:15:00Z') });
  expect(due).not.toContain('2026-01-31..2026-02-04 young');
  expect(due).toContain('2026-01-21..2026-01-30 young');
});

it('a clock that was set back keeps no windows from being read, and a reading some hours ahead counts as made now', () => {
  const ahead = (time: string) =>
    plan({ history: allRead.map((reading) => ({ ...reading, fetchedAt: new Date(time) })) });
  expect(ahead('2031-01-01')).toEqual(plan());
  expect(ahead('2026-02-05T11:00:00Z')).toEqual(young);
});

describe('a history of daily runs', () => {
  interface Day {
    asked: number;
    whole: number;
    /** The last readings by the first day of the window. Only the last reading affects the plan. */
    history: ReadonlyMap<string, PastReading>;
    now: Date;
  }

  /** Plans a run each morning, and counts everything that it asks for as read. */
  function* runDaily(job: JobConfig, count: number): Generator<Day> {
    const history = new Map<string, PastReading>();
    for (let day = 0; day < count; day += 1) {
      const now = new Date(`${addDays('2026-02-04', day)}T05:15:00Z`);
      const question = planQuestion({ job, now, history: [...history.values()] });
      const due = planWindows(question);
      for (const { window } of due) {
        history.set(window.start, pastReading(window.start, window.end, now.toISOString()));
      }
      const whole = planWindows({ ...question, full: true }).length;
      yield { asked: due.length, whole, history, now };
    }
  }

  it('never leaves a day unread, nor a reading older than a week and half its window’s age', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 60 }),
        fc.integer({ min: 0, max: 40 }),
        (sizeDays, refreshDays) => {
          const job = planJobConfig({ sizeDays, refreshDays, start: '2025-08-01' });
          for (const { history, now } of runDaily(job, 60)) {
            const windows = [...history.values()].map(({ window }) => window);
            expect(
              windows
                .map(({ end }) => end)
                .toSorted()
                .at(-1),
            ).toBe(dayOf(now, 'UTC'));
            for (const { window, fetchedAt } of history.values()) {
              const sinceReadDays = (now.getTime() - fetchedAt.getTime()) / 86_400_000;
              const ageDays = daysBetween(window.end, dayOf(now, 'UTC'));
              expect(sinceReadDays).toBeLessThan(Math.max(7, ageDays / 2));
            }
          }
        },
      ),
      { numRuns: 6 },
    );
  });
});
