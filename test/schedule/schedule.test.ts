import { describe, expect, it, onTestFinished } from 'vitest';
import type { Config, JobConfig } from '../../src/config/config.ts';
import { InterruptedError, UsageError } from '../../src/core/errors.ts';
import type { Log } from '../../src/core/log.ts';
import { Schedule, type ScheduleOptions } from '../../src/schedule/schedule.ts';
import { RawArchiveError } from '../../src/store/raw-archive.ts';
import { CatalogLostError, FencedError, LakeError } from '../../src/warehouse/warehouse-errors.ts';
import { loadJobs, minimalJobs, wholeJobs } from '../support/jobs-file.ts';
import { ManualClock } from '../support/manual-clock.ts';

const minuteMs = 60_000;

interface Run {
  readonly line: string;
  readonly signal: AbortSignal;
  end(error?: Error): void;
}

const plainOptions: ScheduleOptions = { jitterMs: 0, machine: 'host-1', catchUp: false };

type StageOptions = Partial<ScheduleOptions> & {
  /** The start of the last run of the job `daily`. */
  readonly lastStart?: string;
};

/** A schedule under a manual clock. Runs last until the test ends them. */
class Stage {
  readonly clock: ManualClock;
  readonly runs: Run[] = [];
  /** The times at which it caught up. */
  readonly catchUps: string[] = [];
  readonly log: string[] = [];
  readonly schedule: Schedule;
  readonly #controller = new AbortController();
  readonly #done: Promise<void>;

  constructor(config: Config, start: string, options: StageOptions = {}) {
    this.clock = new ManualClock(start);
    const note = (fields: Record<string, unknown>, message: string) => {
      const { next } = fields;
      this.log.push(typeof next === 'string' ? `${message}: ${next}` : message);
    };
    const log: Log = { error: note, warn: note, info: note, debug: note };
    const tools = {
      clock: this.clock,
      log,
      signal: this.#controller.signal,
      runJob: (job: JobConfig, _: Config, signal: AbortSignal) => this.#run(job, signal),
      catchUp: () => {
        this.catchUps.push(this.clock.now().toISOString().slice(11, 16));
        return Promise.resolve();
      },
    };
    const { lastStart, ...other } = options;
    const lastStarts = new Map(lastStart ? [['daily', new Date(lastStart)]] : []);
    this.schedule = new Schedule(config, { ...plainOptions, ...other }, tools, lastStarts);
    this.#done = this.schedule.run();
    onTestFinished(() => this.stop());
  }

  get lines(): string[] {
    return this.runs.map(({ line }) => line);
  }

  /** Asks the schedule to stop, and waits until it has. */
  askToStop(): Promise<void> {
    this.#controller.abort();
    return this.#done;
  }

  async stop(): Promise<void> {
    const stopped = this.askToStop();
    for (const run of this.runs) run.end();
    await stopped;
  }

  #run(job: JobConfig, signal: AbortSignal): Promise<'succeeded'> {
    const line = `${job.name} at ${this.clock.now().toISOString()}`;
    return new Promise((resolve, reject) => {
      const end = (error?: Error) => (error ? reject(error) : resolve('succeeded'));
      this.runs.push({ line, signal, end });
    });
  }
}

function scheduled(expression: string, timezone = 'Europe/Berlin'): Promise<Config> {
  return loadJobs(`timezone: ${timezone}\n${minimalJobs}    schedule: "${expression}"\n`);
}

describe('the schedule', () => {
  it('runs a job at its times in the configured zone, and says when the next one is', async () => {
    const stage = new Stage(await scheduled('15 5 * * *'), '2026-01-15T04:00:00Z');
    await stage.clock.advance(14 * minuteMs);
    expect(stage.lines).toEqual([]);
    await stage.clock.advance(minuteMs);
    expect(stage.lines).toEqual(['daily at 2026-01-15T04:15:00.000Z']);
    expect(stage.log).toEqual([
      'next run of daily: 2026-01-15T04:15:00.000Z',
      'next run of daily: 2026-01-16T04:15:00.000Z',
      'starting daily',
    ]);
  });

  it('follows the zone’s clock across daylight saving changes', async () => {
    const stage = new Stage(await scheduled('30 2 * * *'), '2026-03-28T12:00:00Z');
    const endAndGoTo = async (instant: string) => {
      stage.runs.at(-1)?.end();
      stage.clock.jumpTo(instant);
      await stage.clock.advance(minuteMs);
    };
    // On the 29th there is no 02:30: the clock goes from 02:00 to 03:00.
    await endAndGoTo('2026-03-29T00:59:00Z');
    await endAndGoTo('2026-03-30T00:29:00Z');
    expect(stage.lines).toEqual([
      'daily at 2026-03-29T01:00:00.000Z',
      'daily at 2026-03-30T00:30:00.000Z',
    ]);
  });

  it('never runs a job twice at once: it skips runs that are due while the job is running', async () => {
    const stage = new Stage(await scheduled('*/5 * * * *'), '2026-01-15T12:01:00Z');
    await stage.clock.advance(10 * minuteMs);
    expect(stage.lines).toEqual(['daily at 2026-01-15T12:05:00.000Z']);
    await stage.clock.advance(30 * minuteMs);
    const skipped = 'daily is still running; its runs until it ends are skipped';
    expect(stage.log.filter((line) => line === skipped)).toHaveLength(1);
    stage.runs[0]?.end();
    await stage.clock.advance(5 * minuteMs);
    expect(stage.lines.slice(1)).toEqual(['daily at 2026-01-15T12:45:00.000Z']);
    await stage.clock.advance(5 * minuteMs);
    expect(stage.log.filter((line) => line === skipped)).toHaveLength(2);
  });

  it('catches up in pauses that grow to an hour, begin again after a job, and spare a running one', async () => {
    const stage = new Stage(await scheduled('0 18 * * *', 'UTC'), '2026-01-15T12:00:00Z');
    await stage.clock.advance(359 * minuteMs);
    expect(stage.catchUps).toEqual([
      ...['12:05', '12:15', '12:35', '13:15', '14:15', '15:15', '16:15', '17:15'],
    ]);
    await stage.clock.advance(91 * minuteMs);
    expect(stage.catchUps).toHaveLength(8);
    stage.runs[0]?.end();
    await stage.clock.advance(20 * minuteMs);
    expect(stage.catchUps.slice(8)).toEqual(['19:35', '19:45']);
  });

  it('tries a job again each minute while its lake cannot be reached or its lease is lost, and leaves it to its next time then', async () => {
    const stage = new Stage(await scheduled('*/5 * * * *'), '2026-01-15T12:04:00Z');
    await stage.clock.advance(minuteMs);
    for (const error of [
      new CatalogLostError('the catalog cannot be reached'),
      new FencedError('s00'),
      new LakeError('the bucket cannot be reached'),
      new RawArchiveError('the bucket cannot be reached'),
      new CatalogLostError('the catalog cannot be reached'),
    ]) {
      stage.runs.at(-1)?.end(error);
      await stage.clock.advance(minuteMs);
    }
    expect(stage.lines).toEqual(
      ['05', '06', '07', '08', '09', '10'].map((at) => `daily at 2026-01-15T12:${at}:00.000Z`),
    );
    stage.runs.at(-1)?.end();
    await stage.clock.advance(4 * minuteMs);
    expect(stage.lines).toHaveLength(6);
    expect(stage.log).not.toContain('daily is still running; its runs until it ends are skipped');
    await stage.clock.advance(minuteMs);
    stage.runs.at(-1)?.end(new CatalogLostError('the catalog cannot be reached'));
    await stage.clock.advance(0);
    await stage.stop();
    expect(stage.lines).toHaveLength(7);
  });

  it('lets jobs take turns at a workspace, and runs jobs of other workspaces concurrently', async () => {
    const other = '6f1c7a52-0f0e-4a58-9c1b-2f9b3f6f2d12';
    const text = `${minimalJobs
      .replace(
        'jobs:',
        `  fjord:
    base_url: https://social.example.com/api/v1
    api_key: \${FJORD_API_KEY}
    profiles: [{ id: ${other}, name: Fjord }]
jobs:`,
      )
      .replace('days: 400 }', 'days: 400 }\n    schedule: "0 * * * *"')}  second:
    schedule: "0 * * * *"
    profiles: [acme/*]
    windows: { days: 7 }
  third:
    schedule: "0 * * * *"
    profiles: [fjord/*]
    windows: { days: 7 }
`;
    const stage = new Stage(await loadJobs(text), '2026-01-15T12:59:00Z');
    await stage.clock.advance(minuteMs);
    expect(stage.lines.map((line) => line.split(' ')[0])).toEqual(['daily', 'third']);
    stage.runs[0]?.end(new UsageError('no'));
    await stage.clock.advance(minuteMs);
    expect(stage.lines.map((line) => line.split(' ')[0])).toEqual(['daily', 'third', 'second']);
  });

  it('waits for the next time when a machine has slept through one', async () => {
    const stage = new Stage(await scheduled('0 * * * *'), '2026-01-15T12:01:00Z');
    stage.clock.jumpTo('2026-01-15T20:30:00Z');
    await stage.clock.advance(minuteMs);
    expect(stage.lines).toEqual([]);
    expect(stage.log).toContain(
      'daily missed its time, 2026-01-15T13:00:00.000Z, and waits for its next time',
    );
    await stage.clock.advance(29 * minuteMs);
    expect(stage.lines).toEqual(['daily at 2026-01-15T21:00:00.000Z']);
  });

  it('catches up by one run, when a machine wakes, for all that it slept through', async () => {
    const options = { catchUp: true };
    const stage = new Stage(await scheduled('0 * * * *'), '2026-01-15T12:01:00Z', options);
    stage.clock.jumpTo('2026-01-15T20:30:00Z');
    await stage.clock.advance(minuteMs);
    expect(stage.lines).toEqual(['daily at 2026-01-15T20:30:30.000Z']);
    expect(stage.log).toContain('daily missed its time, 2026-01-15T13:00:00.000Z, and runs now');
  });

  it.each([
    ['whose time passed since its last run', '2026-01-12T04:15:10Z', true, 1],
    ['that had its last run after its last time', '2026-01-15T09:00:00Z', true, 0],
    ['that never ran', undefined, true, 0],
    ['unless it is asked to', '2026-01-12T04:15:10Z', false, 0],
  ])('catches up at its start for a job %s: %s, %s', async (_, lastStart, catchUp, runs) => {
    const options = { catchUp, ...(lastStart && { lastStart }) };
    const stage = new Stage(await scheduled('15 5 * * *'), '2026-01-15T12:00:00Z', options);
    await stage.clock.advance(minuteMs);
    expect(stage.lines).toHaveLength(runs);
  });

  it('delays a job by as much each day, and by another time on another machine', async () => {
    const startsOn = async (machine: string) => {
      const options = { jitterMs: 10 * minuteMs, machine };
      const stage = new Stage(await scheduled('15 5 * * *'), '2026-01-15T04:00:00Z', options);
      await stage.clock.advance(26 * minuteMs);
      stage.runs[0]?.end();
      stage.clock.jumpTo('2026-01-16T04:14:00Z');
      await stage.clock.advance(12 * minuteMs);
      return stage.lines.map((line) => line.replace('daily at ', ''));
    };
    expect(await startsOn('host-1')).toEqual([
      '2026-01-15T04:23:41.720Z',
      '2026-01-16T04:23:41.720Z',
    ]);
    expect(await startsOn('host-2')).toEqual([
      '2026-01-15T04:18:17.237Z',
      '2026-01-16T04:18:17.237Z',
    ]);
  });

  it('follows a new config, and lets a running job end with its old one', async () => {
    const stage = new Stage(await scheduled('*/5 * * * *'), '2026-01-15T12:01:00Z');
    await stage.clock.advance(5 * minuteMs);
    stage.schedule.replaceConfig(await scheduled('*/2 * * * *'));
    await stage.clock.advance(4 * minuteMs);
    expect(stage.lines).toEqual(['daily at 2026-01-15T12:05:00.000Z']);
    expect(stage.runs[0]?.signal.aborted).toBe(false);
    stage.runs[0]?.end();
    await stage.clock.advance(2 * minuteMs);
    expect(stage.lines.slice(1)).toEqual(['daily at 2026-01-15T12:12:00.000Z']);
    const unscheduled = await loadJobs(minimalJobs);
    expect(() => stage.schedule.replaceConfig(unscheduled)).toThrow('has a schedule; add one');
    stage.runs[1]?.end();
    await stage.clock.advance(2 * minuteMs);
    expect(stage.lines.slice(2)).toEqual(['daily at 2026-01-15T12:14:00.000Z']);
  });

  it('repeats nothing when the clock is set back a little, and continues when it was far ahead', async () => {
    const stage = new Stage(await scheduled('0 * * * *'), '2026-01-15T12:59:00Z');
    await stage.clock.advance(minuteMs);
    stage.runs[0]?.end();
    stage.clock.jumpTo('2026-01-15T12:58:00Z');
    await stage.clock.advance(5 * minuteMs);
    expect(stage.lines).toEqual(['daily at 2026-01-15T13:00:00.000Z']);
    stage.clock.jumpTo('2026-01-14T12:58:00Z');
    await stage.clock.advance(5 * minuteMs);
    expect(stage.lines.at(-1)).toBe('daily at 2026-01-14T13:00:00.000Z');
  });

  it('stops by asking the running job to stop, and waits for it', async () => {
    const stage = new Stage(await scheduled('*/5 * * * *'), '2026-01-15T12:01:00Z');
    await stage.clock.advance(5 * minuteMs);
    let hasStopped = false;
    const stopped = stage.askToStop().then(() => (hasStopped = true));
    await stage.clock.advance(10 * minuteMs);
    expect([stage.runs[0]?.signal.aborted, hasStopped]).toEqual([true, false]);
    stage.runs[0]?.end(
      new InterruptedError('stopped; 3 responses of this run are kept and loaded'),
    );
    await stopped;
    expect(stage.lines).toHaveLength(1);
    expect(stage.log.slice(-2)).toEqual([
      'stopping: no further job is started',
      'daily was stopped: stopped; 3 responses of this run are kept and loaded',
    ]);
  });

  it('runs only jobs that have a schedule, and refuses a config without any', async () => {
    const stage = new Stage(await loadJobs(wholeJobs), '2026-01-19T04:14:00Z');
    await stage.clock.advance(minuteMs);
    expect(stage.lines).toEqual(['weekly at 2026-01-19T04:15:00.000Z']);
    const config = await loadJobs(minimalJobs);
    expect(() => new Stage(config, '2026-01-15T12:00:00Z')).toThrow(
      new UsageError(
        `no job in ${config.file} has a schedule; add one, such as schedule: "15 5 * * *"`,
      ),
    );
  });
});
