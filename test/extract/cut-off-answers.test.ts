import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WorkspaceClient } from '../../src/api/client.ts';
import { addDays } from '../../src/core/calendar.ts';
import { silentLog } from '../../src/core/log.ts';
import { silentProgress } from '../../src/core/progress.ts';
import { extractWindows } from '../../src/extract/extract.ts';
import type { ExtractOutcome } from '../../src/extract/extract-outcome.ts';
import { readBody } from '../../src/landing/landed-body.ts';
import { listLanding, type LandedPart } from '../../src/landing/landed-part.ts';
import { openPart, type LandedFinding, type LandedResult } from '../../src/landing/landing-part.ts';
import type { LandedRequest, ResponseManifest } from '../../src/landing/manifest.ts';
import type {
  GivenAnswer,
  PastAnswers,
  PastCheck,
  PlannedWindow,
  Window,
} from '../../src/plan/plan.ts';
import { planWindows } from '../../src/plan/plan-windows.ts';
import { configOf, recordOf } from '../support/landed-run.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { planJobConfig, planQuestion } from '../support/plan-question.ts';
import { startPlainService, type PlainService } from '../support/plain-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const january = { start: '2026-01-01', end: '2026-01-30' };
const february = { start: '2026-01-31', end: '2026-03-01' };
const nothingPast: PastAnswers = { answers: [], checks: [] };

/** So many posts on each day of the window, numbered on from `first`. */
function postsOf({ start, end }: Window, perDay: number, first = 1) {
  const records = [];
  for (let day = start; day <= end; day = addDays(day, 1)) {
    for (let count = 0; count < perDay; count += 1) {
      records.push(analyticsRecord(first + records.length, day));
    }
  }
  return records;
}

const acme = { workspace: 'acme', id: uuid(900), name: 'Acme', cpm: null };
const fjord = { workspace: 'acme', id: uuid(901), name: 'Fjord', cpm: null };

function planned(window: Window, profile = acme): PlannedWindow {
  return { profile, window, reason: 'never-read', partOf: null };
}

interface Extracted {
  readonly outcome: ExtractOutcome;
  readonly part: LandedPart;
  readonly grown: number;
  readonly advanced: number;
}

async function extract(
  service: PlainService,
  windows: readonly PlannedWindow[],
  past: PastAnswers = nothingPast,
): Promise<Extracted> {
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
    onWait: () => undefined,
  });
  let [grown, advanced] = [0, 0];
  const part = await openPart(dataDir, recordOf());
  const task = {
    grow: (count: number) => void (grown += count),
    advance: () => void (advanced += 1),
    waiting: () => undefined,
    finish: () => undefined,
  };
  const signal = new AbortController().signal;
  const tools = { reader: client, part, concurrency: 1, clock, log: silentLog, task, signal };
  const outcome = await extractWindows({ windows, past }, tools);
  await client.close();
  const [landed] = (await listLanding(dataDir)).parts;
  if (!landed) throw new Error('the part has landed');
  return { outcome, part: landed, grown, advanced };
}

async function serviceOf(records: ReturnType<typeof postsOf>, cap: number | null = null) {
  const service = await startPlainService({
    key: 'secret',
    analytics: new Map([
      [acme.id, records],
      [fjord.id, []],
    ]),
  });
  service.cap = cap;
  return service;
}

/** Days that were asked for, in order. */
function asked({ requests }: PlainService): string[] {
  return requests.map(({ path }) => {
    const query = new URL(path, 'http://service').searchParams;
    return `${query.get('startDate') ?? ''}..${query.get('endDate') ?? ''}`;
  });
}

async function landedIds({ responses }: LandedPart): Promise<Set<string>> {
  const bodies = await Promise.all(responses.map(readBody));
  const lists = bodies.filter((body) => body.length > 0).map(String);
  return new Set(
    lists.flatMap((body) => (JSON.parse(body) as { id: string }[]).map(({ id }) => id)),
  );
}

const kinds = ({ checks }: LandedPart) =>
  checks.map(({ kind, start_date, end_date }) => `${start_date}..${end_date} ${kind}`);

describe('an answer that looks cut off', () => {
  it('is compared with its halves, whose posts land; one that was cut off is told of', async () => {
    const records = postsOf(january, 5);
    const service = await serviceOf(records, 100);
    const { outcome, part, grown, advanced } = await extract(service, [planned(january)]);
    expect(asked(service)).toEqual([
      '2026-01-01..2026-01-30',
      '2026-01-16..2026-01-30',
      '2026-01-01..2026-01-15',
      // the first time that the service is found to limit answers, this is made sure of
      '2026-01-01..2026-01-30',
    ]);
    expect((await landedIds(part)).size).toBe(150);
    expect(part.checks).toEqual([
      {
        version: 1,
        run_id: part.record.run_id,
        workspace: 'acme',
        seq: 4,
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
    expect([grown, advanced]).toEqual([3, 4]);
  });

  it('is halved on, down to single days, until nothing is cut off', async () => {
    const week = { start: '2026-01-01', end: '2026-01-07' };
    const service = await serviceOf(postsOf(week, 60), 100);
    const { outcome, part } = await extract(service, [planned(week)]);
    expect((await landedIds(part)).size).toBe(7 * 60);
    expect(kinds(part).toSorted()).toEqual([
      '2026-01-01..2026-01-02 cut_off',
      '2026-01-01..2026-01-04 cut_off',
      '2026-01-01..2026-01-07 cut_off',
      '2026-01-03..2026-01-04 cut_off',
      '2026-01-05..2026-01-06 cut_off',
      '2026-01-05..2026-01-07 cut_off',
    ]);
    // of a limit that is known, no window is asked for once more
    expect(service.requests).toHaveLength(13 + 1);
    expect(outcome.cutOff).toEqual([
      { subject: 'acme/Acme 2026-01-01 to 2026-01-07', kind: 'cut_off', posts: 100, missing: 320 },
    ]);
  });

  it('that is of a single day is told of and recorded, as it has no halves', async () => {
    const day = { start: '2026-01-05', end: '2026-01-05' };
    const service = await serviceOf(postsOf(day, 130), 100);
    const { outcome, part } = await extract(service, [planned(day)]);
    expect(service.requests).toHaveLength(1);
    expect(kinds(part)).toEqual(['2026-01-05..2026-01-05 indivisible']);
    expect(part.checks[0]).toMatchObject({ posts_whole: 100, posts_halves: null, missing: 0 });
    expect(outcome.cutOff).toMatchObject([{ kind: 'indivisible', posts: 100 }]);
  });

  it('and was not is not checked again', async () => {
    const records = postsOf({ start: '2026-01-01', end: '2026-01-25' }, 4);
    const service = await serviceOf(records);
    const { outcome, part } = await extract(service, [planned(january)]);
    expect(kinds(part)).toEqual(['2026-01-01..2026-01-30 agreed']);
    expect(outcome.cutOff).toEqual([]);
    expect(service.requests).toHaveLength(3);
    const [check] = part.checks;
    const known = {
      workspace: 'acme',
      profileId: acme.id,
      window: january,
      kind: 'agreed' as const,
      records: 100,
      posts: 100,
      checkedAt: new Date(check?.checked_at ?? 0),
    };
    await extract(service, [planned(january)], { answers: [], checks: [known] });
    expect(service.requests).toHaveLength(4);
  });

  it('is believed to be whole when its posts came between the requests', async () => {
    const records = postsOf({ start: '2026-01-01', end: '2026-01-25' }, 4);
    const service = await serviceOf(records);
    service.onRequest = () => {
      if (service.requests.length === 1) records.push(analyticsRecord(5000, '2026-01-30'));
    };
    const { outcome, part } = await extract(service, [planned(january)]);
    expect(part.checks).toMatchObject([{ kind: 'agreed', seq: 4, posts_whole: 101, missing: 0 }]);
    expect(outcome.cutOff).toEqual([]);
  });

  it('is no proof of anything when posts are gone from its halves', async () => {
    const records = postsOf({ start: '2026-01-01', end: '2026-01-25' }, 4);
    const service = await serviceOf(records);
    service.onRequest = () => {
      if (service.requests.length === 1) records.splice(3, 20);
    };
    const { part } = await extract(service, [planned(january)]);
    expect(part.checks).toMatchObject([
      { kind: 'agreed', seq: 1, posts_whole: 100, posts_halves: 80, missing: 0 },
    ]);
  });

  it('counts posts once that stand in both halves, or have no id', async () => {
    const day = { start: '2026-01-05', end: '2026-01-06' };
    const records = [
      ...postsOf(day, 40),
      ...postsOf(day, 60, 500).map((record) => ({ ...record, id: null })),
    ];
    const service = await serviceOf(records, 150);
    const { part } = await extract(service, [planned(day)]);
    expect((await landedIds(part)).size).toBe(81);
    expect(part.checks).toMatchObject([
      { kind: 'cut_off', posts_whole: 150, posts_halves: 200, missing: 50 },
    ]);
  });

  it('is left without a verdict when a half fails, and its failure is told', async () => {
    const service = await serviceOf(postsOf(january, 5), 100);
    service.answer('startDate=2026-01-01&endDate=2026-01-15', { status: 404, body: '{}' });
    const { outcome, part } = await extract(service, [planned(january)]);
    expect(part.checks).toEqual([]);
    expect(outcome.cutOff).toEqual([]);
    expect(outcome.failures).toMatchObject([{ subject: 'acme/Acme 2026-01-01 to 2026-01-15' }]);
    expect(part.responses.map(({ manifest }) => manifest.outcome)).toEqual([
      'succeeded',
      'succeeded',
      'failed',
    ]);
  });

  it('is not halved again where the halves are known to be cut off', async () => {
    const service = await serviceOf(postsOf(january, 10), 100);
    const known = {
      workspace: 'acme',
      profileId: acme.id,
      window: { start: '2026-01-16', end: '2026-01-30' },
      kind: 'cut_off' as const,
      records: 100,
      posts: 100,
      checkedAt: new Date('2026-01-15T12:00:00.000Z'),
    };
    const { part } = await extract(service, [planned(january)], { answers: [], checks: [known] });
    expect(asked(service)).not.toContain('2026-01-16..2026-01-30');
    expect((await landedIds(part)).size).toBe(300);
  });
});

describe('answers as large as the largest', () => {
  it('are checked when two windows are, after all were read, and one check shows the limit', async () => {
    const records = [...postsOf(january, 1), ...postsOf(february, 2, 200)];
    const service = await serviceOf(records, 17);
    const { outcome, part } = await extract(service, [planned(february), planned(january)]);
    expect((await landedIds(part)).size).toBe(90);
    expect(asked(service).slice(0, 2)).toEqual([
      '2026-01-31..2026-03-01',
      '2026-01-01..2026-01-30',
    ]);
    expect(outcome.cutOff.map(({ subject, missing }) => `${subject} ${missing}`)).toEqual([
      'acme/Acme 2026-01-31 to 2026-03-01 43',
      'acme/Acme 2026-01-01 to 2026-01-30 13',
    ]);
    const found = kinds(part).filter((kind) => kind.startsWith('2026-01-01..2026-01-30'));
    expect(found).toEqual(['2026-01-01..2026-01-30 cut_off']);
  });

  it('are looked into where all of their posts stand in one half, as that may be cut off, too', async () => {
    const burst = { start: '2026-01-27', end: '2026-01-29' };
    const service = await serviceOf(postsOf(burst, 12), 20);
    const { part } = await extract(service, [planned(january)]);
    expect((await landedIds(part)).size).toBe(36);
    expect(kinds(part)).toContain('2026-01-01..2026-01-30 cut_off');
  });

  it('of earlier runs count', async () => {
    const service = await serviceOf(postsOf(january, 1), 17);
    const before = { profileId: fjord.id, window: february, records: 17, posts: 17 };
    const { part } = await extract(service, [planned(january)], { answers: [before], checks: [] });
    expect((await landedIds(part)).size).toBe(30);
  });

  it('are not checked where another one is larger', async () => {
    const service = await serviceOf(postsOf(january, 1));
    const before = [17, 31].map((posts, index) => ({
      profileId: uuid(950 + index),
      window: february,
      records: posts,
      posts,
    }));
    const { part } = await extract(service, [planned(january)], { answers: before, checks: [] });
    expect(part.checks).toEqual([]);
    expect(service.requests).toHaveLength(1);
  });

  it('are two of a few requests where they are whole', async () => {
    const service = await serviceOf([...postsOf(january, 1), ...postsOf(february, 1, 200)]);
    const windows = [planned(february), planned(january), planned(january, fjord)];
    const { part } = await extract(service, windows);
    expect(kinds(part)).toEqual(['2026-01-31..2026-03-01 agreed', '2026-01-01..2026-01-30 agreed']);
    expect(service.requests).toHaveLength(3 + 4);
  });
});

/** A run over 40 days in memory, by what the runs before it found; each day has so many posts. */
async function runInMemory(perDay: readonly number[], cap: number, past: PastAnswers) {
  const days = perDay.map((_, index) => addDays('2026-01-01', index));
  const found = new Set<string>();
  const checks: PastCheck[] = [];
  const asked: Window[] = [];
  const answers: GivenAnswer[] = [];
  const readAnalytics = (profileId: string, window: Window) => {
    const ids = days.flatMap((day, index) =>
      day < window.start || day > window.end
        ? []
        : Array.from({ length: perDay[index] ?? 0 }, (_, number) => `${day} ${number}`),
    );
    const given = ids.reverse().slice(0, cap);
    for (const id of given) found.add(id);
    asked.push(window);
    answers.push({ profileId, window, records: given.length, posts: given.length });
    const records = given.map((id) => ({ id }));
    return Promise.resolve({ body: Buffer.from('[]'), fetchedAt: now, requests: 1, records });
  };
  const part = {
    landResponse: (_request: LandedRequest, { records }: LandedResult) =>
      Promise.resolve({ seq: 1, records } as ResponseManifest),
    landCheck: ({
      profile_id,
      start_date,
      end_date,
      kind,
      posts_whole,
      records_whole,
    }: LandedFinding) => {
      const window = { start: start_date, end: end_date };
      const sizes = { posts: posts_whole, records: records_whole };
      checks.push({
        workspace: 'acme',
        profileId: profile_id,
        window,
        kind,
        ...sizes,
        checkedAt: now,
      });
      return Promise.resolve();
    },
  };
  const reader = { readAnalytics, readPost: () => Promise.reject(new Error('no details')) };
  const clock = new ManualClock();
  const task = silentProgress.task('acme', 0, 'requests');
  const signal = new AbortController().signal;
  const tools = { reader, part, concurrency: 2, clock, log: silentLog, task, signal };
  const windows = planWindows(
    planQuestion({
      now,
      full: true,
      checks: past.checks,
      job: planJobConfig({}, { profiles: [acme] }),
    }),
  );
  const { cutOff } = await extractWindows({ windows, past }, tools);
  return {
    found,
    asked,
    planned: windows.length,
    indivisible: cutOff.filter(({ kind }) => kind === 'indivisible'),
    past: { answers: [...past.answers, ...answers], checks: [...past.checks, ...checks] },
  };
}

const now = new Date('2026-02-09T12:00:00Z');
const anyDays = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 40, maxLength: 40 });

describe('whatever is posted', () => {
  it('all of it arrives though answers are cut off at a round number, and the next run asks for halves alone', async () => {
    await fc.assert(
      fc.asyncProperty(anyDays, fc.constantFrom(100, 150, 250), async (perDay, cap) => {
        const all = perDay.reduce((sum, count) => sum + count, 0);
        const first = await runInMemory(perDay, cap, nothingPast);
        expect(first.found.size).toBe(all);
        const second = await runInMemory(perDay, cap, first.past);
        expect(second.found.size).toBe(all);
        expect(second.asked).toHaveLength(second.planned);
        expect([...first.indivisible, ...second.indivisible]).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('a service without a limit is asked a few times more in the first run, and never again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(9), { minLength: 40, maxLength: 40 }), async (perDay) => {
        const first = await runInMemory(perDay, Infinity, nothingPast);
        // a check of a window of ten days is two requests, and of its halves as many where all posts are in one
        expect(first.asked.length - first.planned).toBeLessThanOrEqual(5 * 8);
        const second = await runInMemory(perDay, Infinity, first.past);
        expect(second.asked).toHaveLength(second.planned);
        expect(second.planned).toBe(4);
      }),
      { numRuns: 100 },
    );
  });
});
