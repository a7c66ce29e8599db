// Counts the requests of a workspace from day to day: its profiles are read from 2023 on, with a post per profile on seven
// of ten days, all of them linked. The planner lives through a year of daily runs that read what is due, beside a plan
// that reads everything on each day.
//   npm run build && node bench/plan-upkeep.mjs [--profiles 10] [--days 365] [--short] [--json]
import { planCost } from '../build/plan/plan-job.js';
import { readNumbers, runBench } from './support/harness.mjs';
import { PlannedJob } from './support/planned-job.mjs';

const { profiles, days } = readNumbers({ profiles: [10, 2], days: [365, 5] });
const firstRunMs = Date.parse('2026-01-01T05:15:00Z');
const limit = { requests: 100, perSeconds: 60 };

function summarize(run, costs) {
  const mean = (valueOf) => costs.reduce((sum, cost) => sum + valueOf(cost), 0) / costs.length;
  return {
    run,
    windows: Math.round(mean((cost) => cost.windows)),
    details: Math.round(mean((cost) => cost.details)),
    requests: Math.round(mean((cost) => cost.requests)),
    most: Math.max(...costs.map((cost) => cost.requests)),
    minutes: mean((cost) => cost.seconds) / 60,
  };
}

await runBench(import.meta.filename, {}, (bench) => {
  const daily = [];
  const whole = [];
  for (const { due, planAll } of new PlannedJob(profiles).dailyPlans(firstRunMs, days)) {
    daily.push(planCost(due, limit));
    whole.push(planCost(planAll(), limit));
  }
  bench.rows.push(
    summarize('the first one', daily.slice(0, 1)),
    summarize('each day after', daily.slice(1)),
    summarize('everything, each day', whole.slice(1)),
  );
});
