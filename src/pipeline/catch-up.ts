import type { Config, JobConfig } from '../config/config.ts';
import { endOfDay } from '../core/calendar.ts';
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
import { startOfRun } from '../store/layout.ts';
import { listRunNames } from '../store/run-folder.ts';
import { listOpenRuns, listUnloadedRuns } from '../store/run-lock.ts';
import type { Database } from '../warehouse/database.ts';
import { withPublished } from '../warehouse/warehouse.ts';
import { beginRecords, isSettled, sendDeliveries } from './deliveries.ts';
import { notifyHeld } from './held-news.ts';
import { renderHeld } from './known-deliveries.ts';
import { waitingJobs } from './plan-now.ts';
import type { RunTools } from '../config/run-tools.ts';
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
  if ((await readOutbox(config.dataDir)).some(isDue)) {
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
  const notified = await sendUnsent(tools);
  done.push(...notified.sent);
  for (const problem of notified.problems) log.warn({}, problem);
  const isRefused = deliveries.some((delivery) => !isSettled(delivery));
  return { runs, done, deliveries, hasFailed: failures.length > 0 || isRefused };
}

/** Returns true for a delivery that may be sent now. */
function isDue({ status: { state, waits_for: wait } }: Delivery): boolean {
  const isHeldForMore = wait?.kind === 'approval' && wait.has_other_profiles === true;
  return (
    state === 'queued' ||
    state === 'sending' ||
    wait?.kind === 'days' ||
    wait?.kind === 'comment' ||
    isHeldForMore
  );
}

/** Finds what waits. The warehouse is opened once. */
async function findDue(tools: RunTools) {
  const { config } = tools;
  const jobs = [...config.jobs.values()];
  return withPublished(config.warehouse, async (database) => {
    const waiting = await waitingJobs(jobs, tools, database);
    const due = await Promise.all(jobs.map((job) => dueJob(job, waiting.includes(job), tools)));
    return {
      /** True if the raw store has what the warehouse has not. */
      hasUnloaded: await hasUnloaded(config, database),
      jobs: due.flatMap((each) => each ?? []),
    };
  });
}

/**
 * Returns a job that has something to read or to render between its times, and whether all is read that is due, as by a
 * run at its time, or only what waits.
 * @param isWaiting whether date ranges of the job failed or were skipped
 */
async function dueJob(job: JobConfig, isWaiting: boolean, tools: RunTools) {
  const { dataDir } = tools.config;
  const open = await listOpenRuns(dataDir, job.name);
  if (open.some(({ isLive }) => isLive)) return null;
  // one that ended without the warehouse has made no reports
  const unloaded = await listUnloadedRuns(dataDir, job.name);
  const isCutOff = open.length > 0 || unloaded.length > 0;
  if (isCutOff || (await waitsForNextDay(job, tools))) return { job, onlyWaiting: false };
  return isWaiting || (await hasFailedReport(job, tools)) ? { job, onlyWaiting: true } : null;
}

/** True if a delivery of the job waits for a day that is over by now, and that no run has read since. */
async function waitsForNextDay({ name, profiles }: JobConfig, { config, clock }: RunTools) {
  const now = clock.now();
  const ends = (await readOutbox(config.dataDir)).flatMap(
    ({ record, status: { waits_for: wait } }) => {
      if (record.job !== name || wait?.kind !== 'days') return [];
      const { timezone } = config.clients.get(record.client ?? '') ?? config;
      return wait.days.map(({ last_day: day }) => endOfDay(day, timezone));
    },
  );
  const over = ends.filter((end) => end < now).sort((a, b) => b.getTime() - a.getTime())[0];
  if (!over) return false;
  const workspaces = [...new Set(profiles.map(({ workspace }) => workspace))];
  for await (const { runId } of listRunNames(config.dataDir, workspaces))
    if (startOfRun(runId) > over) return false;
  return true;
}

/**
 * True if a report of the job's last time could not be rendered. The pauses between attempts grow: each is as long as
 * the time from the slot to the last attempt.
 */
async function hasFailedReport(job: JobConfig, { config, clock }: RunTools): Promise<boolean> {
  const now = clock.now();
  const slot = slotOf(job, config.timezone, now);
  return (await listReports(config)).some(({ job: name, error, slot: text, written_at: at }) => {
    if (name !== job.name || error === null || text !== slot.text || at === '') return false;
    const last = Date.parse(at);
    return now.getTime() - last >= last - slot.at.getTime();
  });
}

async function hasUnloaded({ dataDir }: Config, database: Database | null): Promise<boolean> {
  const state = database ? await readLoadedState(database) : nothingLoaded;
  for await (const run of listPendingRuns(dataDir, state, {}))
    if (run.responses.length > 0 || run.status === 'finished') return true;
  return (await listPendingEvents(dataDir, state)).length > 0;
}
