import { expect, test } from 'vitest';
import { labelled, pendingNotes, storageLines } from '../../src/commands/status-lines.ts';

const warehouse = {
  path: '/srv/data/postledger.duckdb',
  bytes: 3_420_160,
} as const;
const zone = 'Europe/Berlin';
const storage = { warehouse, free_bytes: 78_700_000_000, locks: [], problems: [] };

test('status says where the warehouse is, and how much room its disk has', () => {
  expect(storageLines(storage, 80, zone)).toBe(
    ['Warehouse  /srv/data/postledger.duckdb (3.4 MB)', 'Disk       78.7 GB free'].join('\n'),
  );
  const first = { ...warehouse, bytes: null } as const;
  expect(storageLines({ ...storage, warehouse: first, free_bytes: null }, 80, zone)).toBe(
    'Warehouse  /srv/data/postledger.duckdb: nothing loaded yet',
  );
});

test('status tells who holds others up', () => {
  const lock = {
    path: '/srv/data/locks/extract-acme.lock',
    pid: 4711,
    host: 'reports',
    purpose: 'running the job daily for acme',
    since: '2026-01-15T05:15:00.000Z',
  };
  expect(storageLines({ ...storage, free_bytes: null, locks: [lock] }, null, zone)).toBe(
    [
      'Warehouse  /srv/data/postledger.duckdb (3.4 MB)',
      'In use     extract-acme.lock by process 4711 on reports: running the job daily for acme, since 2026-01-15 06:15 +01:00',
    ].join('\n'),
  );
});

test('status tells what waits, and what the next run makes of runs that were cut off', () => {
  const part = {
    workspace: 'acme',
    run_id: '20260115T051500Z-aaaaaa',
    job: 'daily',
    started_at: '2026-01-15T05:15:00.000Z',
    responses: 14,
    state: 'finished',
    kept_until: null,
  } as const;
  const cutOff = { run_id: 'r0', job: 'daily', windows: 3, kept_until: '2026-01-15T17:20:00.000Z' };
  const interrupted = { ...part, state: 'interrupted' } as const;
  expect(
    pendingNotes(
      {
        pending: [part, interrupted, { ...interrupted, kept_until: '2026-01-15T17:20:00.000Z' }],
        damaged: 1,
        cut_off: [cutOff],
      },
      zone,
    ),
  ).toEqual([
    ['Pending', 'acme 20260115T051500Z-aaaaaa: 14 responses, finished'],
    [
      'Pending',
      'acme 20260115T051500Z-aaaaaa: 14 responses, interrupted; the next load takes them in',
    ],
    [
      'Pending',
      'acme 20260115T051500Z-aaaaaa: 14 responses, interrupted; the next load takes them in, a run before 2026-01-15 18:20 +01:00 does not ask for them again',
    ],
    ['Damaged', '1 damaged file in the raw store; `postledger verify` names them'],
    [
      'Cut off',
      'daily r0: 3 windows that it read are not asked for again before 2026-01-15 18:20 +01:00; `postledger run daily` goes on there',
    ],
  ]);
});

test('a line that is too long goes on below its text', () => {
  expect(labelled('Failed', 'one two three four five', 30)).toBe(
    ['Failed   one two three four', '         five'].join('\n'),
  );
});
