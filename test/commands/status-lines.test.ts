import { expect, test } from 'vitest';
import { labelled, pendingNotes, storageLines } from '../../src/commands/status-lines.ts';
import { terminalWidth } from '../../src/core/terminal-text.ts';

const warehouse = {
  path: '/srv/data/postledger.duckdb',
  bytes: 3_420_160,
  provenance: 'ours',
  foreign_since: null,
  missing_runs: 0,
  future_runs: [],
  former_workspaces: [],
} as const;
const nothing = { files: 0, bytes: 0 };
const disk = {
  landing: nothing,
  archive: [
    { workspace: 'acme', parts: 2, files: 8, bytes: 60_000 },
    { workspace: 'fjord', parts: 1, files: 4, bytes: 70_100 },
  ],
  archived_events: { files: 1, bytes: 512 },
  inbox: nothing,
  quarantine: nothing,
  free_bytes: 78_700_000_000,
};
const zone = 'Europe/Berlin';
const storage = { warehouse, disk, locks: [], problems: [] };

test('status tells where the warehouse is, and what is on its disk', () => {
  expect(storageLines(storage, 80, zone)).toBe(
    [
      'Warehouse  /srv/data/postledger.duckdb (3.4 MB)',
      'Disk       archive 130.1 kB, archived events 512 bytes, 78.7 GB free',
    ].join('\n'),
  );
  const first = { ...warehouse, bytes: null, provenance: 'missing' } as const;
  expect(storageLines({ ...storage, warehouse: first, disk: null }, 80, zone)).toBe(
    'Warehouse  /srv/data/postledger.duckdb: nothing loaded yet',
  );
});

test('status tells what is odd about the warehouse, and what to do, within the width of a terminal', () => {
  const foreign = { ...warehouse, provenance: 'foreign', missing_runs: 2 } as const;
  const text = storageLines({ ...storage, warehouse: foreign }, 80, zone);
  expect(text).toBe(
    [
      'Warehouse  /srv/data/postledger.duckdb (3.4 MB)',
      '           it is not the file that was published: another program has changed',
      '           it, or it was copied or restored; `postledger rebuild --check`',
      '           compares it with the archive',
      '           the archive has 2 runs that it does not have; `postledger rebuild`',
      '           takes them in',
      'Disk       archive 130.1 kB, archived events 512 bytes, 78.7 GB free',
    ].join('\n'),
  );
  for (const line of text.split('\n')) expect(terminalWidth(line)).toBeLessThanOrEqual(80);
  const mixed = { ...warehouse, foreign_since: '2026-01-15T12:00:00.000Z' };
  expect(storageLines({ ...storage, warehouse: mixed, disk: null }, null, zone)).toBe(
    [
      'Warehouse  /srv/data/postledger.duckdb (3.4 MB)',
      '           changes of another program are in it, noticed at 2026-01-15 13:00 +01:00; `postledger rebuild` makes it anew without them',
    ].join('\n'),
  );
  const ahead = {
    ...warehouse,
    future_runs: [{ run_id: '20260118T051500Z-aaaaaa', last_read_at: '2026-01-18T05:15:02.000Z' }],
  };
  expect(storageLines({ ...storage, warehouse: ahead, disk: null }, null, zone)).toContain(
    'the run 20260118T051500Z-aaaaaa has readings of 2026-01-18 06:15 +01:00, which is yet to come: a clock is or was wrong',
  );
  const renamed = {
    ...warehouse,
    former_workspaces: [{ former_workspace: 'old', workspace: 'new', profiles: 2, posts: 585 }],
  };
  expect(storageLines({ ...storage, warehouse: renamed, disk: null }, null, zone)).toContain(
    '585 posts of profiles of new stand under the workspace old too, which is not configured',
  );
  const lost = { ...warehouse, bytes: null, provenance: 'missing', missing_runs: 3 } as const;
  expect(storageLines({ ...storage, warehouse: lost, disk: null }, null, zone)).toBe(
    [
      'Warehouse  /srv/data/postledger.duckdb is missing',
      '           the archive has 3 runs that it does not have; `postledger rebuild` takes them in',
    ].join('\n'),
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
  expect(storageLines({ ...storage, disk: null, locks: [lock] }, null, zone)).toBe(
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
    ['Damaged', '1 damaged landed file, which the next load sets aside and tells of'],
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
