import { expect, test } from 'vitest';
import { statusText } from '../../src/commands/status-text.ts';
import type { Status } from '../../src/status/status.ts';

const terminal = { width: null, hasColor: false, timezone: 'Europe/Berlin' };
const events = {
  pending: { events: 0 },
  applied: 0,
  kept: 0,
  rejected: 0,
  reasons: [],
  rejected_deletions: 0,
  kept_deletions: [],
  has_more_reasons: false,
};
const status: Status = {
  warehouse: { path: '/srv/data/postledger.duckdb', bytes: 3_420_160 },
  free_bytes: 78_700_000_000,
  locks: [],
  runs: [],
  jobs: [],
  profiles: [],
  pending: [],
  damaged: 0,
  rejected: [],
  events,
  warnings: [],
  problems: [],
  deliveries: { held: 0, queued: 0, failed: 0, unknown: 0 },
  open_problems: [],
};

/** The blocks of the status without the two tables, which are empty here. */
function blocks(change: Partial<Status>, width: number | null = null): string[] {
  const verdicts = { stale: [], warning: [], failed: [] };
  const text = statusText({ ...status, ...change }, verdicts, { ...terminal, width });
  return text.trimEnd().split('\n\n').toSpliced(1, 2);
}

test('status shows the path of the warehouse and the free space of its disk, and omits what does not exist', () => {
  expect(blocks({})).toEqual([
    'Warehouse  /srv/data/postledger.duckdb (3.4 MB)\nDisk       78.7 GB free',
  ]);
  const first = { ...status.warehouse, bytes: null };
  expect(blocks({ warehouse: first, free_bytes: null })).toEqual([
    'Warehouse  /srv/data/postledger.duckdb: nothing loaded yet',
  ]);
});

test('status names the processes that block others', () => {
  const lock = {
    path: '/srv/data/locks/extract-acme.lock',
    pid: 4711,
    host: 'reports',
    purpose: 'running the job daily for acme',
    since: '2026-01-15T05:15:00.000Z',
  };
  expect(
    blocks({ locks: [lock] })[0]
      ?.split('\n')
      .at(-1),
  ).toBe(
    'In use     extract-acme.lock by process 4711 on reports: running the job daily for acme, since 2026-01-15 06:15 +01:00',
  );
});

test('status lists what is pending, and says how the next run continues interrupted runs', () => {
  const part = {
    workspace: 'acme',
    run_id: '20260115T051500Z-aaaaaa',
    job: 'daily',
    started_at: '2026-01-15T05:15:00.000Z',
    responses: 14,
    state: 'finished',
  } as const;
  const pending = [part, { ...part, state: 'interrupted' } as const];
  expect(blocks({ pending })[1]?.split('\n')).toEqual([
    'Pending  acme 20260115T051500Z-aaaaaa: 14 responses, finished',
    'Pending  acme 20260115T051500Z-aaaaaa: 14 responses, interrupted; the next load takes them in',
  ]);
});

test('status shows the outcomes of events with reasons and remedies, and the pending events', () => {
  const last_received_at = '2026-01-20T10:00:00.500Z';
  const unknown = 'the type "a\u001b[2J" is not known';
  const reasons = [
    { outcome: 'kept', reason: unknown, events: 2000, last_received_at },
    { outcome: 'rejected', reason: 'data.post.id: missing', events: 1, last_received_at },
  ];
  const some = { ...events, kept: 2000, rejected: 1, reasons, has_more_reasons: true };
  expect(blocks({ events: { ...some, pending: { events: 1 } } })[1]?.split('\n')).toEqual([
    'Events   2,000 events kept, 1 rejected',
    '         kept 2,000: the type "a␛[2J" is not known',
    '         rejected 1: data.post.id: missing',
    '         and more, which `postledger webhooks list` has with each event',
    '         Kept ones are applied by a load, once jobs.yaml has their workspace, or a version knows their type.',
    '         Rejected ones: `postledger webhooks list --outcome rejected`; after an upgrade, `postledger webhooks replay --rejected`.',
    'Pending  1 event, which the next load takes',
  ]);
  expect(blocks({ events: { ...events, applied: 1200 } })[1]).toBe('Events   1,200 events applied');
});
