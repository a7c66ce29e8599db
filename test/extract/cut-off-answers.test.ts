import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { WorkspaceClient } from '../../src/api/client.ts';
import { addDays } from '../../src/core/calendar.ts';
import { silentLog } from '../../src/core/log.ts';
import { extractWindows } from '../../src/extract/extract.ts';
import { readBodyFile, readRunFolder, type RunFolder } from '../../src/store/run-folder.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import type { PastCheck, Window } from '../../src/plan/plan.ts';
import { configOf, recordOf } from '../support/stored-run.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { startPlainService, type PlainService } from '../support/plain-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const acme = { workspace: 'acme', id: uuid(900), name: 'Acme', cpm: null, until: null };
const january = { start: '2026-01-01', end: '2026-01-30' };

/** `count` posts on each day of the window. */
function postsOf({ start, end }: Window, perDay: number) {
  const records = [];
  for (let day = start; day <= end; day = addDays(day, 1)) {
    for (let count = 0; count < perDay; count += 1) {
      records.push(analyticsRecord(1 + records.length, day));
    }
  }
  return records;
}

async function serviceOf(records: ReturnType<typeof postsOf>, cap: number | null = null) {
  const service = await startPlainService({
    key: 'secret',
    analytics: new Map([[acme.id, records]]),
  });
  service.cap = cap;
  return service;
}

async function extract(service: PlainService, window: Window, checks: PastCheck[] = []) {
  const config = configOf(await temporaryFolder());
  const workspace = [...config.workspaces.values()][0];
  if (!workspace) throw new Error('the config has a workspace');
  const clock = new ManualClock();
  const { dataDir } = config;
  const client = new WorkspaceClient({
    workspace: { ...workspace, baseUrl: service.url, rateLimit: { requests: 500, perSeconds: 1 } },
    dataDir,
    clock,
    log: silentLog,
  });
  let [grown, advanced] = [0, 0];
  const record = recordOf();
  const writer = await RunWriter.open(dataDir, record);
  const task = {
    grow: (count: number) => void (grown += count),
    advance: () => void (advanced += 1),
    waiting: () => undefined,
    finish: () => undefined,
  };
  const { signal } = new AbortController();
  const tools = { reader: client, writer, concurrency: 1, clock, log: silentLog, task, signal };
  const reason = 'never-read' as const;
  const windows = [{ profile: acme, window, reason, parentWindow: null }];
  const outcome = await extractWindows({ windows, checks }, tools);
  await client.close();
  const name = { workspace: 'acme', day: record.started_at.slice(0, 10), runId: record.run_id };
  const run = await readRunFolder(dataDir, name);
  if (!run) throw new Error('the run has a folder');
  return { outcome, run, grown, advanced };
}

/** The requested days, in order. */
function asked({ requests }: PlainService): string[] {
  return requests.map(({ path }) => {
    const query = new URL(path, 'http://service').searchParams;
    return `${query.get('startDate') ?? ''}..${query.get('endDate') ?? ''}`;
  });
}

async function storedIds({ responses }: RunFolder): Promise<Set<string>> {
  const bodies = await Promise.all(responses.map(readBodyFile));
  const lists = bodies.filter((body) => body.length > 0).map((body) => String(gunzipSync(body)));
  return new Set(
    lists.flatMap((body) => (JSON.parse(body) as { id: string }[]).map(({ id }) => id)),
  );
}

const kinds = ({ checks }: RunFolder) =>
  checks.map(({ kind, start_date, end_date }) => `${start_date}..${end_date} ${kind}`);

describe('an answer that may be truncated', () => {
  it('is compared with its halves, whose posts are stored, and causes a warning if it was truncated', async () => {
    const service = await serviceOf(postsOf(january, 5), 100);
    const { outcome, run, grown, advanced } = await extract(service, january);
    expect(asked(service)).toEqual([
      '2026-01-01..2026-01-30',
      '2026-01-16..2026-01-30',
      '2026-01-01..2026-01-15',
    ]);
    expect((await storedIds(run)).size).toBe(150);
    expect(run.checks).toEqual([
      {
        version: 2,
        run_id: run.record.run_id,
        workspace: 'acme',
        seq: 1,
        profile_id: acme.id,
        start_date: '2026-01-01',
        end_date: '2026-01-30',
        kind: 'cut_off',
        checked_at: '2026-01-15T12:00:00.000Z',
        records_whole: 100,
        posts_whole: 100,
        posts_first_half: 75,
        posts_second_half: 75,
        posts_halves: 150,
        missing: 50,
      },
    ]);
    expect(outcome).toMatchObject({
      failures: [],
      cutOff: [
        { subject: 'acme/Acme 2026-01-01 to 2026-01-30', kind: 'cut_off', posts: 100, missing: 50 },
      ],
    });
    expect([grown, advanced]).toEqual([2, 3]);
  });

  it('is halved further, down to single days, until nothing is truncated', async () => {
    const week = { start: '2026-01-01', end: '2026-01-07' };
    const service = await serviceOf(postsOf(week, 60), 100);
    const { outcome, run } = await extract(service, week);
    expect((await storedIds(run)).size).toBe(7 * 60);
    expect(kinds(run).toSorted()).toEqual([
      '2026-01-01..2026-01-02 cut_off',
      '2026-01-01..2026-01-04 cut_off',
      '2026-01-01..2026-01-07 cut_off',
      '2026-01-03..2026-01-04 cut_off',
      '2026-01-05..2026-01-06 cut_off',
      '2026-01-05..2026-01-07 cut_off',
    ]);
    expect(service.requests).toHaveLength(13);
    expect(outcome.cutOff).toEqual([
      { subject: 'acme/Acme 2026-01-01 to 2026-01-07', kind: 'cut_off', posts: 100, missing: 320 },
    ]);
  });

  it('is recorded and causes a warning if it is for a single day, which has no halves', async () => {
    const day = { start: '2026-01-05', end: '2026-01-05' };
    const service = await serviceOf(postsOf(day, 130), 100);
    const { outcome, run } = await extract(service, day);
    expect(service.requests).toHaveLength(1);
    expect(kinds(run)).toEqual(['2026-01-05..2026-01-05 indivisible']);
    expect(run.checks[0]).toMatchObject({ posts_whole: 100, posts_halves: null, missing: 0 });
    expect(outcome.cutOff).toMatchObject([{ kind: 'indivisible', posts: 100 }]);
  });

  it('is not checked again while it has the same number of records, if it was complete', async () => {
    const service = await serviceOf(postsOf({ start: '2026-01-01', end: '2026-01-25' }, 4));
    const { outcome, run } = await extract(service, january);
    expect(kinds(run)).toEqual(['2026-01-01..2026-01-30 agreed']);
    expect(outcome.cutOff).toEqual([]);
    expect(service.requests).toHaveLength(3);
    const known = {
      workspace: 'acme',
      profileId: acme.id,
      window: january,
      kind: 'agreed' as const,
      records: 100,
      posts: 100,
      checkedAt: new Date('2026-01-15T12:00:00.000Z'),
    };
    await extract(service, january, [known]);
    expect(service.requests).toHaveLength(4);
  });

  it('counts as complete if its halves have fewer posts', async () => {
    const records = postsOf({ start: '2026-01-01', end: '2026-01-25' }, 4);
    const service = await serviceOf(records);
    service.onRequest = () => {
      if (service.requests.length === 1) records.splice(3, 20);
    };
    const { run } = await extract(service, january);
    expect(run.checks).toMatchObject([
      { kind: 'agreed', posts_whole: 100, posts_halves: 80, missing: 0 },
    ]);
  });

  it('is compared by distinct posts, including those without an id', async () => {
    const days = { start: '2026-01-05', end: '2026-01-06' };
    const nameless = postsOf(days, 100).slice(80);
    const service = await serviceOf(
      [...postsOf(days, 40), ...nameless.map((record) => ({ ...record, id: null }))],
      150,
    );
    const { run } = await extract(service, days);
    expect(run.checks).toMatchObject([
      { kind: 'cut_off', posts_whole: 150, posts_halves: 200, missing: 50 },
    ]);
  });

  it('is not judged if a half fails, and the failure is reported', async () => {
    const service = await serviceOf(postsOf(january, 5), 100);
    service.answer('startDate=2026-01-01&endDate=2026-01-15', { status: 404, body: '{}' });
    const { outcome, run } = await extract(service, january);
    expect(run.checks).toEqual([]);
    expect(outcome.cutOff).toEqual([]);
    expect(outcome.failures).toMatchObject([{ subject: 'acme/Acme 2026-01-01 to 2026-01-15' }]);
    expect(run.responses.map(({ manifest }) => manifest.outcome)).toEqual([
      'succeeded',
      'succeeded',
      'failed',
    ]);
  });
});
