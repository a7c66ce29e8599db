// What a workspace costs from day to day: 10 profiles, read over three years, one post per profile and day, 70 % of
// them linked. Plan and extraction live through a year of daily runs against a service in memory, beside the plan to
// read everything on each day. Prints a table.
//   npm run build && node bench/plan-upkeep.mjs

import { silentLog } from '../build/core/log.js';
import { silentProgress } from '../build/core/progress.js';
import { extractWindows } from '../build/extract/extract.js';
import { planCost, planJob } from '../build/plan/plan-job.js';

const dayMs = 86_400_000;
const firstRun = Date.parse('2026-01-01T05:15:00Z');
const runs = 365;
const limit = { requests: 100, perSeconds: 60 };
const start = '2023-01-01';
const startMs = Date.parse(start);

const profiles = Array.from({ length: 10 }, (_, index) => ({
  workspace: 'acme',
  id: `00000000-0000-4000-8000-00000000000${index}`,
  name: `Profile ${index}`,
  cpm: null,
}));
const job = {
  name: 'daily',
  schedule: null,
  profiles,
  windows: { start, days: null, sizeDays: 30, refreshDays: 35 },
  details: true,
  reports: [],
};

/** Newest readings by profile and window: older ones of the same window change no plan. */
const readings = new Map();
const posts = [];
let publishedDays = 0;

function publishUpTo(now) {
  for (; startMs + publishedDays * dayMs <= now; publishedDays += 1) {
    for (const [index, profile] of profiles.entries()) {
      if ((publishedDays * 7 + index * 3) % 10 >= 7) continue;
      posts.push({
        workspace: 'acme',
        postId: `${profile.id}-${publishedDays}`,
        publishedAt: new Date(startMs + publishedDays * dayMs),
        detailFetchedAt: null,
        hasChanged: false,
        isRemoved: false,
      });
    }
  }
}

function plan(now, full) {
  const [workspace] = planJob({
    job,
    timezone: 'Europe/Berlin',
    now: new Date(now),
    asked: null,
    full,
    history: [...readings.values()],
    checks: [],
    lastFinishedRunStart: null,
    posts,
  });
  return workspace;
}

/** One record for each day of the window on which a post was published. */
function answer(window, now) {
  const last = Math.min(Date.parse(window.end), now);
  const days = Math.floor((last - Math.max(Date.parse(window.start), startMs)) / dayMs) + 1;
  return Array.from({ length: Math.max(0, days) }, (_, index) => ({ id: `${index}` }));
}

async function carryOut(due, now) {
  const clock = { now: () => new Date(now), monotonicMs: () => 0, sleep: () => Promise.resolve() };
  const readAnalytics = (profileId, window) => {
    const records = answer(window, now);
    readings.set(`${profileId} ${window.start}`, {
      workspace: 'acme',
      profileId,
      window,
      status: 'succeeded',
      records: records.length,
      posts: records.length,
      fetchedAt: new Date(now),
      job: job.name,
      runStartedAt: new Date(now),
      runFinished: true,
    });
    const body = Buffer.alloc(0);
    return Promise.resolve({ body, fetchedAt: clock.now(), requests: 1, records });
  };
  const writer = {
    storeResponse: (_request, { records }) => Promise.resolve({ seq: 1, records }),
    storeCheck: () => Promise.resolve(),
  };
  await extractWindows(due, {
    reader: { readAnalytics },
    writer,
    linkedField: 'servicePost',
    concurrency: 4,
    clock,
    log: silentLog,
    task: silentProgress.task('acme', 0, 'requests'),
    signal: new AbortController().signal,
  });
  const read = new Set(due.details.map(({ postId }) => postId));
  for (const post of posts) if (read.has(post.postId)) post.detailFetchedAt = new Date(now);
}

function describe(run, costs) {
  const mean = (of) => costs.reduce((sum, cost) => sum + of(cost), 0) / costs.length;
  return {
    run,
    windows: Math.round(mean((cost) => cost.windows)),
    details: Math.round(mean((cost) => cost.details)),
    requests: Math.round(mean((cost) => cost.requests)),
    most: Math.max(...costs.map((cost) => cost.requests)),
    minutes: Number((mean((cost) => cost.seconds) / 60).toFixed(1)),
  };
}

const daily = [];
const whole = [];
for (let day = 0; day <= runs; day += 1) {
  const now = firstRun + day * dayMs;
  publishUpTo(now);
  const due = plan(now, false);
  daily.push(planCost(due, limit));
  whole.push(planCost(plan(now, true), limit));
  await carryOut(due, now);
}
console.table([
  describe('the first one', daily.slice(0, 1)),
  describe('each day of the year after', daily.slice(1)),
  describe('everything, each day', whole.slice(1)),
]);
