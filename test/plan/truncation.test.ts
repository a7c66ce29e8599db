import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, daysBetween } from '../../src/core/calendar.ts';
import type { PastCheck, PastReading } from '../../src/plan/plan.ts';
import { planWindows, type WindowsQuestion } from '../../src/plan/plan-windows.ts';
import { TruncationChecks } from '../../src/plan/truncation.ts';
import { acme, fjord, pastReading, planJobConfig, planQuestion } from '../support/plan-question.ts';

/** The windows planned on 2026-02-04 in the morning, such as `2026-02-01..2026-02-04 young`, in order. */
function plan(question: Partial<WindowsQuestion> = {}): string[] {
  return planWindows(planQuestion({ now: new Date('2026-02-04T11:30:00Z'), ...question })).map(
    ({ window, reason }) => `${window.start}..${window.end} ${reason}`,
  );
}

function pastCheck(start: string, end: string, given: Partial<PastCheck> = {}): PastCheck {
  return {
    workspace: acme.workspace,
    profileId: acme.id,
    window: { start, end },
    kind: 'cut_off',
    records: 100,
    posts: 100,
    checkedAt: new Date('2026-02-01T05:15:00Z'),
    ...given,
  };
}

const third = pastCheck('2026-01-11', '2026-01-20');
const firstMorning = '2026-02-04T05:15:00Z';

describe('an answer', () => {
  const window = { start: '2026-01-11', end: '2026-01-20' };
  const isDue = (records: number, ...checks: PastCheck[]) =>
    new TruncationChecks(checks).isDue({ profileId: acme.id, window, records, posts: records });

  it('is checked when it has a round number of records, 100 or more', () => {
    const counts = [0, 20, 50, 99, 100, 101, 128, 150, 199, 1000];
    expect(counts.filter((count) => isDue(count))).toEqual([100, 150, 1000]);
  });

  it('is checked when it has as many as another one that was truncated', () => {
    const cap = pastCheck('2025-01-01', '2025-01-10', { records: 37, profileId: fjord.id });
    expect([36, 37, 38].filter((count) => isDue(count, cap))).toEqual([37]);
    expect(isDue(37, { ...cap, kind: 'agreed' })).toBe(false);
  });

  it('is checked once for each count of its window', () => {
    const agreed = { ...third, kind: 'agreed' as const };
    expect([100, 150].filter((count) => isDue(count, agreed))).toEqual([150]);
    expect(isDue(100, { ...agreed, profileId: fjord.id })).toBe(true);
    expect(isDue(100, { ...agreed, window: { ...window, end: '2026-01-19' } })).toBe(true);
  });
});

describe('a window that was found truncated', () => {
  it('is planned as its halves, which name it as their parent', () => {
    const planned = planWindows(planQuestion({ checks: [third], full: true }));
    const half = { profile: acme, reason: 'asked', parentWindow: third.window };
    expect(planned.filter(({ parentWindow }) => parentWindow !== null)).toEqual([
      { ...half, window: { start: '2026-01-16', end: '2026-01-20' } },
      { ...half, window: { start: '2026-01-11', end: '2026-01-15' } },
    ]);
    expect(planned).toHaveLength(5);
  });

  it('is read in halves however long ago that was, for its own profile only', () => {
    const job = planJobConfig({}, { profiles: [acme, fjord] });
    const old = { ...third, checkedAt: new Date('2020-01-01') };
    const planned = planWindows(planQuestion({ job, checks: [old] }));
    expect(
      planned.filter(({ parentWindow }) => parentWindow).map(({ profile }) => profile.name),
    ).toEqual(['Acme', 'Acme']);
    const elsewhere = { ...third, workspace: 'other' };
    expect(plan({ checks: [elsewhere] })).toEqual(plan());
  });

  it('is read whole after a check that agreed', () => {
    expect(plan({ checks: [{ ...third, kind: 'agreed' }] })).toEqual(plan());
    expect(
      plan({ checks: [pastCheck('2026-01-11', '2026-01-11', { kind: 'indivisible' })] }),
    ).toEqual(plan());
  });

  it('is halved as it grows, since a longer window would be truncated too', () => {
    const checks = [pastCheck('2026-01-31', '2026-02-03')];
    expect(plan({ checks }).slice(0, 3)).toEqual([
      '2026-02-03..2026-02-04 never-read',
      '2026-01-31..2026-02-02 never-read',
      '2026-01-21..2026-01-30 never-read',
    ]);
  });

  it('does not count as read by a truncated answer', () => {
    const whole = pastReading('2026-01-11', '2026-01-20', '2026-02-04T05:00:00Z');
    const wider = pastReading('2025-12-31', '2026-02-04', '2026-02-04T05:00:00Z');
    const isNeverRead = (past: PastReading) =>
      plan({ checks: [third], history: [past] }).filter((line) => line.endsWith('never-read'));
    expect(isNeverRead(whole)).toContain('2026-01-16..2026-01-20 never-read');
    expect(isNeverRead(wider)).toHaveLength(5);
  });

  it('is continued after a run that was interrupted between its halves', () => {
    const stored = pastReading('2026-01-16', '2026-01-20', '2026-02-04T11:00:00Z', {
      runFinished: false,
    });
    const planned = plan({ checks: [third], history: [stored] });
    expect(planned).not.toContain('2026-01-16..2026-01-20 never-read');
    expect(planned).toContain('2026-01-11..2026-01-15 never-read');
  });

  it('leaves every day of the range in exactly one window, whatever was found', () => {
    const anyCheck = fc
      .tuple(fc.nat(60), fc.nat(30))
      .map(([offset, length]) =>
        pastCheck(addDays('2025-12-25', offset), addDays('2025-12-25', offset + length)),
      );
    fc.assert(
      fc.property(
        fc.array(anyCheck, { maxLength: 12 }),
        fc.integer({ min: 1, max: 20 }),
        (checks, sizeDays) => {
          const job = planJobConfig({ sizeDays });
          const planned = planWindows(planQuestion({ job, checks, full: true }));
          const days = planned.flatMap(({ window: { start, end } }) =>
            Array.from({ length: daysBetween(start, end) + 1 }, (_, index) => addDays(end, -index)),
          );
          const all = Array.from({ length: 36 }, (_, index) => addDays('2026-02-04', -index));
          expect(days).toEqual(all);
          for (const { window } of planned) {
            if (window.start === window.end) continue;
            const isHeld = checks.some(
              ({ window: cut }) => cut.start >= window.start && cut.end <= window.end,
            );
            expect(isHeld).toBe(false);
          }
        },
      ),
    );
  });
});

describe('an answer that was not yet checked', () => {
  const suspect = (start: string, end: string, given: Partial<PastReading> = {}) =>
    pastReading(start, end, firstMorning, { posts: 100, records: 100, ...given });
  const allRead = [
    pastReading('2026-01-31', '2026-02-04', firstMorning),
    pastReading('2026-01-21', '2026-01-30', firstMorning),
    suspect('2026-01-11', '2026-01-20'),
    pastReading('2025-12-31', '2026-01-10', firstMorning),
  ];
  const job = planJobConfig({ refreshDays: 0 });

  it('is asked for again', () => {
    expect(plan({ job, history: allRead })).toEqual(['2026-01-11..2026-01-20 unchecked']);
  });

  it('is asked for again although an interrupted run has just stored it', () => {
    const history = allRead.map((reading) => ({ ...reading, runFinished: false }));
    expect(plan({ history })).toEqual(['2026-01-11..2026-01-20 unchecked']);
  });

  it('is not asked for again once it was checked', () => {
    const agreed = pastCheck('2026-01-11', '2026-01-20', { kind: 'agreed' });
    expect(plan({ job, history: allRead, checks: [agreed] })).toEqual([]);
  });

  it('does not count as a reading of another job’s shorter windows', () => {
    const wide = suspect('2025-12-31', '2026-02-04', { job: 'monthly' });
    expect(plan({ job, history: [wide] })).toEqual([
      '2026-01-31..2026-02-04 unchecked',
      '2026-01-21..2026-01-30 unchecked',
      '2026-01-11..2026-01-20 unchecked',
      '2025-12-31..2026-01-10 unchecked',
    ]);
  });
});
