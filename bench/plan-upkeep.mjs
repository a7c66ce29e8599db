// What a workspace costs from day to day: 10 profiles, read over three years, one post per profile and
// day, 70 % of them linked. A year of daily runs is planned, beside reading everything on each of them.
//   npm run build && node bench/plan-upkeep.mjs

import { planCost } from '../dist/plan/plan-cost.js';
import { planJob } from '../dist/plan/plan-job.js';

const dayMs = 86_400_000;
const firstRun = Date.parse('2026-01-01T05:15:00Z');
const runs = 365;
const limit = { requests: 100, perSeconds: 60 };

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
  windows: { start: '2023-01-01', days: null, sizeDays: 30, refreshDays: 35 },
  details: true,
  reports: [],
};

/** Newest readings only: older ones of the same window change no plan. */
const readings = new Map();
const start = Date.parse(job.windows.start);
const posts = [];
const published = profiles.map(() => 0);

function publishUpTo(now) {
  for (const [index, profile] of profiles.entries()) {
    for (let day = published[index]; start + day * dayMs <= now; day += 1) {
      published[index] = day + 1;
      if ((day * 7 + index * 3) % 10 >= 7) continue;
      posts.push({
        workspace: 'acme',
        postId: `${profile.id}-${day}`,
        publishedAt: new Date(start + day * dayMs),
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
    lastFinishedRunStart: null,
    posts,
  });
  return workspace;
}

function carryOut({ windows, details }, now) {
  for (const { profile, window } of windows) {
    readings.set(`${profile.id} ${window.start}`, {
      workspace: 'acme',
      profileId: profile.id,
      window,
      status: 'succeeded',
      fetchedAt: new Date(now),
      job: job.name,
      runStartedAt: new Date(now),
      runFinished: true,
    });
  }
  const read = new Set(details.map(({ postId }) => postId));
  for (const post of posts) if (read.has(post.postId)) post.detailFetchedAt = new Date(now);
}

function describe(name, costs) {
  const mean = (of) => costs.reduce((sum, cost) => sum + of(cost), 0) / costs.length;
  return {
    run: name,
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
  carryOut(due, now);
}

const [first, ...later] = daily;
const share =
  (100 * later.reduce((sum, cost) => sum + cost.requests, 0)) /
  whole.slice(1).reduce((sum, cost) => sum + cost.requests, 0);
console.table([
  describe('the first one', [first]),
  describe('each day of the year after', later),
  describe('everything, each day', whole.slice(1)),
]);
console.log(`Daily upkeep asks for ${share.toFixed(2)} % of what reading everything would.`);
