import { describe, expect, it } from 'vitest';
import { refusalError } from '../../src/api/refusal.ts';
import { silentLog } from '../../src/core/log.ts';
import { silentProgress } from '../../src/core/progress.ts';
import { extractDetails, extractWindows } from '../../src/extract/extract.ts';
import type { ExtractTools } from '../../src/extract/extraction.ts';
import type { ResponseResult } from '../../src/store/run-writer.ts';
import type { RequestRecord, ResponseManifest } from '../../src/store/manifest.ts';
import type { PlannedWindow } from '../../src/plan/plan.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { uuid } from '../support/made-records.ts';
import { recordOf } from '../support/stored-run.ts';

const call = {
  method: 'GET',
  path: '/x',
  origin: 'https://social.example.com',
  configKey: 'workspaces.acme',
  keyVariable: 'ACME_KEY',
};
const refusal = (status: number, message: string) => {
  const answer = { status, text: JSON.stringify({ message }), retryAfterMs: null, location: '' };
  return refusalError(call, { ...answer, mask: (text) => text });
};
const refusedKey = () => refusal(401, 'Invalid or unauthorized API key');
const unknown = () => refusal(404, 'Not found');
const down = () => refusal(503, 'Service Unavailable');

/** The service's response to the nth call, counted from 0: an error, or an answer with one post. */
type Behaviour = (call: number, profileOrPost: string) => Error | null;

interface StoredAnswer extends ResponseResult {
  readonly request: RequestRecord;
}

/** @param fields of the record that each answer has, beside those without which it is not readable */
function workplace(
  behave: Behaviour,
  {
    signal = new AbortController().signal,
    fields = {},
  }: { signal?: AbortSignal; fields?: object } = {},
) {
  const clock = new ManualClock();
  const stored: StoredAnswer[] = [];
  let calls = 0;
  const answer = (id: string) => {
    const error = behave(calls, id);
    calls += 1;
    if (error) return Promise.reject(error);
    const records = [{ id: uuid(1), url: '/1', type: 'Image', ...fields }];
    const body = Buffer.from(JSON.stringify(records));
    return Promise.resolve({ headers: {}, body, fetchedAt: clock.now(), requests: 1, records });
  };
  const tools: ExtractTools = {
    reader: { readAnalytics: answer, readDetail: (_kind, id) => answer(id) },
    writer: {
      record: recordOf(),
      storeResponse: (request, result) => {
        stored.push({ request, ...result });
        return Promise.resolve({} as ResponseManifest);
      },
    },
    concurrency: 1,
    clock,
    log: silentLog,
    task: silentProgress.task('acme', 0, 'requests'),
    signal,
  };
  return { tools, stored };
}

/** `count` windows of alternating profiles. */
function windows(count: number, profiles: number): PlannedWindow[] {
  return Array.from({ length: count }, (_, index) => {
    const number = index % profiles;
    const name = `P${number}`;
    const day = `2026-01-${String(index + 1).padStart(2, '0')}`;
    return {
      profile: { workspace: 'acme', id: uuid(number), name, cpm: null, prices: null, until: null },
      window: { start: day, end: day },
      reason: 'never-read',
      parentWindow: null,
      parts: [],
      isTrial: false,
      confirmedRecords: null,
    };
  });
}

const known = { endsToday: false, readUntil: new Map() };

describe('extracting windows', () => {
  it('stores every answer, and counts the posts in them', async () => {
    const { tools, stored } = workplace(() => null);
    const outcome = await extractWindows({ ...known, windows: windows(3, 1) }, tools);
    expect(outcome).toEqual({ succeeded: 3, postsRead: 3, failures: [], notRead: 0, cutOff: [] });
    expect(stored.map(({ outcome: each }) => each)).toEqual(Array(3).fill('succeeded'));
  });

  it('says of an answer whether all of its values have their types', async () => {
    const given = [{ likeCount: 3 }, { likeCount: '3' }, { other: 1 }, { servicePost: null }];
    const found = given.map(async (fields) => {
      const { tools, stored } = workplace(() => null, { fields });
      await extractWindows({ ...known, windows: windows(1, 1) }, tools);
      return stored.map(({ plain_with: field }) => field);
    });
    const plain = 'servicePost';
    expect((await Promise.all(found)).flat()).toEqual([plain, undefined, undefined, plain]);
  });

  it('stops requests for an unknown profile, and continues with the others', async () => {
    const { tools, stored } = workplace((_, id) => (id === uuid(0) ? unknown() : null));
    const outcome = await extractWindows({ ...known, windows: windows(8, 2) }, tools);
    expect(outcome).toMatchObject({ succeeded: 4, notRead: 3 });
    expect(outcome.failures).toHaveLength(1);
    expect(outcome.failures[0]).toMatchObject({
      subject: 'acme/P0 2026-01-01 to 2026-01-01',
      httpStatus: 404,
      reach: 'profile',
    });
    const failed = stored.filter((each) => each.outcome === 'failed');
    expect(failed.map((each) => each.http_status)).toEqual([404, 404, 404, 404]);
  });

  it('stops requests to a workspace that refuses the key, and stores what it skips as failed for the same reason', async () => {
    const { tools, stored } = workplace(() => refusedKey());
    const outcome = await extractWindows({ ...known, windows: windows(20, 5) }, tools);
    expect(outcome).toMatchObject({ succeeded: 0, notRead: 19 });
    expect(stored).toHaveLength(20);
    expect(new Set(stored.map((each) => `${each.http_status} ${each.error}`)).size).toBe(1);
  });

  it('does not store again that windows are skipped which had failed before', async () => {
    const { tools, stored } = workplace(() => refusedKey());
    const failed = windows(20, 5).map((window) => ({ ...window, reason: 'failed' as const }));
    await extractWindows({ ...known, windows: failed }, tools);
    expect(stored).toHaveLength(1);
  });

  it('gives up on a service that is down, after five calls in a row', async () => {
    const { tools } = workplace(() => down());
    const outcome = await extractWindows({ ...known, windows: windows(20, 5) }, tools);
    expect(outcome.failures).toHaveLength(5);
    expect(outcome.notRead).toBe(15);
  });

  it('continues while some of the calls succeed', async () => {
    const { tools } = workplace((count) => (count % 5 === 4 ? null : down()));
    const outcome = await extractWindows({ ...known, windows: windows(20, 1) }, tools);
    expect(outcome).toMatchObject({ succeeded: 4, notRead: 0 });
    expect(outcome.failures).toHaveLength(16);
  });

  it('stops on request, and stores nothing of unanswered calls', async () => {
    const stop = new AbortController();
    const { tools, stored } = workplace(
      (count) => {
        if (count === 2) stop.abort();
        return count === 2 ? down() : null;
      },
      { signal: stop.signal },
    );
    await expect(extractWindows({ ...known, windows: windows(9, 1) }, tools)).rejects.toThrow(
      'stopped',
    );
    expect(stored).toHaveLength(2);
  });

  it('throws errors that are no failures of the API', async () => {
    const { tools } = workplace(() => new TypeError('a bug'));
    await expect(extractWindows({ ...known, windows: windows(2, 1) }, tools)).rejects.toThrow(
      'a bug',
    );
  });
});

describe('asking again in halves', () => {
  /** A window of 128 days. */
  const wide: PlannedWindow[] = windows(1, 1).map((planned) => {
    const window = { start: '2025-01-01', end: '2025-05-08' };
    return { ...planned, window };
  });
  const small = windows(1, 1);

  it('is done at most 64 times', async () => {
    let asked = 0;
    const { tools, stored } = workplace(() => {
      asked += 1;
      // the service is not down
      return asked === 1 ? null : down();
    });
    const outcome = await extractWindows({ ...known, windows: [...small, ...wide] }, tools);
    expect(asked).toBe(2 + 64);
    expect(stored).toHaveLength(asked);
    expect(outcome.failures).toHaveLength(33);
    expect(outcome.failures.every(({ subject }) => /2025-0\d-\d\d to/.test(subject))).toBe(true);
  });

  it.each([
    [401, refusal(401, 'Invalid or unauthorized API key')],
    [403, refusal(403, 'Insufficient permissions')],
    [404, unknown()],
    [429, refusal(429, 'Too many')],
    [409, refusal(409, 'Conflict')],
  ])('is not done after %d', async (_, error) => {
    let asked = 0;
    const { tools } = workplace(() => {
      asked += 1;
      return asked === 1 ? null : error;
    });
    await extractWindows({ ...known, windows: [...small, ...wide] }, tools);
    expect(asked).toBe(2);
  });

  it.each([
    [400, refusal(400, 'Bad Request')],
    [413, refusal(413, 'Content Too Large')],
    [422, refusal(422, 'Too many days')],
    [500, refusal(500, 'Internal Server Error')],
    [206, refusal(206, '')],
  ])(
    'is done after %d, and the failure is no longer one once they have answered',
    async (_, error) => {
      let asked = 0;
      const { tools, stored } = workplace(() => {
        asked += 1;
        return asked === 2 ? error : null;
      });
      const outcome = await extractWindows({ ...known, windows: [...small, ...wide] }, tools);
      expect(asked).toBe(4);
      expect(outcome.failures).toEqual([]);
      expect(stored.slice(2).map(({ part_of }) => part_of)).toEqual(['2025-01-01', '2025-01-01']);
    },
  );
});

describe('extracting details', () => {
  it('counts a post that is not found as an answer', async () => {
    const details = [1, 2].map((number) => ({
      workspace: 'acme',
      postId: uuid(number),
      kind: 'post' as const,
      reason: 'never-read' as const,
    }));
    const { tools, stored } = workplace((_, id) => (id === uuid(1) ? unknown() : null));
    expect(await extractDetails(details, tools)).toMatchObject({ succeeded: 2, failures: [] });
    expect(stored).toMatchObject([
      { request: { kind: 'post', post_id: uuid(1) }, outcome: 'not-found' },
      { request: { kind: 'post', post_id: uuid(2) }, outcome: 'succeeded' },
    ]);
  });
});
