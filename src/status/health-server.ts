import { Hono } from 'hono';
import type { Clock } from '../core/clock.ts';
import { closeServer, createLimitedServer, listen, sendMetrics } from '../core/http-server.ts';
import type { Log } from '../core/log.ts';
import { problemText } from '../core/machine-problem.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { readStatus } from './status.ts';
import { judgeJobs } from './job-health.ts';
import { problemSentences } from './problem-sentences.ts';
import { collectMetrics } from './metrics-file.ts';

/**
 * Serves GET /health and GET /metrics of a schedule on loopback.
 * @param port 0 for any free port
 * @throws ListenError
 */
export async function startHealthServer(
  schedule: Schedule,
  port: number,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
) {
  const startedAt = clock.now().toISOString();
  const read = async () => {
    const status = await readStatus(schedule.config, clock);
    return { status, jobs: judgeJobs(schedule.jobs(), status, clock.now()) };
  };
  // requests that come while one reads share its result
  let reading: ReturnType<typeof read> | null = null;
  const readOnce = () => (reading ??= read().finally(() => (reading = null)));
  const app = new Hono();
  app.get('/health', async (context) => {
    const { status, jobs } = await readOnce();
    const unread = status.open_problems.filter(({ kind }) => kind === 'unread_source');
    const problems = problemSentences(unread);
    const isHealthy = problems.length === 0 && jobs.every((job) => job.problems.length === 0);
    const body = { status: isHealthy ? 'ok' : 'failing', started_at: startedAt, problems, jobs };
    return context.json(body, isHealthy ? 200 : 503);
  });
  app.get('/metrics', async (context) => {
    const { status, jobs } = await readOnce();
    return sendMetrics(context, await collectMetrics(status, clock.now(), jobs));
  });
  app.onError((error, context) => {
    log.error({}, `the state of the schedule could not be read: ${problemText(error)}`);
    return context.json({ status: 'failing', problems: ['see the log'] }, 503);
  });
  const server = createLimitedServer(app, log);
  const origin = await listen(server, { name: 'the schedule', port, setting: '--health-port' });
  return {
    /** For example `http://127.0.0.1:9465`. */ origin,
    close: () => closeServer(server, 0),
  };
}
