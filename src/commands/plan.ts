import { requireApiKeys, selectJobs, selectProfiles } from '../config/select.ts';
import type { Config, JobConfig, ProfileConfig } from '../config/config.ts';
import { exitCodes } from '../core/errors.ts';
import { planNow, type PlannedJob } from '../pipeline/plan-now.ts';
import { planCost, type PlanCost } from '../plan/plan-job.ts';
import type { WindowReason, WorkspacePlan } from '../plan/plan.ts';
import { refuseInternal } from './internal-reports.ts';
import { refuseTakenNames } from '../report/report-catalog.ts';
import { printResult, type CommandContext, type Output, type Register } from './context.ts';
import { collect, parseDay } from './option-values.ts';
import { listing, type Column, type Listing } from './listing.ts';
import { plural, timeSpan } from '../core/wording.ts';

export const register: Register = (program, invoke) => {
  program
    .command('plan')
    .argument('[job...]', 'jobs of jobs.yaml; all when none is named')
    .option('--full', 'as run --full')
    .option('--profile <pattern>', 'as run --profile', collect)
    .option('--from <day>', 'as run --from', parseDay)
    .option('--to <day>', 'as run --to', parseDay)
    .option('--json', 'every date range and post, as JSON')
    .addHelpText(
      'after',
      `
Post details are planned by what is known now; a run finds more once it has read the date ranges.

Examples:
  $ postledger plan
  $ postledger plan daily --full
  $ postledger plan --from 2025-03-01 --to 2025-03-31 --json`,
    )
    .action((names, options) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        const jobs = selectProfiles(config, selectJobs(config, names), options.profile ?? []);
        requireApiKeys(config, jobs);
        await refuseTakenNames(config.folder);
        await refuseInternal(config);
        const { full = false, from = null, to = null } = options;
        const planned = await planNow(jobs, { full, from, to }, { config, clock: context.clock });
        if (planned.some(({ pendingRuns }) => pendingRuns > 0)) warnOfPendingRuns(context);
        const plans = planned.map((one) => withCosts(one, config));
        const text = () => plans.map((plan) => jobText(plan, config, context.output)).join('\n');
        printResult(context.output, options, planJson(plans), text);
        return exitCodes.done;
      }),
    );
};

interface JobPlan {
  readonly job: JobConfig;
  readonly workspaces: readonly { readonly plan: WorkspacePlan; readonly cost: PlanCost }[];
}

function withCosts({ job, workspaces }: PlannedJob, config: Config): JobPlan {
  return {
    job,
    workspaces: workspaces.flatMap((plan) => {
      const workspace = config.workspaces.get(plan.workspace);
      return workspace ? [{ plan, cost: planCost(plan, workspace.rateLimit) }] : [];
    }),
  };
}

/** A run loads these first, which may make its plan smaller. */
function warnOfPendingRuns({ log }: CommandContext): void {
  log.warn(
    {},
    'an earlier run was cut off or is under way; posts that it found are planned for once they are loaded',
  );
}

function jobText({ job, workspaces }: JobPlan, config: Config, output: Output): string {
  const profiles = workspaces.flatMap(({ plan }) => plannedProfiles(job, plan));
  const lines = workspaces.flatMap(({ plan, cost }) => [
    costLine(cost, job, config),
    ...halvesLines(plan, config),
  ]);
  const table = listing(profileListing(profiles, config), output);
  return `Job ${job.name}\n\n${table}\n\n${lines.join('\n')}\n`;
}

interface PlannedProfile {
  readonly profile: ProfileConfig;
  readonly windows: WorkspacePlan['windows'];
  /** The first and last days of its date ranges, the earliest first. */
  readonly days: readonly string[];
}

function plannedProfiles(job: JobConfig, plan: WorkspacePlan): PlannedProfile[] {
  const profiles = job.profiles.filter(({ workspace }) => workspace === plan.workspace);
  return profiles.map((profile) => {
    const windows = plan.windows.filter((planned) => planned.profile.id === profile.id);
    const days = windows.flatMap(({ window }) => [window.start, window.end]).sort();
    return { profile, windows, days };
  });
}

/** The heads of the columns, in their order. */
const reasonHeads: Readonly<Record<WindowReason, string>> = {
  'never-read': 'Never read',
  failed: 'Failed',
  unchecked: 'Unchecked',
  young: 'Young',
  aged: 'Old',
  asked: 'Asked',
};

/** Has a column for each reason for which some date range is read. */
function profileListing(rows: readonly PlannedProfile[], config: Config): Listing<PlannedProfile> {
  const given = new Set(rows.flatMap(({ windows }) => windows.map(({ reason }) => reason)));
  const all = Object.keys(reasonHeads) as WindowReason[];
  const reasons = all.filter((reason) => given.has(reason));
  return {
    rows,
    columns: [
      ['Profile', ({ profile }) => profileName(profile, config)],
      ['Date ranges', ({ windows }) => windows.length],
      ...reasons.map((reason): Column<PlannedProfile> => {
        const count = ({ windows }: PlannedProfile) =>
          windows.filter((planned) => planned.reason === reason).length;
        return [reasonHeads[reason], count];
      }),
      ['From', ({ days }) => days[0]],
      ['To', ({ days }) => days.at(-1)],
    ],
  };
}

function profileName({ workspace, name }: ProfileConfig, config: Config): string {
  return config.workspaces.size > 1 ? `${workspace}/${name}` : name;
}

/** The date ranges that cost more than one request each. */
function halvesLines({ windows }: WorkspacePlan, config: Config): string[] {
  const parts = new Map<string, number>();
  for (const { profile, parentWindow } of windows) {
    if (parentWindow === null) continue;
    const whole = `${profileName(profile, config)} ${parentWindow.start} to ${parentWindow.end}`;
    parts.set(whole, (parts.get(whole) ?? 0) + 1);
  }
  return [...parts].map(
    ([whole, count]) =>
      `  ${whole}: in halves (${plural(count, 'request')}), as the service cuts off the answers for this date range`,
  );
}

/** `acme: 12 date ranges, 40 post details known to be due; 52 requests or more at 100 per 60 s` */
function costLine(cost: PlanCost, { details }: JobConfig, config: Config): string {
  const { workspace, windows, requests, seconds } = cost;
  const limit = config.workspaces.get(workspace)?.rateLimit;
  const quota = limit ? ` at ${limit.requests} per ${limit.perSeconds} s` : '';
  const kinds = details.length > 1 ? ` (${details.join(', ')})` : '';
  const known = `, ${plural(cost.details, 'post detail')}${kinds} known to be due`;
  const more = details.length > 0 && windows > 0 ? ' or more' : '';
  const time = seconds > 0 ? `, ${timeSpan(seconds)} or more` : '';
  return `${workspace}: ${plural(windows, 'date range')}${details.length > 0 ? known : ''}; ${plural(requests, 'request')}${more}${time}${quota}`;
}

function planJson(plans: readonly JobPlan[]) {
  const costs = plans.flatMap(({ workspaces }) => workspaces.map(({ cost }) => cost));
  return {
    requests: costs.reduce((sum, { requests }) => sum + requests, 0),
    seconds: Math.max(0, ...costs.map(({ seconds }) => seconds)),
    jobs: plans.map(({ job, workspaces }) => ({
      job: job.name,
      workspaces: workspaces.map(({ plan, cost }) => ({
        workspace: plan.workspace,
        requests: cost.requests,
        seconds: cost.seconds,
        windows: plan.windows.map(({ profile, window, reason, parentWindow }) => ({
          profile_id: profile.id,
          profile: profile.name,
          start_date: window.start,
          end_date: window.end,
          reason,
          part_of: parentWindow && { start_date: parentWindow.start, end_date: parentWindow.end },
        })),
        details: plan.details.map(({ postId, kind, reason }) => ({
          post_id: postId,
          kind,
          reason,
        })),
      })),
    })),
  };
}
