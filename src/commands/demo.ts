import { access, readdir, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { loadConfig } from '../config/load-config.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { dayOf, type Day } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { UsageError, hasErrorCode, type ExitCode } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import { shareFolder } from '../core/private-files.ts';
import { load, nothingNew } from '../load/load.ts';
import { renderJobReports } from '../pipeline/job-reports.ts';
import type { RunTools } from '../pipeline/workspace-run.ts';
import { builtInReports, listReportNames } from '../report/report-catalog.ts';
import type { WebhookAddress } from '../sandbox/events/webhook-receiver.ts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { openWarehouse } from '../warehouse/warehouse.ts';
import type { CommandContext, Register } from './context.ts';
import { demoJobs, demoPeriod } from './demo-jobs.ts';
import { EarlierClock, runDaily } from './demo-history.ts';
import { startDemoReceiver } from './demo-receiver.ts';
import { exitCodeOf } from './run.ts';

/** Says that the folder is the demo's own, so that the next demo may replace it. */
const marker = '.postledger-demo';
/** The real limit would make the demo last a quarter of an hour. */
const demoLimit = { requests: 6000, perSeconds: 60 };
const demoDeletions = 12;
/** So many that posts have been read at the age of 1, 7 and 30 days. */
const defaultDays = 36;

export const registerDemo: Register = (program, invoke) => {
  program
    .command('demo')
    .description('sandbox, run and all reports in one go')
    .option('--out <dir>', 'where everything goes; replaced when an earlier demo made it', './demo')
    .option('--days <n>', 'daily runs before that of today', parseDays, defaultDays)
    .addHelpText(
      'after',
      `
Starts a sandbox with made-up posts of 5 profiles over two years, runs a job against it as cron would have
on each of the last days, deletes a few posts there, takes in the events that tell of it, and renders all
reports. Nothing leaves this machine.`,
    )
    .action((options) =>
      invoke(async (context) => {
        const folder = resolve(options.out);
        await prepareFolder(folder);
        const { clock, environment } = context;
        reachLoopbackDirectly(environment);
        const { receiver, address } = await startDemoReceiver(join(folder, 'data'), clock);
        try {
          const earlier = new EarlierClock(clock, options.days);
          return await withSandbox(address, earlier, (sandbox) =>
            runDemo(folder, options.days, sandbox, { ...context, clock: earlier }),
          );
        } finally {
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

async function withSandbox<T>(
  webhook: WebhookAddress,
  clock: Clock,
  work: (sandbox: Sandbox) => Promise<T>,
): Promise<T> {
  const sandbox = await startSandbox({ clock, log: silentLog, rateLimit: demoLimit, webhook });
  try {
    return await work(sandbox);
  } finally {
    await sandbox.close();
  }
}

async function runDemo(
  folder: string,
  days: number,
  sandbox: Sandbox,
  context: CommandContext & { readonly clock: EarlierClock },
): Promise<ExitCode> {
  const { output, environment, clock } = context;
  const { requests, perSeconds } = demoLimit;
  context.log.info(
    {},
    `sandbox at ${sandbox.url}; its limit is raised to ${requests} requests per ${perSeconds} s for the demo (the API's is 100)`,
  );
  const file = join(folder, 'jobs.yaml');
  const names = await listReportNames([builtInReports]);
  clock.setBack(0);
  const today = dayOf(clock.now(), 'UTC');
  await writeFileAtomic(file, demoJobs(sandbox, { limit: demoLimit, today, reports: names }));
  const config = await loadConfig({
    file,
    environment: { ...environment, SANDBOX_API_KEY: sandbox.keys.valid },
    now: clock.now(),
  });
  const [job] = config.jobs.values();
  if (!job) throw new RangeError('the demo has a job');
  const tools = { config, ...context };
  const options = { full: false, from: null, to: null, reports: false, waitMs: 0 };
  const outcomes = await runDaily(days, job, options, tools);
  context.log.info({ runs: outcomes.length }, 'the job ran as on each of these days');
  await deleteSomePosts(sandbox, tools);
  const reports = await renderJobReports(job, tools);
  const posts = outcomes.reduce((sum, { loaded }) => sum + loaded.posts.new, 0);
  const rendered = reports.filter(({ error }) => error === null).length;
  output.write(whatToLookAt(relative('.', folder) || '.', posts, rendered));
  const workspaces = outcomes.flatMap((outcome) => outcome.workspaces);
  const [last] = outcomes.slice(-1);
  return exitCodeOf({ workspaces, reports, loaded: last?.loaded ?? nothingNew });
}

/** As people would in the workspace; the receiver is told of each. */
async function deleteSomePosts(sandbox: Sandbox, tools: RunTools): Promise<void> {
  const { config, clock, log } = tools;
  const ids = await somePostIds(config.warehouse, dayOf(clock.now(), 'UTC'));
  for (const id of ids) await sandbox.deletePost(id);
  await load({ config, clock, log, waitMs: 0 });
  log.info({ posts: ids.length }, 'posts were deleted in the sandbox; their events are loaded');
}

/** Of posts that the reports cover. */
async function somePostIds(warehouse: string, today: Day): Promise<string[]> {
  const database = await openWarehouse(warehouse);
  try {
    const params = { ...demoPeriod(today), count: demoDeletions };
    const { rows } = await database.query(await readSql('demo/some_posts.sql'), params);
    return rows.map(([id]) => String(id));
  } finally {
    database.close();
  }
}

function parseDays(text: string): number {
  const days = Number(text);
  if (/^\d{1,3}$/.test(text) && days <= 365) return days;
  throw new InvalidArgumentError('It takes a whole number from 0 to 365.');
}

function whatToLookAt(folder: string, posts: number, reports: number): string {
  return `
The demo read ${posts.toLocaleString('en-US')} made-up posts and rendered ${reports} reports into ${folder}/

  ${folder}/emv.html            open this first, in a browser
  ${folder}/engagement.html     when and what engages
  ${folder}/video.html          impressions, views, watch time
  ${folder}/campaigns.html      what each campaign brought, day by day
  ${folder}/labels.html         posts with a label against those without
  ${folder}/growth.html         how fast posts gain, from the daily readings
  ${folder}/removed.html        posts that were deleted since, and what they had brought
  ${folder}/quality.html        what the figures rest on: gaps, coverage, what was rejected
  ${folder}/emv.xlsx            the same figures, a sheet per section
  ${folder}/emv/by_month.csv    and as plain tables

The warehouse is ${folder}/data/postledger.duckdb; ask it something:

  postledger sql --config ${folder}/jobs.yaml "select profile, count(*) as posts, sum(emv) as emv from post_performance group by all order by emv desc"
`;
}

async function prepareFolder(folder: string): Promise<void> {
  if (await isForeign(folder)) {
    throw new UsageError(
      `${folder} holds something that no demo made; name another folder with --out, or move it away`,
    );
  }
  await rm(folder, { recursive: true, force: true });
  await shareFolder(folder);
  await writeFileAtomic(join(folder, marker), 'Made by `postledger demo`, which may replace it.\n');
}

async function isForeign(folder: string): Promise<boolean> {
  try {
    if ((await readdir(folder)).length === 0) return false;
    await access(join(folder, marker));
    return false;
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
    return await exists(folder);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
