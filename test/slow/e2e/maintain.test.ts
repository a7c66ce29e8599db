import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { RunWriter } from '../../../src/store/run-writer.ts';
import { emptyWarehouse } from '../../report/support/report-warehouse.ts';
import { runCli, writeFiles } from '../../support/cli.ts';
import { ada, bob, filesWith } from '../../support/reviewed-site.ts';
import { deletionEvent, inviteEvent, storeEvents } from '../../support/stored-events.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  profileId,
  recordOf,
  storeAnalytics,
  storeDetails,
} from '../../support/stored-run.ts';
import { dumpTables } from '../../support/table-dump.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const killSwitch = pathToFileURL(
  resolve(import.meta.dirname, '../../support/kill-switch.mjs'),
).href;
const second = '22222222-2222-4222-8222-222222222222';
const isoNow = new Date().toISOString();
/** A post that only an old run has read, and one that was read again today. */
const [oldPost, sharedPost] = [
  'aaaaaaaa-0000-4000-8000-000000000001',
  'aaaaaaaa-0000-4000-8000-000000000002',
];

/** An invitation, an event that a later version may know, with blanks, and one that is rejected. */
const others = [
  inviteEvent({ email: 'carol@acme.example', invitedBy: bob }),
  '{ "type": "post.liked", "createdAt": "2026-01-19T09:00:01Z",  "data": { "n": 1.0 } }',
  inviteEvent({ id: 7, invitedBy: bob }),
];

/** A site with runs of January, whose posts and reviews name Ada, and one run of today. */
async function agedSite() {
  const folder = await temporaryFolder();
  const config = configOf(folder);
  const configure = (profiles: readonly string[] = [profileId, second]) =>
    writeFiles(folder, {
      '.env': 'KEY=plain-key\n',
      'jobs.yaml': `workspaces:
  acme:
    base_url: http://127.0.0.1:9
    api_key: \${KEY}
    profiles: [${profiles.map((id) => `{ id: ${id}, name: Acme ${id[0]} }`).join(', ')}]
jobs:
  daily: { profiles: [acme/*], windows: { days: 20 }, details: true }
retention: { raw_days: 90, events_days: 120, out_days: 30 }
`,
    });
  await configure();
  const linked = (id: string) => ({ servicePost: { id, title: `Title of ${id}` } });
  await storeRunOf(config.dataDir, '2026-01-15T12:00:00.000Z', async (part, fetchedAt) => {
    await storeAnalytics(
      part,
      [
        analyticsRecord({ id: oldPost, ...linked('p1') }),
        analyticsRecord({ id: sharedPost, likeCount: 4, impressionCount: 700 }),
        { url: 'no id, ada@acme.example' },
      ],
      { fetchedAt },
    );
    const approval = {
      id: 'a1',
      status: 'Approved',
      user: ada,
      requestedBy: bob,
      message: 'I, Ada, agree',
    };
    await storeDetails(part, 'p1', [approval], { fetchedAt }, 'approvals');
    const replies = [{ id: 'r1', user: bob, message: 'Fine, @[Ada Byron](u-4711)', reactions: [] }];
    await storeDetails(part, 'p1', [{ id: 't1', replies }], { fetchedAt }, 'comments');
  });
  await storeRunOf(
    config.dataDir,
    '2026-01-16T12:00:00.000Z',
    (part, fetchedAt) =>
      storeAnalytics(
        part,
        [analyticsRecord({ id: 'bbbbbbbb-0000-4000-8000-000000000003', ...linked('third-post') })],
        { fetchedAt },
      ),
    [{ profile_id: second, name: 'Acme 2', cpm: 10 }],
  );
  await storeRunOf(config.dataDir, isoNow, (part, fetchedAt) =>
    storeAnalytics(part, [analyticsRecord({ id: sharedPost, likeCount: 9 })], { fetchedAt }),
  );
  await storeEvents(config, [
    deletionEvent({ deletedBy: ada }),
    deletionEvent({ id: 'third-post', deletedBy: bob }),
  ]);
  await storeEvents(config, others);
  await storeEvents(config, [deletionEvent({ id: 'p7', deletedBy: bob })], { receivedAt: isoNow });
  const run = (...args: string[]) => runCli(args, { cwd: folder });
  expect((await run('load')).code).toBe(0);
  return { folder, config, run, configure };
}

async function storeRunOf(
  dataDir: string,
  startedAt: string,
  store: (part: RunWriter, fetchedAt: Date) => Promise<void>,
  profiles = [{ profile_id: profileId, name: 'Acme 1', cpm: 30 }],
): Promise<void> {
  const run_id = `${startedAt.slice(0, 10).replaceAll('-', '')}T120000Z-aaaaaa`;
  const part = await RunWriter.open(dataDir, recordOf({ run_id, started_at: startedAt, profiles }));
  await store(part, new Date(Date.parse(startedAt) + 1_500));
  await part.finish(finishOf({ finished_at: startedAt }));
}

/** The events with their times and outcomes, and the texts of those that name nobody. */
function eventsOf(dump: Record<string, unknown>): unknown[] {
  return (dump['webhook_events'] as unknown[][]).map((row) =>
    /invite|postledger\.erased/.test(String(row[1]))
      ? [row[0], row[2], row[3], row[4], row[11], row[12], row[13]]
      : row,
  );
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const totals = 'select count(*), sum(impression_count) from linkedin_posts';

it('removes raw data after their time, and a rebuild keeps every row', async () => {
  const { folder, config, run } = await agedSite();
  const before = await dumpTables(config);
  const left = join(folder, 'data', 'removed', 'killed');
  await mkdir(left, { recursive: true });
  const dry = await run('maintain', '--dry-run');
  expect(dry.stdout).toBe(
    'Would be removed: 2 run folders, 5 events, files of 0 deliveries, 0 files of reports.\n',
  );
  const removed: unknown = JSON.parse((await run('maintain', '--json')).stdout);
  expect(removed).toEqual({ runs: 2, events: 5, deliveries: 0, reports: 0 });
  expect(await readdir(join(folder, 'data', 'raw', 'acme'))).toEqual([isoNow.slice(0, 10)]);
  expect(await readdir(join(folder, 'data'))).not.toContain('removed');
  expect(await dumpTables(config)).toEqual(before);
  expect((await run('verify')).stdout).toBe(
    '1 run folder, 1 response, 1 event: all as they were written.\n',
  );
  expect((await run('rebuild', '--check')).stdout).toContain('gives the same warehouse');
  expect((await run('rebuild')).code).toBe(0);
  expect(await dumpTables(config)).toEqual(before);
  await writeFile(join(folder, 'again.json'), JSON.stringify(others[0]));
  expect((await run('webhooks', 'ingest', 'again.json')).stdout).toContain('1 duplicate');
  expect((await run('maintain')).stdout).toContain('Removed: 0 run folders, 0 events');

  // an erasure changes what names the person, and nothing else
  expect((await run('erase', '--person', 'carol@acme.example', '--yes')).code).toBe(0);
  const after = await dumpTables(config);
  const isOfEvents = (table: string) => ['invites', 'webhook_events'].includes(table);
  const untouched = (dump: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(dump).filter(([table]) => !isOfEvents(table)));
  expect(untouched(after)).toEqual(
    untouched({ ...before, rejected_records: after['rejected_records'] }),
  );
  expect(after['invites']).toEqual([]);
  expect(eventsOf(after)).toEqual(eventsOf(before));
  expect(await filesWith(folder, ['carol@acme'])).toEqual([]);
  expect((await run('status')).stdout).toContain('4 events applied, 1 kept, 1 rejected');
  expect((await run('rebuild', '--check')).stdout).toContain('gives the same warehouse');
  const explained = await run('explain', oldPost);
  expect(explained.code).toBe(0);
  expect(explained.stdout).toContain('not in this raw store');
});

it('removes nothing twice and loses nothing when it was killed between its record and the files', async () => {
  const { folder, config, run } = await agedSite();
  const before = await dumpTables(config);
  const record = { version: 1, runs_before: '2026-06-01', events_before: '2026-06-01' };
  await writeFile(join(folder, 'data', 'retention.json'), JSON.stringify(record));
  await rm(join(folder, 'data', 'raw', 'acme', '2026-01-15'), { recursive: true });
  expect((await run('rebuild')).code).toBe(0);
  expect(await dumpTables(config)).toEqual(before);
  expect((await run('maintain')).stdout).toContain('Removed: 1 run folder, 5 events');
  expect((await run('rebuild')).code).toBe(0);
  expect(await dumpTables(config)).toEqual(before);
});

it('erases from what the warehouse alone has a person, and a profile', async () => {
  const { folder, config, run, configure } = await agedSite();
  await run('maintain');
  const before = (await run('sql', totals)).stdout;
  expect((await run('erase', '--person', 'u-4711', 'ada@acme.example', '--yes')).code).toBe(0);
  expect(await filesWith(folder, ['u-4711', 'ada@acme', 'Byron', 'I, Ada'])).toEqual([]);
  expect((await run('sql', totals)).stdout).toBe(before);
  expect((await dumpTables(config))['approvals']).toHaveLength(1);
  expect((await run('verify')).code).toBe(0);

  await configure([profileId]);
  expect((await run('erase', '--profile', `acme/${second}`, '--yes')).code).toBe(0);
  expect(await filesWith(folder, [second, 'third-post', 'bbbbbbbb-0000'])).toEqual([]);
  expect((await run('sql', '--format', 'csv', totals)).stdout).toContain('2,2000');
  expect((await run('rebuild', '--check')).stdout).toContain('gives the same warehouse');
});

it('keeps what is not loaded, and says when a lost warehouse held what is gone', async () => {
  const { config, folder, run } = await agedSite();
  await storeRunOf(config.dataDir, '2026-01-17T12:00:00.000Z', (part, fetchedAt) =>
    storeAnalytics(part, [analyticsRecord({ id: 'cccccccc-0000-4000-8000-000000000004' })], {
      fetchedAt,
    }),
  );
  await run('maintain');
  expect(await readdir(join(folder, 'data', 'raw', 'acme'))).toEqual([
    '2026-01-17',
    isoNow.slice(0, 10),
  ]);
  await writeFile(config.warehouse, 'not a database any more');
  const lacks = 'lacks what it alone had';
  expect(await run('rebuild')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(lacks) as unknown,
  });
  await rm(config.warehouse);
  // an empty one that another load made, and none at all
  for (const isThere of [false, true]) {
    if (isThere) await copyFile(await emptyWarehouse(), config.warehouse);
    expect(await run('load')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(lacks) as unknown,
    });
    expect(await run('verify')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining(lacks) as unknown,
    });
    expect(await run('status')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining(lacks) as unknown,
    });
  }
  await rm(config.warehouse);
  await rm(join(folder, 'data', 'retention.json'));
  expect((await run('load')).code).toBe(0);
  expect((await run('sql', '--format', 'csv', totals)).stdout).toContain('2,2000');
});

it('removes nothing while the clock is further past the newest run than the retention, unless it is told that the clock is right', async () => {
  const { folder, config, run } = await agedSite();
  const before = await dumpTables(config);
  const later = (days: number, ...args: string[]) =>
    runCli(['maintain', ...args], {
      cwd: folder,
      env: {
        NODE_OPTIONS: `--import=${killSwitch}`,
        SWITCH_WALL_MS: String(Date.now() + days * 86_400_000),
        SWITCH_COUNTS: join(folder, 'counts.json'),
      },
    });
  for (const args of [[], ['--dry-run']]) {
    const refused = await later(3650, ...args);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`the newest run is of ${isoNow.slice(0, 10)}`);
  }
  expect((await later(91)).stderr).toContain('retention.raw_days (90 days)');
  expect((await run('verify')).stdout).toContain('3 run folders, 5 responses, 6 events');
  expect((await later(89)).stdout).toContain('Removed: 2 run folders, 5 events');
  expect((await later(3650, '--yes')).stdout).toContain('Removed: 1 run folder, 1 event');
  expect((await run('rebuild')).code).toBe(0);
  expect(await dumpTables(config)).toEqual(before);
});

it('removes files of reports that were not written again, and refuses events that are kept for a shorter time than raw data, and a number of days given twice', async () => {
  const { folder, run } = await agedSite();
  const written = join(folder, 'data', 'reports');
  await mkdir(written, { recursive: true });
  await writeFiles(folder, {
    'out/2026-01/emv.csv': 'old',
    'out/new/emv.csv': 'new',
    'out/unknown/emv.csv': 'old',
  });
  const record = (month: string, at: string) =>
    writeFile(
      join(written, `${month}.json`),
      JSON.stringify({
        job: 'daily',
        report: 'emv',
        client: null,
        folder: join(folder, 'out', month),
        files: ['emv.csv'],
        hashes: { 'emv.csv': sha256(month === 'new' ? 'new' : 'old') },
        title: 'EMV',
        lede: null,
        language: 'en',
        from: null,
        to: null,
        is_incomplete: false,
        error: null,
        slot: '',
        definitions: [],
        written_at: at,
      }),
    );
  await record('2026-01', '2026-01-31T06:00:00.000Z');
  await record('unknown', '');
  await record('new', isoNow);
  expect((await run('maintain')).stdout).toContain('1 file of reports');
  expect(await readdir(join(folder, 'out', '2026-01'))).toEqual([]);
  expect(await readFile(join(folder, 'out', 'new', 'emv.csv'), 'utf8')).toBe('new');
  expect(await readFile(join(folder, 'out', 'unknown', 'emv.csv'), 'utf8')).toBe('old');

  const text = await readFile(join(folder, 'jobs.yaml'), 'utf8');
  await writeFile(join(folder, 'jobs.yaml'), text.replace('events_days: 120', 'events_days: 30'));
  const refused = await run('check');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('retention.events_days: must not be less than raw_days');
  const twice = text.replace('out_days: 30 }', 'out_days: 30, outbox_days: 9 }\noutbox_days: 8');
  await writeFile(join(folder, 'jobs.yaml'), twice);
  expect((await run('check')).stderr).toContain('outbox_days: is in retention as well');
});
