// What a workspace costs from day to day: 10 profiles, read over three years, one post per profile and
// day, 70 % of them linked. A year of daily runs is carried out by plan and extraction against a service in
// memory, beside the plan to read everything on each of them. Checks of answers that may be cut off are counted.
//   npm run build && node bench/plan-upkeep.mjs [--posting steady|varied] [--days <size_days>] [--cap <posts>]
//
// steady: one post a day, so that windows of 50, 100 or 150 days have a round count, the worst case for checks.
// varied: each profile at a pace of its own, up to two a day, by chance.

import { parseArgs } from 'node:util';
import { silentLog } from '../build/core/log.js';
import { silentProgress } from '../build/core/progress.js';
import { extractWindows } from '../build/extract/extract.js';
import { planCost, planJob } from '../build/plan/plan-job.js';

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
const { values: flags } = parseArgs({
  options: {
    posting: { type: 'string', default: 'steady' },
    days: { type: 'string', default: '30' },
    cap: { type: 'string', default: 'Infinity' },
  },
});
const job = {
  name: 'daily',
  schedule: null,
  profiles,
  windows: { start: '2023-01-01', days: null, sizeDays: Number(flags.days), refreshDays: 35 },
  details: true,
  reports: [],
};

const cap = Number(flags.cap);
/** Nothing is stored. */
const noBody = Buffer.alloc(0);
const isSteady = flags.posting === 'steady';

/** Newest readings only: older ones of the same window change no plan. */
const readings = new Map();
const checks = [];
/** By profile, then day counted from the start: how many posts. */
const volumes = profiles.map(() => []);
const found = new Set();
const start = Date.parse(job.windows.start);
const posts = [];
const published = profiles.map(() => 0);

function publishUpTo(now) {
  for (const [index, profile] of profiles.entries()) {
    for (let day = published[index]; start + day * dayMs <= now; day += 1) {
      published[index] = day + 1;
      volumes[index][day] = isSteady ? 1 : postsOn(index, day);
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

/** The same in every run: a hash of profile and day, against the profile's pace. */
function postsOn(index, day) {
  let hash = Math.imul(day + 1, 2654435761) ^ Math.imul(index + 1, 2246822519);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489917);
  const chance = ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  const pace = 0.2 + index * 0.18;
  return Math.floor(pace) + (chance < pace % 1 ? 1 : 0);
}

/** Answers by what was published, the newest posts first, no more of them than the cap. */
function answer(profileId, { start: first, end: last }) {
  const index = profiles.findIndex(({ id }) => id === profileId);
  const dayOf = (day) => (Date.parse(day) - start) / dayMs;
  const ids = [];
  for (let day = dayOf(last); day >= Math.max(0, dayOf(first)); day -= 1) {
    const count = volumes[index][day] ?? 0;
    for (let number = 0; number < count; number += 1) ids.push(`${profileId} ${day} ${number}`);
  }
  return ids.slice(0, cap).map((id) => ({ id }));
}

function plan(now, full) {
  const [workspace] = planJob({
    job,
    timezone: 'Europe/Berlin',
    now: new Date(now),
    asked: null,
    full,
    history: [...readings.values()],
    checks,
    lastFinishedRunStart: null,
    posts,
  });
  return workspace;
}

/** @returns requests beyond those that were planned */
async function runPlan(due, now) {
  const { windows, details } = due;
  let asked = 0;
  const clock = { now: () => new Date(now), monotonicMs: () => 0, sleep: () => Promise.resolve() };
  const readAnalytics = (profileId, window) => {
    asked += 1;
    const records = answer(profileId, window);
    for (const { id } of records) found.add(id);
    readings.set(
      `${profileId} ${window.start} ${daysOf(window) > flags.days / 2 ? '' : window.end}`,
      {
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
      },
    );
    return Promise.resolve({ body: noBody, fetchedAt: clock.now(), requests: 1, records });
  };
  const writer = {
    storeResponse: (_request, { records }) => Promise.resolve({ seq: 1, records }),
    storeCheck: (check) => {
      checks.push({
        workspace: 'acme',
        profileId: check.profile_id,
        window: { start: check.start_date, end: check.end_date },
        kind: check.kind,
        records: check.records_whole,
        posts: check.posts_whole,
        checkedAt: new Date(now),
      });
      return Promise.resolve();
    },
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
  const read = new Set(details.map(({ postId }) => postId));
  for (const post of posts) if (read.has(post.postId)) post.detailFetchedAt = new Date(now);
  return asked - windows.length;
}

function daysOf(window) {
  return (Date.parse(window.end) - Date.parse(window.start)) / dayMs + 1;
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
const extra = [];
const whole = [];
for (let day = 0; day <= runs; day += 1) {
  const now = firstRun + day * dayMs;
  publishUpTo(now);
  const due = plan(now, false);
  daily.push(planCost(due, limit));
  whole.push(planCost(plan(now, true), limit));
  extra.push(await runPlan(due, now));
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

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const publishedPosts = sum(volumes.map((days) => sum(days)));
const [inFirst, ...inLater] = extra;
const kinds = ['agreed', 'cut_off', 'indivisible'].map((name) => [
  name,
  checks.filter(({ kind }) => kind === name).length,
]);
console.log(
  `Checks of answers that looked cut off: ${inFirst} requests in the first run, ${sum(inLater)} in the year after; ` +
    `${kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')}. ` +
    `${found.size} of ${publishedPosts} posts arrived.`,
);
