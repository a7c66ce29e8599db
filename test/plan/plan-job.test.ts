import { describe, expect, it } from 'vitest';
import { planCost, planJob } from '../../src/plan/plan-job.ts';
import {
  acme,
  fjord,
  knownPost,
  pastReading,
  planJobConfig,
  planQuestion,
} from '../support/plan-question.ts';

const other = { ...acme, workspace: 'other', name: 'Other' };
const job = planJobConfig({}, { profiles: [acme, other, fjord] });
const posts = [knownPost('a'), knownPost('b', { workspace: 'other' }), knownPost('c')];

describe('a job’s plan', () => {
  it('is made for each workspace separately, in the job’s order', () => {
    const plans = planJob({ ...planQuestion({ job }), posts });
    expect(
      plans.map(({ workspace, windows, details }) => ({
        workspace,
        windows: windows.map(({ profile, window }) => `${profile.name} ${window.start}`),
        details: details.map(({ postId }) => postId),
      })),
    ).toEqual([
      {
        workspace: 'acme',
        windows: ['2026-01-31', '2026-01-21', '2026-01-11', '2025-12-31'].flatMap((day) => [
          `Acme ${day}`,
          `Fjord ${day}`,
        ]),
        details: ['a', 'c'],
      },
      {
        workspace: 'other',
        windows: ['2026-01-31', '2026-01-21', '2026-01-11', '2025-12-31'].map(
          (day) => `Other ${day}`,
        ),
        details: ['b'],
      },
    ]);
  });

  it('includes a workspace with nothing due, which costs nothing', () => {
    const idle = planJobConfig({ start: '2026-02-04' }, { profiles: [acme], details: [] });
    const reading = { runFinished: false };
    const history = [pastReading('2026-02-03', '2026-02-04', '2026-02-04T11:00:00Z', reading)];
    const plans = planJob({ ...planQuestion({ job: idle, history }), posts: [] });
    expect(plans).toEqual([
      { workspace: 'acme', windows: [], details: [], endsToday: false, readUntil: new Map() },
    ]);
    expect(plans.map((plan) => planCost(plan, { requests: 1, perSeconds: 60 }))).toEqual([
      { workspace: 'acme', requests: 0, windows: 0, details: 0, seconds: 0 },
    ]);
  });
});

describe('the cost of a plan', () => {
  const costs = (requests: number) =>
    planJob({ ...planQuestion({ job }), posts }).map((plan) =>
      planCost(plan, { requests, perSeconds: 60 }),
    );

  it('is counted by workspace', () => {
    expect(costs(100)).toEqual([
      { workspace: 'acme', requests: 10, windows: 8, details: 2, seconds: 0 },
      { workspace: 'other', requests: 5, windows: 4, details: 1, seconds: 0 },
    ]);
  });

  it.each([
    [10, 0],
    [9, 60],
    [5, 60],
    [4, 120],
    [1, 540],
  ])('takes, with %i requests in 60 s for 10 of them, %i s', (requests, seconds) => {
    expect(costs(requests)[0]?.seconds).toBe(seconds);
  });
});
