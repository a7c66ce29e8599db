// Estimates how long a fleet needs, on a virtual clock: the planner says what each workspace is asked for, the rate budget
// how long that takes, and the hash which shard a workspace is in. Profiles are read for three years, with a linked post
// each on seven of ten days, and then each day for a year. Machines take shards one after another, and read 50 workspaces
// of a shard at a time.
//   npm run build && node bench/fleet.mjs [--workspaces 2000] [--profiles 20] [--days 365] [--shards 16]
//     [--load-seconds 20] [--short] [--json]
import { RateBudget } from '../build/api/rate-budget.js';
import { silentLog } from '../build/core/log.js';
import { shardOf } from '../build/warehouse/shard.js';
import { readNumbers, runBench } from './support/harness.mjs';
import { PlannedJob } from './support/planned-job.mjs';

const {
  workspaces,
  profiles,
  days,
  shards,
  'load-seconds': loadSeconds,
} = readNumbers({
  workspaces: [2_000, 100],
  profiles: [20, 1],
  days: [365, 5],
  shards: [16, 4],
  // of 50 workspaces
  'load-seconds': [20, 20],
});
const workspacesAtOnce = 50;
const firstRunMs = Date.parse('2026-01-01T05:15:00Z');
const limit = { requests: 100, perSeconds: 60 };

/** Spends requests from a workspace's budget, on a clock for which every sleep is over at once. */
async function secondsFor(folder, requests) {
  const startMs = 1_000_000;
  let nowMs = startMs;
  const clock = {
    now: () => new Date(firstRunMs + nowMs),
    monotonicMs: () => nowMs,
    sleep: async (ms) => void (nowMs += Math.max(0, ms)),
  };
  const budget = new RateBudget({ folder, workspace: 'acme', limit, clock, log: silentLog });
  const { signal } = new AbortController();
  for (let sent = 0; sent < requests; sent += 1) (await budget.acquire(signal)).markSent();
  return (nowMs - startMs) / 1000;
}

function fleetHours(machines, workspaceSeconds) {
  const sizes = new Map();
  for (let index = 0; index < workspaces; index += 1) {
    const shard = shardOf(`workspace-${index}`, { shards });
    sizes.set(shard, (sizes.get(shard) ?? 0) + 1);
  }
  const freeAt = Array.from({ length: machines }, () => 0);
  for (const [, size] of [...sizes].sort()) {
    const machine = freeAt.indexOf(Math.min(...freeAt));
    freeAt[machine] += Math.ceil(size / workspacesAtOnce) * (workspaceSeconds + loadSeconds);
  }
  return Math.max(...freeAt) / 3600;
}

await runBench(import.meta.filename, {}, async (bench) => {
  const plans = Array.from(new PlannedJob(profiles).dailyPlans(firstRunMs, days), ({ due }) => due);
  const [first, ...daily] = plans.map(({ windows, details }) => windows.length + details.length);
  const mean = Math.round(daily.reduce((sum, requests) => sum + requests, 0) / daily.length);
  for (const [run, requests] of [
    ['the first read', first],
    ['the first read, without details', plans[0].windows.length],
    ['each day after', mean],
  ]) {
    const seconds = await secondsFor(`${bench.folder}/${run}`, requests);
    bench.rows.push({
      run,
      requests,
      'minutes of one workspace': seconds / 60,
      'hours, 1 machine': fleetHours(1, seconds),
      '4 machines': fleetHours(4, seconds),
      '16 machines': fleetHours(16, seconds),
    });
  }
});
