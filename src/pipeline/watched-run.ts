import type { JobConfig } from '../config/config.ts';
import { exitCodes, InterruptedError, OtherRunError, PostledgerError } from '../core/errors.ts';
import { problemText } from '../core/machine-problem.ts';
import { waitsForPerson } from '../deliver/delivery.ts';
import { notifyOrWarn, ping, type JobNews } from '../deliver/notify.ts';
import { runJob, type RunOptions } from '../pipeline.ts';
import { finishErasures } from '../maintenance/erase.ts';
import { notifyHeld } from './held-news.ts';
import { runAlerts } from './metric-alerts.ts';
import { writeMetricsFile } from '../status/metrics-file.ts';
import { sendReviewNotices } from './review-notices.ts';
import { exitCodeOf, runSummary, type WatchedOutcome } from './run-summary.ts';
import type { RunTools } from '../config/run-tools.ts';

/** Runs a job with its pings and then the alerts, sends the notifications that it gives rise to, and writes its metrics. */
export async function runWatched(
  job: JobConfig,
  options: RunOptions,
  tools: RunTools,
): Promise<WatchedOutcome> {
  const { config, log } = tools;
  const pingWith = async (suffix: string) => {
    const problem = job.ping && (await ping(job.ping, suffix));
    if (problem !== null) log.warn({ job: job.name }, `the ping of ${job.name} failed: ${problem}`);
  };
  const notify = (state: JobNews['state'], text: string, isNew = false) =>
    notifyOrWarn({ job: job.name, state, text, isNew }, tools);
  await pingWith('/start');
  let outcome: WatchedOutcome;
  try {
    await finishErasures(options.waitMs, tools);
    const ran = await runJob(job, options, tools);
    // what was not loaded cannot be asked for
    outcome = { ...ran, failedAlerts: ran.problem === null ? await runAlerts(tools) : [] };
  } catch (error) {
    await pingWith(`/${error instanceof PostledgerError ? error.exitCode : exitCodes.failed}`);
    // another run sends its own, and a person who stops a run knows
    const isNews = !(error instanceof OtherRunError || error instanceof InterruptedError);
    if (isNews) await notify('failed', problemText(error));
    await writeMetricsFile(config, tools);
    throw error;
  }
  await pingWith(`/${exitCodeOf(outcome)}`);
  const forPerson = outcome.newlyHeld.filter(waitsForPerson);
  const hasNews = forPerson.length < outcome.newlyHeld.length;
  await notify(stateOf(outcome), runSummary(outcome), hasNews);
  await notifyHeld(forPerson, tools);
  await sendReviewNotices(tools).catch((error: unknown) => {
    log.warn({ job: job.name }, `links to held mails were not sent: ${problemText(error)}`);
  });
  await writeMetricsFile(config, tools);
  return outcome;
}

/** Alerts that failed have news of their own. */
function stateOf(outcome: WatchedOutcome): JobNews['state'] {
  if (exitCodeOf({ ...outcome, failedAlerts: [] }) !== exitCodes.done) {
    return outcome.workspaces.every(({ status }) => status === 'failed') ? 'failed' : 'partial';
  }
  const { rejected, unreadable, warnings } = outcome.loaded;
  return rejected + unreadable > 0 || warnings.length > 0 ? 'warning' : 'ok';
}
