import type { JobConfig, ProfileConfig } from '../../src/config/config.ts';
import type { KnownPost, PastReading } from '../../src/plan/plan.ts';
import type { WindowsQuestion } from '../../src/plan/plan-windows.ts';
import { jobOf } from './stored-run.ts';

export const acme: ProfileConfig = {
  workspace: 'acme',
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Acme',
  cpm: null,
  prices: null,
  until: null,
};

export const fjord: ProfileConfig = {
  ...acme,
  id: '00000000-0000-4000-8000-000000000002',
  name: 'Fjord',
};

/** A job over a grid of ten days in 2026, whose last window is cut to its first five days. */
export function planJobConfig(
  windows: Partial<JobConfig['windows']> = {},
  job: Partial<JobConfig> = {},
): JobConfig {
  return jobOf({
    profiles: [acme],
    windows: { start: '2026-01-01', days: null, sizeDays: 10, refreshDays: 12, ...windows },
    details: ['post'],
    ...job,
  });
}

/** A question on 2026-02-04 at noon in UTC, with nothing read yet. */
export function planQuestion(question: Partial<WindowsQuestion> = {}): WindowsQuestion {
  return {
    job: planJobConfig(),
    zones: ['UTC'],
    now: new Date('2026-02-04T12:00:00Z'),
    asked: null,
    full: false,
    history: [],
    readUntil: new Map(),
    lastFinishedRunStart: null,
    ...question,
  };
}

/** A success of a finished run of the job, begun a minute before. */
export function pastReading(
  start: string,
  end: string,
  fetchedAt: string,
  reading: Partial<PastReading> = {},
): PastReading {
  return {
    workspace: acme.workspace,
    profileId: acme.id,
    window: { start, end },
    partOf: null,
    status: 'succeeded',
    reason: null,
    httpStatus: 200,
    records: 3,
    fetchedAt: new Date(fetchedAt),
    job: 'daily',
    runStartedAt: new Date(new Date(fetchedAt).getTime() - 60_000),
    runFinished: true,
    ...reading,
  };
}

export function knownPost(postId: string, post: Partial<KnownPost> = {}): KnownPost {
  return {
    workspace: 'acme',
    postId,
    profileIds: [acme.id],
    publishedAt: new Date('2026-01-20T09:00:00Z'),
    fetchedAt: { post: null, approvals: null, comments: null },
    hasChanged: false,
    isRemoved: false,
    ...post,
  };
}
