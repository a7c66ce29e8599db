import type { Config, JobConfig } from '../config/config.ts';
import { BusyError, InterruptedError, PostledgerError } from '../core/errors.ts';
import { problemText } from '../core/machine-problem.ts';
import type { Delivery } from '../deliver/delivery.ts';
import { sendUnsent } from '../deliver/notify.ts';
import { readOutbox } from '../deliver/outbox.ts';
import { loadSentence } from '../load/load-summary.ts';
import { load } from '../load/load.ts';
import {
  listPendingEvents,
  listPendingRuns,
  nothingLoaded,
  readLoadedState,
} from '../load/pending.ts';
import { slotOf } from '../schedule/slot.ts';
import {
  hasUnexpected,
  openProblems,
  pendingEvents,
  type OpenProblem,
  type ProblemKind,
} from '../status/open-problems.ts';
import { startOfRun } from '../store/layout.ts';
import { listRunNames } from '../store/run-folder.ts';
import { listOpenRuns, listUnloadedRuns } from '../store/run-lock.ts';
import type { Database } from '../warehouse/database.ts';
import { withPublished } from '../warehouse/warehouse.ts';
import { beginRecords, sendDeliveries } from './deliveries.ts';
import { notifyHeld } from './held-news.ts';
import { renderHeld } from './known-deliveries.ts';
import { waitingJobs } from './plan-now.ts';
import { workspacesOf } from './run-context.ts';
import type { RunTools } from '../config/run-tools.ts';
import { sendReviewNotices } from './review-notices.ts';
import type { WatchedOutcome } from './run-summary.ts';
import { finishErasures } from '../maintenance/erase.ts';
import { runWatched } from './watched-run.ts';
import { listReports } from '../output/written-reports.ts';

/** What was done between scheduled times. */
export type CaughtUp = Awaited<ReturnType<typeof catchUp>>;

/**
 * Does what waits between scheduled times: continues runs that were cut off, reads again what failed or was skipped,
 * loads what is on disk, renders reports that failed or are held, and sends what is queued. What another process is at
 * is left to it.
 * @throws InterruptedError when the signal aborts
 */
export async function catchUp(tools: RunTools) {
  const { config, log } = tools;
  const runs: WatchedOutcome[] = [];
  // each says in a sentence what was done beside the runs
  const done: string[] = [];
  const deliveries: Delivery[] = [];
  const failures: string[] = [];
  const fail = (problem: string) => {
    failures.push(problem);
    log.error({}, problem);
  };
  // A step that fails does not stop the others. Where another process is busy with it, that process does it.
  const attempt = async (what: string, step: () => Promise<void>) => {
    try {
      await step();
    } catch (error) {
      if (error instanceof InterruptedError || !(error instanceof PostledgerError)) throw error;
      if (error instanceof BusyError) log.info({}, `${what}: ${error.message}`);
      else fail(`${what}: ${problemText(error)}`);
    }
  };
  const begun = tools.clock.now();
  await finishErasures(0, tools);
  let due = await findDue(tools);
  if (due.hasUnloaded)
    await attempt('load', async () => {
      const loaded = await load({ ...tools, waitMs: 0 });
      if (loaded.isPublished || loaded.damaged > 0) done.push(loadSentence(loaded));
      due = await findDue(tools);
    });
  for (const { job, onlyWaiting } of due.jobs) {
    await attempt(`run ${job.name}`, async () => {
      const request = { full: false, from: null, to: null, onlyWaiting };
      const outcome = await runWatched(job, { ...request, reports: true, waitMs: 0 }, tools);
      runs.push(outcome);
    });
  }
  const waiting = openProblems({ deliveries: await readOutbox(config.dataDir) });
  if (waiting.some(({ kind }) => deliveryKinds.includes(kind))) {
    await attempt('deliver', async () => {
      await beginRecords(tools);
      const newlyHeld: Delivery[] = [];
      const rendered = await renderHeld(tools, { newlyHeld }, begun);
      for (const { report, error } of rendered)
        if (error !== null) fail(`report ${report} failed: ${error}`);
      deliveries.push(...(await sendDeliveries(tools)));
      await notifyHeld(newlyHeld, tools);
    });
  }
  await attempt('notify', async () => {
    done.push(...(await sendReviewNotices(tools)));
  });
  const notified = await sendUnsent(tools);
  done.push(...notified.sent);
  for (const problem of notified.problems) log.warn({}, problem);
  const isRefused = hasUnexpected(openProblems({ deliveries }));
  return { runs, done, deliveries, hasFailed: failures.length > 0 || isRefused };
}

/** The deliveries that may be sent now, or rendered again. */
const deliveryKinds: readonly ProblemKind[] = [
  'queued_delivery',
  'held_for_days',
  'held_for_comment',
  'held_for_change',
];

/** Finds what waits. The warehouse is opened once. */
async function findDue(tools: RunTools) {
  const { config, clock } = tools;
  const { dataDir } = config;
  const now = clock.now();
  const jobs = [...config.jobs.values()];
  return withPublished(config.warehouse, async (database) => {
    const waiting = await waitingJobs(jobs, tools, database);
    const runs = await Promise.all(jobs.map(({ name }) => unfinishedRuns(name, dataDir)));
    const undone = [
      ...waiting.map(({ name: job }) => {
        return { kind: 'waiting_ranges' as const, subject: job, job, message: 'has to read again' };
      }),
      ...runs.flat().filter(({ isLive }) => !isLive),
    ];
    const failed = await failedReports(tools);
    const deliveries = await readOutbox(dataDir);
    const facts = { undone, failedReports: failed, deliveries };
    const problems = openProblems(facts, { config, now }).filter(
      ({ until }) => until === null || Date.parse(until) <= now.getTime(),
    );
    const idle = jobs.filter((_, index) => !runs[index]?.some(({ isLive }) => isLive));
    const due = await Promise.all(idle.map((job) => dueJob(job, problems, tools)));
    return {
      /** True if the raw store has what the warehouse has not. */
      hasUnloaded: (await findUnloaded(config, database)).length > 0,
      jobs: due.flatMap((each) => each ?? []),
    };
  });
}

/** Lists the runs of a job that have not ended, and those that have made no reports, since they ended without the warehouse. */
async function unfinishedRuns(job: string, dataDir: string) {
  const open = await listOpenRuns(dataDir, job);
  const unloaded = await listUnloadedRuns(dataDir, job);
  return [...open, ...unloaded.map((runId) => ({ runId, isLive: false }))].map((run) => {
    return {
      kind: 'cut_off_run' as const,
      subject: run.runId,
      job,
      message: 'was cut off',
      ...run,
    };
  });
}

/**
 * Returns a job that has something to read or to render between its times, and whether all is read that is due, as by a
 * run at its time, or only what waits.
 */
async function dueJob(job: JobConfig, due: readonly OpenProblem[], tools: RunTools) {
  const problems = due.filter((each) => each.job === job.name);
  const has = (kind: ProblemKind) => problems.some((each) => each.kind === kind);
  const heldForDays = problems.filter(({ kind }) => kind === 'held_for_days');
  const overAt = heldForDays
    .flatMap(({ until }) => until ?? [])
    .sort()
    .at(-1);
  const isUnread = overAt !== undefined && !(await hasRunSince(overAt, job, tools));
  if (has('cut_off_run') || isUnread) return { job, onlyWaiting: false };
  return has('waiting_ranges') || has('failed_report') ? { job, onlyWaiting: true } : null;
}

/** Returns true if a run of any job has read the job's workspaces since a time. */
async function hasRunSince(time: string, job: JobConfig, { config }: RunTools): Promise<boolean> {
  for await (const { runId } of listRunNames(config.dataDir, workspacesOf(job)))
    if (startOfRun(runId) > new Date(time)) return true;
  return false;
}

/** Lists the reports of each job's last time that could not be rendered. */
async function failedReports({ config, clock }: RunTools) {
  const now = clock.now();
  return (await listReports(config)).flatMap((written) => {
    const { job: name, report, error, slot: text, written_at: at } = written;
    if (error === null) return [];
    const job = config.jobs.get(name);
    const slot = job ? slotOf(job, config.timezone, now) : null;
    if (slot?.text !== text || at === '') return [];
    return [{ job: name, report, error, slotAt: slot.at, attemptedAt: new Date(at) }];
  });
}

/** Finds the first of what the raw store has and the warehouse has not. */
async function findUnloaded(
  { dataDir }: Config,
  database: Database | null,
): Promise<OpenProblem[]> {
  const state = database ? await readLoadedState(database) : nothingLoaded;
  for await (const { folder, status, responses } of listPendingRuns(dataDir, state, {})) {
    const run = { ...folder.record, responses: responses.length, state: status };
    const problems = openProblems({ pending: [run] });
    if (problems.length > 0) return problems;
  }
  return openProblems({ undone: pendingEvents((await listPendingEvents(dataDir, state)).length) });
}
