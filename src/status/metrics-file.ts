import { writeFile } from 'node:fs/promises';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { problemText } from '../core/machine-problem.ts';
import { writeOutput } from '../core/private-files.ts';
import { readStatus, type Status } from './status.ts';
import type { JobHealth } from './job-health.ts';

/** Writes the state of all jobs to `metrics_file`. What fails is logged, and costs a run nothing. */
export async function writeMetricsFile(
  config: Config,
  { clock, log }: { clock: Clock; log: Log },
): Promise<void> {
  const { metricsFile: path } = config;
  if (path === null) return;
  try {
    const status = await readStatus(config, clock);
    const registry = await collectMetrics(status, clock.now());
    const text = await registry.metrics();
    // the collector is another user
    await writeOutput(path, (draft) => writeFile(draft, text), { mode: 0o644 });
  } catch (error) {
    log.warn({ file: path }, `metrics_file was not written: ${problemText(error)}`);
  }
}

/** @param scheduled the jobs of the running schedule, if it asks */
export async function collectMetrics(
  status: Status,
  now: Date,
  scheduled: readonly JobHealth[] = [],
): Promise<Registry> {
  const prometheus = await import('prom-client');
  const registry = new prometheus.Registry();
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new prometheus.Gauge({ name: `postledger_${name}`, help, labelNames, registers: [registry] });
  const updated = gauge('updated_timestamp_seconds', 'When this was written.', []);
  updated.set(now.getTime() / 1000);
  const succeeded = gauge('last_run_succeeded', 'Whether the last run of the job read all.', [
    'job',
  ]);
  const started = gauge('last_run_timestamp_seconds', 'When the last run of the job began.', [
    'job',
  ]);
  for (const { job, last_run: run } of status.jobs) {
    if (!run) continue;
    succeeded.set({ job }, run.status === 'succeeded' ? 1 : 0);
    started.set({ job }, Date.parse(run.started_at) / 1000);
  }
  const labels: ('workspace' | 'profile')[] = ['workspace', 'profile'];
  const read = gauge('last_read_timestamp_seconds', 'When the profile was last read.', labels);
  const failed = gauge('failed_windows', 'Date ranges whose last reading failed.', labels);
  for (const each of status.profiles) {
    const { workspace, name: profile, last_read_at: at, failed_windows } = each;
    // the time of one that has ended grows old for good
    if (at !== null && !each.has_ended) read.set({ workspace, profile }, Date.parse(at) / 1000);
    failed.set({ workspace, profile }, failed_windows.length);
  }
  const rejected = gauge('rejected_records', 'Records that could not be loaded.', []);
  rejected.set(status.rejected.reduce((sum, { records }) => sum + records, 0));
  const warnings = gauge('data_warnings', 'Suspicious findings in loaded data.', []);
  warnings.set(status.warnings.length);
  const waiting = gauge('deliveries', 'Reports in the outbox that were not sent.', ['state']);
  // a 0 would say that no delivery failed
  if (!status.problems.some(({ subject }) => subject === 'deliveries'))
    for (const [state, count] of Object.entries(status.deliveries)) waiting.set({ state }, count);
  const bytes = gauge('warehouse_bytes', 'Size of the warehouse.', []);
  bytes.set(status.warehouse.bytes ?? 0);
  if (status.free_bytes !== null)
    gauge('free_bytes', 'What the disk of data_dir has left.', []).set(status.free_bytes);
  if (scheduled.length === 0) return registry;
  const healthy = gauge('job_healthy', '0 if the last run failed, or a run is overdue.', ['job']);
  const next = gauge('next_run_timestamp_seconds', 'When the job is started next.', ['job']);
  for (const { job, next_run_at: at, problems } of scheduled) {
    healthy.set({ job }, problems.length === 0 ? 1 : 0);
    if (at !== null) next.set({ job }, Date.parse(at) / 1000);
  }
  return registry;
}
