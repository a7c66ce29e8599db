import type { Command } from '@commander-js/extra-typings';
import { didYouMean } from '../core/nearest.ts';
import type { Config } from '../config/config.ts';
import { selectJobs } from '../config/select.ts';
import { exitCodes, UsageError } from '../core/errors.ts';
import { plural, shortTime, thousands, timeSpan } from '../core/wording.ts';
import { deliveryJson, deliverySentence, type Delivery } from '../deliver/delivery.ts';
import { readAllDeliveries } from '../deliver/outbox.ts';
import { listReports, type ReportRecord } from '../output/written-reports.ts';
import { readRunStory, type RunStory } from '../status/run-story.ts';
import { readRuns, type RunStatus } from '../status/runs.ts';
import { printResult, type Invoke, type Register } from './context.ts';
import { wholeNumber } from './option-values.ts';
import { listing, printListing, type Listing } from './listing.ts';
import { linesBlock, runListing, type Line } from './status-text.ts';
import type { LocalTerminal } from './view.ts';
import { reasonSentences } from '../status/problem-sentences.ts';

export const register: Register = (program, invoke) => {
  const runs = program.command('runs');
  addList(runs, invoke);
  addShow(runs, invoke);
};

function addList(runs: Command, invoke: Invoke): void {
  runs
    .command('list')
    .description('list runs, the newest first')
    .option('--job <job>', 'only the runs of this job')
    .option('--last <count>', 'how many of the newest; 0: all', wholeNumber(0), 20)
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ postledger runs list
  $ postledger runs list --job daily --last 5
  $ postledger runs list --last 0 --json | jq '.[] | select(.status != "succeeded")'`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, output }) => {
        const config = await loadConfig();
        const { job, last } = options;
        const all = (await readRuns(config)).filter((run) => run.job === (job ?? run.job));
        // a job that jobs.yaml no longer has may still have runs
        if (job !== undefined && all.length === 0) selectJobs(config, [job]);
        const shown = last === 0 ? all : all.slice(0, last);
        printListing(output, options, runListing(shown, config.timezone));
        return exitCodes.done;
      }),
    );
}

function addShow(runs: Command, invoke: Invoke): void {
  runs
    .command('show')
    .description('show what a run read, what failed and why, and the reports that came of it')
    .argument('<id>', 'the run, by the beginning of its id or of the part after the hyphen')
    .option('--json', 'with every date range, as JSON')
    .addHelpText(
      'after',
      `
A report or delivery counts as the run's if it was made after the run's start and before that of the next run of its
job. A later run that wrote a report into the same folder has it instead.

Examples:
  $ postledger runs show 20260115T051500Z-3f2a1c
  $ postledger runs show 3f2a
  $ postledger runs show 3f2a --json | jq '.date_ranges[] | select(.status == "failed")'`,
    )
    .action((id, options) =>
      invoke(async ({ loadConfig, output }) => {
        const config = await loadConfig();
        const all = await readRuns(config);
        const run = findRun(all, id);
        const next = all.findLast(
          ({ job, started_at: at }) =>
            job === run.job && Date.parse(at) > Date.parse(run.started_at),
        );
        const story = await readRunStory(run, config);
        const results = await readResults(run, next, config);
        const terminal = { ...output, timezone: config.timezone };
        const deliveries = results.deliveries.map(deliveryJson);
        printResult(output, options, { ...story, ...results, deliveries }, () =>
          storyText({ ...story, ...results, isNewest: next === undefined }, terminal),
        );
        return exitCodes.done;
      }),
    );
}

/** @throws UsageError unless exactly one run's id, or its part after the hyphen, begins with `start` */
function findRun(runs: readonly RunStatus[], start: string): RunStatus {
  const found = runs.filter(
    ({ run_id: id }) => id.startsWith(start) || id.slice(id.indexOf('-') + 1).startsWith(start),
  );
  const [only] = found;
  if (only && (found.length === 1 || start === only.run_id)) return only;
  const ids = (only ? found : runs).map(({ run_id: id }) => id);
  const problem = only ? `there are ${found.length} runs` : 'there is no run';
  const hint = only
    ? `the newest of them: ${ids.slice(0, 5).join(', ')}`
    : didYouMean(start, ids) || 'see: postledger runs list --last 0';
  throw new UsageError(`${problem} whose id begins with ${JSON.stringify(start)}; ${hint}`);
}

/** Reads the reports and deliveries that the job has made since the run's start and before its next run. */
async function readResults(run: RunStatus, next: RunStatus | undefined, config: Config) {
  const isOfRun = (job: string, time: string) =>
    job === run.job &&
    Date.parse(time) >= Date.parse(run.started_at) &&
    !(next && Date.parse(time) >= Date.parse(next.started_at));
  const reports = (await listReports(config)).filter((made) => isOfRun(made.job, made.written_at));
  const deliveries = await readAllDeliveries(config.dataDir);
  return {
    reports,
    deliveries: deliveries.filter(({ record }) => isOfRun(record.job, record.created_at)),
  };
}

interface WholeStory extends RunStory {
  readonly reports: readonly ReportRecord[];
  readonly deliveries: readonly Delivery[];
  /** True if its job has no later run. */
  readonly isNewest: boolean;
}

function storyText(story: WholeStory, terminal: LocalTerminal): string {
  const { date_ranges: ranges, reports, deliveries } = story;
  const results = [
    ...reports.map(({ report, client, folder, files, error }): Line => {
      const name = client === null ? report : `${report} for ${client.key}`;
      const failed = error === null ? '' : `; it failed: ${error}`;
      return ['Report', `${name}: ${plural(files.length, 'file')} in ${folder}${failed}`];
    }),
    ...deliveries.map((delivery): Line => [
      'Delivery',
      `${delivery.record.id}  ${deliverySentence(delivery)}`,
    ]),
  ];
  const blocks = [
    linesBlock(headLines(story, terminal), terminal, 11),
    listing(rangeListing(ranges), terminal),
    ...[problemLines(story), results, remedyLines(story)].map((lines) =>
      linesBlock(lines, terminal, 11),
    ),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function remedyLines({ job, status, isNewest, errors, damaged }: WholeStory): Line[] {
  const run = `postledger run ${job}`;
  return [
    ...(isNewest && status === 'interrupted' ? [`\`${run}\` continues from there`] : []),
    ...(isNewest && errors.length > 0
      ? ['`postledger catch-up` reads what failed or was skipped; the next run reads it too']
      : []),
    ...(damaged.length > 0 ? ['`postledger verify` says what to do about damaged files'] : []),
  ].map((text) => ['Next', text]);
}

function headLines(story: RunStory, { timezone }: LocalTerminal): Line[] {
  const { started_at: start, finished_at: end, retries, throttled, waited_seconds: waited } = story;
  const seconds = end === null ? null : Math.round((Date.parse(end) - Date.parse(start)) / 1000);
  const spent = [
    ...(retries === null ? [] : [`${thousands(retries)} retried`]),
    ...(throttled === null ? [] : [`${thousands(throttled)} throttled`]),
    ...(waited === null ? [] : [`${timeSpan(waited)} waited for the limit`]),
  ];
  const took = seconds === null ? '' : `; reading took ${timeSpan(seconds)}`;
  return [
    ['Run', story.run_id],
    ['Job', story.job],
    ['Status', story.status],
    ['Started', `${shortTime(start, timezone)}${took}`],
    ['Requests', `${thousands(story.requests)}${spent.length > 0 ? ` (${spent.join(', ')})` : ''}`],
    ['Posts', `${thousands(story.posts_read)} read, ${plural(story.rejected, 'record')} rejected`],
    ...story.details.map(({ workspace, kind, found, missing, failed }): Line => {
      const others = `${thousands(missing)} missing, ${thousands(failed)} failed`;
      return ['Details', `${workspace}, ${kind}: ${thousands(found)} found, ${others}`];
    }),
  ];
}

type DateRange = RunStory['date_ranges'][number];

/** A row for each profile, with its date ranges. */
function rangeListing(all: readonly DateRange[]): Listing<readonly DateRange[]> {
  const nameOf = ({ workspace, profile }: DateRange) => `${workspace}/${profile}`;
  const names = [...new Set(all.map(nameOf))];
  const days = (ranges: readonly DateRange[]) =>
    ranges.flatMap((range) => [range.start_date, range.end_date]).sort();
  const sum = (count: (range: DateRange) => number) => (ranges: readonly DateRange[]) =>
    ranges.reduce((total, range) => total + count(range), 0);
  return {
    rows: names.map((name) => all.filter((range) => nameOf(range) === name)),
    columns: [
      ['Profile', ([range]) => range && nameOf(range)],
      ['From', (ranges) => days(ranges)[0]],
      ['To', (ranges) => days(ranges).at(-1)],
      ['Date ranges read', sum(({ status }) => Number(status === 'succeeded'))],
      ['Not read', sum(({ status }) => Number(status !== 'succeeded'))],
      ['Requests', sum(({ requests }) => requests)],
      ['Posts read', sum(({ posts_read: posts }) => posts)],
    ],
    empty: 'No date range was read.',
  };
}

function problemLines({ errors, damaged, rejected, run_id: id }: RunStory): Line[] {
  const query = `select source, field, reason, payload from rejected_records where run_id = '${id}'`;
  return [
    ...reasonSentences(errors, 'request').map((text): Line => ['Failed', text]),
    ...damaged.map((text): Line => ['Damaged', text]),
    ...(rejected > 0 ? [['Rejected', `see: postledger sql "${query}"`] as const] : []),
  ];
}
