// How long a fleet needs, on a virtual clock: the real planner says what each of 2,000 workspaces (20 profiles, three
// years, a post a day and profile, 70 % of them linked) is asked for, the real rate budget how long that takes, the real
// hash which shard it is in. Machines take shards one after another, and read 50 workspaces of one at a time. Prints a table.
//   npm run build && node bench/fleet.mjs [--workspaces 2000] [--shards 16] [--load-seconds 20]

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RateBudget } from '../build/api/rate-budget.js';
import { silentLog } from '../build/core/log.js';
import { planJob } from '../build/plan/plan-job.js';
import { shardOf } from '../build/warehouse/shard.js';

const { values: flags } = parseArgs({
  options: {
    workspaces: { type: 'string', default: '2000' },
    shards: { type: 'string', default: '16' },
    /** Of 50 workspaces. */
    'load-seconds': { type: 'string', default: '20' },
  },
});
const workspacesAtOnce = 50;
const dayMs = 86_400_000;
const now = Date.parse('2026-01-01T05:15:00Z');
const profiles = Array.from({ length: 20 }, (_, index) => ({
  workspace: 'acme',
  id: `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`,
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

const posts = profiles.flatMap(({ id }, profile) =>
  Array.from({ length: 3 * 365 + 1 }, (_, day) => day)
    .filter((day) => (day * 7 + profile * 3) % 10 < 7)
    .map((day) => ({
      workspace: 'acme',
      postId: `${id}-${day}`,
      publishedAt: new Date(Date.parse('2023-01-01') + day * dayMs),
      detailFetchedAt: null,
      hasChanged: false,
      isRemoved: false,
    })),
);

function requestsOn(day, history, known) {
  const [{ windows, details }] = planJob({
    job,
    timezone: 'UTC',
    now: new Date(now + day * dayMs),
    asked: null,
    full: false,
    history,
    checks: [],
    lastFinishedRunStart: null,
    posts: known,
  });
  return { windows, requests: windows.length + details.length };
}

/** By the workspace's budget, on a clock for which a sleep is over at once. */
async function secondsFor(requests) {
  let ms = 1_000_000;
  const clock = {
    now: () => new Date(now + ms),
    monotonicMs: () => ms,
    sleep: async (pause) => void (ms += Math.max(0, pause)),
  };
  const folder = await mkdtemp(join(tmpdir(), 'postledger-fleet-'));
  const limit = { requests: 100, perSeconds: 60 };
  const budget = new RateBudget({ folder, workspace: 'acme', limit, clock, log: silentLog });
  const { signal } = new AbortController();
  for (let sent = 0; sent < requests; sent += 1) (await budget.acquire(signal)).markSent();
  await rm(folder, { recursive: true });
  return (ms - 1_000_000) / 1000;
}

function fleetSeconds(machines, workspaceSeconds) {
  const sizes = new Map();
  for (let index = 0; index < Number(flags.workspaces); index += 1) {
    const shard = shardOf(`workspace-${index}`, { shards: Number(flags.shards) });
    sizes.set(shard, (sizes.get(shard) ?? 0) + 1);
  }
  const freeAt = Array.from({ length: machines }, () => 0);
  for (const [, size] of [...sizes].sort()) {
    const machine = freeAt.indexOf(Math.min(...freeAt));
    const batches = Math.ceil(size / workspacesAtOnce);
    freeAt[machine] += batches * (workspaceSeconds + Number(flags['load-seconds']));
  }
  return Math.max(...freeAt);
}

const first = requestsOn(0, [], posts);
const history = first.windows.map(({ profile, window }) => ({
  workspace: 'acme',
  profileId: profile.id,
  window,
  status: 'succeeded',
  records: 20,
  posts: 20,
  fetchedAt: new Date(now),
  job: job.name,
  runStartedAt: new Date(now),
  runFinished: true,
}));
const read = posts.map((post) => ({ ...post, detailFetchedAt: new Date(now) }));
const daily = requestsOn(1, history, read);
const rows = [];
for (const [run, { requests }] of [
  ['the first read', first],
  ['the day after', daily],
]) {
  const seconds = await secondsFor(requests);
  const hours = (machines) => Number((fleetSeconds(machines, seconds) / 3600).toFixed(2));
  rows.push({
    run,
    requests,
    'minutes of one workspace': Number((seconds / 60).toFixed(1)),
    'hours, 1 machine': hours(1),
    '4 machines': hours(4),
    '16 machines': hours(16),
  });
}
console.table(rows);
