import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { stringify } from 'yaml';
import type { Config, JobConfig } from '../config/config.ts';
import { defaultWebhooks } from '../config/services-schema.ts';
import { loadConfig } from '../config/load-config.ts';
import { Secret } from '../config/secret.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { dayMs } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { UsageError, type ExitCode } from '../core/errors.ts';
import { namesIn } from '../core/found-files.ts';
import { silentLog } from '../core/log.ts';
import { shareFolder } from '../core/private-files.ts';
import { silentProgress } from '../core/progress.ts';
import { load } from '../load/load.ts';
import { runJob } from '../pipeline.ts';
import { extractJob } from '../pipeline/job-reading.ts';
import { renderJob } from '../pipeline/job-deliveries.ts';
import { slotOf } from '../schedule/slot.ts';
import type { RunTools } from '../config/run-tools.ts';
import {
  builtInReports,
  findReports,
  listReportNames,
  type ReportDefinition,
} from '../report/report-catalog.ts';
import { resolvePeriod } from '../report/period.ts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { openWarehouse } from '../warehouse/warehouse.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import type { CommandContext, Register } from './context.ts';
import { wholeNumber } from './option-values.ts';
import { exitCodeOf } from '../pipeline/run-summary.ts';
import { thousands } from '../core/wording.ts';

/** Says that the folder is the demo's own, so that the next demo may replace it. */
const marker = '.postledger-demo';
/** The real limit would make the demo last a quarter of an hour. */
const demoLimit = { requests: 6000, perSeconds: 60 };
/** Enough for findings in every report, and half of what a sandbox has by default. */
const demoPosts = 1000;
const demoDeletions = 12;
/** There is a year before to compare with. */
const demoPeriod = 'last_12_months';
/** How figures grow shows within the days of the daily runs. */
const growthPeriod = 'last_30_days';
/** CPM of profiles for posts to which the API gives no EMV. */
const fallbackCpm = 30;
/** The report that the demo shows first. */
const firstReport = 'overview';
/** The daily runs after which posts have been read at the age of 1, 7 and 30 days. */
const defaultDays = 36;

export const register: Register = (program, invoke) => {
  program
    .command('demo')
    .option('--out <dir>', 'where everything goes; replaced when an earlier demo made it', './demo')
    .option('--days <n>', 'daily runs before that of today', wholeNumber(0, 365), defaultDays)
    .addHelpText(
      'after',
      `
Starts a sandbox with made-up posts of 5 profiles over two years, runs a job against it as cron would have
on each of the last days, deletes a few posts there, receives their events, and renders all
reports. Nothing leaves this machine.`,
    )
    .action(({ out, days }) =>
      invoke(async (context) => {
        const folder = resolve(out);
        await prepareFolder(folder);
        const { clock, environment } = context;
        reachLoopbackDirectly(environment);
        const { receiver, address } = await startDemoReceiver(join(folder, 'data'), clock);
        const demoClock = earlierClock(clock, days);
        const sandbox = await startSandbox({
          clock: demoClock,
          log: silentLog,
          posts: demoPosts,
          rateLimit: demoLimit,
          webhook: address,
        });
        try {
          return await runDemo(folder, days, sandbox, { ...context, clock: demoClock });
        } finally {
          await sandbox.close();
          await receiver.close();
        }
      }),
    );
};

/** A proxy that the environment names has no way to a server on this machine's loopback. */
function reachLoopbackDirectly(environment: NodeJS.ProcessEnv): void {
  for (const name of ['no_proxy', 'NO_PROXY']) {
    environment[name] = [environment[name], '127.0.0.1'].filter(Boolean).join(',');
  }
}

/** A receiver of events on any free port, with its address for the sandbox. */
async function startDemoReceiver(dataDir: string, clock: Clock) {
  const token = randomBytes(16).toString('hex');
  const tokens = [new Secret('DEMO_TOKEN', 'the demo', token)];
  const webhooks = { ...defaultWebhooks, port: 0, tokens };
  const receiver = await startReceiver({ webhooks, dataDir, clock, log: silentLog });
  return { receiver, address: { url: new URL(receiver.url), token } };
}

/** Another clock, some days of 24 hours behind it. */
interface EarlierClock extends Clock {
  /** Sets the clock back; with 0 it shows the time of the other clock. */
  setBack(days: number): void;
}

function earlierClock(clock: Clock, daysBehind: number): EarlierClock {
  let days = daysBehind;
  return {
    setBack: (count) => {
      days = count;
    },
    now: () => new Date(clock.now().getTime() - days * dayMs),
    monotonicMs: () => clock.monotonicMs(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}

async function runDemo(
  folder: string,
  days: number,
  sandbox: Sandbox,
  context: CommandContext & { readonly clock: EarlierClock },
): Promise<ExitCode> {
  const { output, log, clock } = context;
  const { requests, perSeconds } = demoLimit;
  log.info(
    {},
    `sandbox at ${sandbox.url}; its limit is raised to ${requests} requests per ${perSeconds} s for the demo (the API's is 100)`,
  );
  clock.setBack(0);
  const { config, job } = await writeConfig(folder, sandbox, context);
  const tools = { ...context, config };
  const { workspaces, loaded } = await runDaily(days, job, tools);
  await deleteSomePosts(sandbox, tools);
  const slot = slotOf(job, config.timezone, context.clock.now());
  const reports = await renderJob(job, slot, tools, null);
  const rendered = reports.filter(({ error }) => error === null).length;
  const definitions = await findReports([builtInReports]);
  output.write(
    whatToLookAt(relative('.', folder) || '.', loaded.posts.new, rendered, definitions.values()),
  );
  return exitCodeOf({ workspaces, reports, loaded });
}

async function writeConfig(
  folder: string,
  sandbox: Sandbox,
  { clock, environment }: CommandContext,
): Promise<{ config: Config; job: JobConfig }> {
  const file = join(folder, 'jobs.yaml');
  const jobs = await demoJobs(sandbox);
  const head =
    '# Made by `postledger demo`. The sandbox that it names has ended with the demo; the warehouse stays.\n';
  await writeFileAtomic(file, head + stringify(jobs));
  const config = await loadConfig({
    file,
    environment: { ...environment, SANDBOX_API_KEY: sandbox.keys.valid },
    now: clock.now(),
  });
  const [job] = config.jobs.values();
  if (!job) throw new RangeError('the demo has a job');
  return { config, job };
}

/** One job over all profiles of the sandbox, and all reports in the formats that people read. */
async function demoJobs({ url, profiles, workspace }: Sandbox): Promise<object> {
  const reports = await listReportNames([builtInReports]);
  const withAnalytics = profiles.filter(({ kind }) => kind !== 'engagement');
  return {
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    locale: 'en-GB',
    brand: { name: 'Halden Grid' },
    cpm_band: { low: 20, high: 45 },
    workspaces: {
      sandbox: {
        base_url: url,
        api_key: '${SANDBOX_API_KEY}',
        rate_limit: { requests: demoLimit.requests, per_seconds: demoLimit.perSeconds },
        concurrency: 8,
        slug: workspace.slug,
        profiles: withAnalytics.map(({ id, name }) => ({ id, name, cpm: fallbackCpm })),
      },
    },
    jobs: {
      demo: {
        profiles: ['sandbox/*'],
        windows: { days: 760, size_days: 30, refresh_days: 35 },
        details: ['post', 'approvals', 'comments'],
        reports: reports.map((report) => ({
          report,
          period: report === 'growth' ? growthPeriod : demoPeriod,
          formats: ['csv', 'xlsx', 'html'],
          out: '.',
        })),
      },
    },
  };
}

/**
 * Reads what a job reads on each of so many days before today, as cron would have, so that posts have a reading at
 * every age; then runs it for today, which loads all of that at once. The clock is at now in the end.
 */
async function runDaily(
  days: number,
  job: JobConfig,
  { clock, ...tools }: RunTools & { readonly clock: EarlierClock },
) {
  const { warn, error } = tools.log;
  const quiet = { ...tools, clock, log: { ...silentLog, warn, error }, progress: silentProgress };
  const options = { full: false, from: null, to: null, reports: false, waitMs: 0 };
  const task = tools.progress.task('daily runs', days + 1, 'days');
  const workspaces = [];
  for (let day = days; day > 0; day -= 1) {
    clock.setBack(day);
    workspaces.push(...(await extractJob(job, options, quiet)));
    task.advance();
  }
  clock.setBack(0);
  const today = await runJob(job, options, quiet);
  task.finish();
  tools.log.info({ runs: days + 1 }, 'the job ran as on each of these days');
  return { workspaces: [...workspaces, ...today.workspaces], loaded: today.loaded };
}

/** Deletes posts as people would in the workspace. The receiver gets an event for each. */
async function deleteSomePosts(sandbox: Sandbox, tools: RunTools): Promise<void> {
  const { config, clock, log } = tools;
  const ids = await somePostIds(config.warehouse, clock.now());
  for (const id of ids) await sandbox.deletePost(id);
  await load({ config, clock, log, waitMs: 0 });
  log.info({ posts: ids.length }, 'posts were deleted in the sandbox; their events are loaded');
}

/** Lists some posts that the reports cover. */
async function somePostIds(warehouse: Config['warehouse'], now: Date): Promise<string[]> {
  const database = await openWarehouse(warehouse);
  try {
    const { from, to } = resolvePeriod(demoPeriod, now, 'UTC');
    const params = { from, to, count: demoDeletions };
    const { rows } = await database.query(await readSql('demo/some_posts.sql'), params);
    return rows.map(([id]) => String(id));
  } finally {
    database.close();
  }
}

function whatToLookAt(
  folder: string,
  posts: number,
  reports: number,
  definitions: Iterable<ReportDefinition>,
): string {
  const others = [...definitions].filter(({ name }) => name !== firstReport);
  const files: [string, string][] = [
    [`${firstReport}.html`, 'open this first, in a browser'],
    [`${firstReport}.xlsx`, 'the same figures, a sheet per section'],
    [`${firstReport}/by_month.csv`, 'and as plain tables'],
    ...others.map(({ name, description }): [string, string] => [`${name}.html`, description]),
  ];
  return `
The demo read ${thousands(posts)} made-up posts and rendered ${reports} reports into ${folder}/

${files.map(([file, what]) => `  ${folder}/${file.padEnd(18)}  ${what}`).join('\n')}

The warehouse is ${folder}/data/postledger.duckdb; ask it something:

  postledger sql --config ${folder}/jobs.yaml "select profile, count(*) as posts, sum(emv) as emv from post_performance group by all order by emv desc"
`;
}

async function prepareFolder(folder: string): Promise<void> {
  if (!(await isReplaceable(folder))) {
    throw new UsageError(
      `${folder} holds something that no demo made; name another folder with --out, or move it away`,
    );
  }
  await rm(folder, { recursive: true, force: true });
  await shareFolder(folder);
  await writeFileAtomic(join(folder, marker), 'Made by `postledger demo`, which may replace it.\n');
}

/** A folder that is missing, empty, or an earlier demo's. */
async function isReplaceable(folder: string): Promise<boolean> {
  const names = await namesIn(folder);
  return names.length === 0 || names.includes(marker);
}
