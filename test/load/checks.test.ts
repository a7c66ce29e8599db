import { createHash } from 'node:crypto';
import { appendFile, cp, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { silentLog } from '../../src/core/log.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import type * as loading from '../../src/load/load-landed.ts';
import { deletionEvent, inviteEvent, spoolEvents } from '../support/inbox-segments.ts';
import { runCli } from '../support/cli.ts';
import { compileSources } from '../support/compiled-sources.ts';
import { minimalJobs } from '../support/jobs-file.ts';
import { compileProgram } from '../support/killed-program.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  landAnalytics,
  landDetails,
  load,
  recordOf,
  rowsOf,
} from '../support/landed-run.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A statement that spoils what a file of sql/load has just done, and the rule of sql/checks that finds it. */
type Sabotage = readonly [file: string, statement: string, rule: string];

const sabotages: readonly Sabotage[] = [
  // what the load has read, on its way into the tables
  ['stage_elements', 'delete from staged_elements where position = 1', 'answers/counted_records'],
  [
    'stage_records',
    "delete from staged_records where linkedin_post_id = 'b'",
    'answers/counted_records',
  ],
  ['stage_records', 'insert into staged_records from staged_records', 'answers/counted_records'],
  ['stage_details', 'delete from staged_post_answers', 'answers/counted_records'],
  ['stage_rejects', 'delete from staged_rejects', 'answers/counted_records'],
  ['loaded_responses', 'delete from loaded_responses where seq = 2', 'answers/counted_records'],
  [
    'loaded_responses',
    'update loaded_responses set posts_read = posts_read + 1',
    'answers/counted_records',
  ],
  ['loaded_responses', 'update loaded_responses set rejected = 0', 'answers/counted_records'],
  [
    'rejected_records',
    "delete from rejected_records where run_id = 'second'",
    'answers/kept_rejects',
  ],
  ['rejected_records', "update rejected_records set payload = '{}'", 'answers/kept_rejects'],
  [
    'linkedin_posts',
    "delete from linkedin_posts where linkedin_post_id = 'b'",
    'answers/taken_records',
  ],
  [
    'linkedin_posts',
    "update linkedin_posts set like_count = 12 where linkedin_post_id = 'b'",
    'answers/taken_records',
  ],
  [
    'linkedin_posts',
    "update linkedin_posts set url = '' where linkedin_post_id = 'b'",
    'answers/taken_records',
  ],
  ['linkedin_posts', "update linkedin_posts set reading = '2026'", 'answers/taken_records'],
  ['linkedin_posts', 'update linkedin_posts set post_id = null', 'answers/taken_records'],
  [
    'linkedin_post_snapshots',
    "delete from linkedin_post_snapshots where linkedin_post_id = 'b'",
    'answers/taken_records',
  ],
  [
    'linkedin_post_snapshots',
    'update linkedin_post_snapshots set emv = 1',
    'answers/taken_records',
  ],
  [
    'extract_windows',
    "delete from extract_windows where run_id = 'second'",
    'answers/told_windows',
  ],
  ['posts', "delete from posts where post_id = 'p2'", 'batch/told_posts'],
  ['posts', "delete from post_labels where post_id = 'p2'", 'batch/told_posts'],
  ['posts', "update posts set campaign_reading = null where post_id = 'p2'", 'batch/told_posts'],
  ['post_readings', 'update posts set detail_fetched_at = null', 'batch/told_posts'],
  [
    'posts',
    'update posts set removed_at = null, removed_by = null, removal_reading = null',
    'batch/told_posts',
  ],
  [
    'webhook_events',
    "delete from webhook_events where type = 'invite.created'",
    'events/kept_events',
  ],
  [
    'webhook_events',
    "update webhook_events set outcome = 'kept', reason = 'none'",
    'events/kept_events',
  ],
  ['invites', "delete from invites where invite_id = 'i2'", 'events/told_invites'],
  // what the tables held before, and what only shows in all of them
  [
    'runs',
    "update webhook_events set outcome = 'done' where type = 'post.permanently_deleted'",
    'known_words',
  ],
  ['runs', "update runs set status = 'fine'", 'known_words'],
  [
    'runs',
    "update linkedin_posts set like_count = 7 where linkedin_post_id = 'old'",
    'last_known_values',
  ],
  [
    'runs',
    "update linkedin_post_snapshots set like_count = 7 where linkedin_post_id = 'old'",
    'last_known_values',
  ],
  [
    'runs',
    "update linkedin_posts set emv = null where linkedin_post_id = 'old'",
    'last_known_values',
  ],
  ['runs', "delete from linkedin_posts where linkedin_post_id = 'old'", 'linked_rows'],
  ['runs', "delete from labels where label_id = 'l2'", 'linked_rows'],
  ['runs', "delete from campaigns where campaign_id = 'c1'", 'linked_rows'],
  ['runs', "delete from runs where run_id = 'first'", 'linked_rows'],
  ['runs', "delete from linkedin_post_snapshots where linkedin_post_id = 'old'", 'newest_readings'],
  [
    'runs',
    "delete from loaded_responses where run_id = 'first' and rejected > 0",
    'rejected_sources',
  ],
  ['runs', "update rejected_records set run_id = 'second'", 'rejected_sources'],
  [
    'runs',
    "update webhook_events set workspace = 'other' where type = 'post.permanently_deleted'",
    'removal_events',
  ],
  ['runs', "update posts set removed_at = null where post_id = 'p1'", 'removals'],
  ['runs', 'update runs set posts_read = posts_read + 1', 'run_sums'],
  ['runs', "update runs set requests = 0 where run_id = 'second'", 'run_sums'],
  ['runs', "update run_parts set retries = 3 where run_id = 'first'", 'run_sums'],
  ['runs', 'update linkedin_post_snapshots set captured_on = captured_on + 2', 'snapshot_days'],
  [
    'runs',
    "update linkedin_posts set first_seen_at = last_seen_at + interval 1 second where linkedin_post_id = 'old'",
    'snapshot_days',
  ],
  [
    'runs',
    "insert into linkedin_posts from linkedin_posts where linkedin_post_id = 'b'",
    'unique_keys',
  ],
  ['runs', 'insert into linkedin_post_snapshots from linkedin_post_snapshots', 'unique_keys'],
  ['runs', 'insert into webhook_events from webhook_events', 'unique_keys'],
  ['runs', 'update extract_windows set posts_read = posts_read + 1', 'window_sums'],
];

const linked = (id: string, label: string) => ({
  id,
  title: id,
  labels: [{ labelId: label, name: label }],
  campaign: { id: 'c1', name: 'Spring' },
});

/** A warehouse with a run, a rejected record, a removal and an invitation; and as much again that waits. */
async function makeOriginal(): Promise<Config> {
  const config = configOf(await temporaryFolder());
  const first = await openPart(config.dataDir, recordOf({ run_id: 'first' }));
  await landAnalytics(first, [
    analyticsRecord({ id: 'old', emv: 2.5 }),
    analyticsRecord({ id: 'a', servicePost: linked('p1', 'l1') }),
    { id: 'bad' },
  ]);
  await first.finish(finishOf());
  await spoolEvents(config, [deletionEvent(), inviteEvent()]);
  await load(config);
  const second = await openPart(config.dataDir, recordOf({ run_id: 'second' }));
  const fetchedAt = new Date('2026-01-16T12:00:00Z');
  const records = [
    analyticsRecord({ id: 'a', likeCount: 11, servicePost: linked('p1', 'l1') }),
    analyticsRecord({ id: 'b', servicePost: linked('p2', 'l2') }),
    { id: 'worse' },
  ];
  await landAnalytics(second, records, { fetchedAt });
  await landDetails(second, 'p2', { id: 'p2', title: 'T' }, { fetchedAt });
  await landDetails(second, 'p3', { id: 'another' }, { fetchedAt });
  await second.finish(finishOf({ requests: 3 }));
  await spoolEvents(config, [
    deletionEvent({ id: 'p4', campaign: null }),
    inviteEvent({ id: 'i2' }),
  ]);
  return config;
}

async function copyOf(original: Config): Promise<Config> {
  const config = configOf(await temporaryFolder());
  await cp(original.folder, config.folder, { recursive: true });
  return config;
}

async function importLoad(folder: string): Promise<typeof loading> {
  const source = pathToFileURL(join(folder, 'src/load/load-landed.js')).href;
  return (await import(/* @vite-ignore */ source)) as typeof loading;
}

/** The warehouse, what has landed and what is archived: hashes by path. */
async function filesOf(config: Config): Promise<Map<string, string>> {
  const entries = await readdir(config.folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name));
  const files = new Map<string, string>();
  // what is noted of the warehouse's file itself is not the same of a copy
  for (const path of paths.filter((each) => !each.endsWith('.published.json')).sort())
    files.set(
      path,
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    );
  return files;
}

test('a load that loses, doubles or alters anything publishes nothing, names the rule, and loses nothing that has landed', async () => {
  const folder = await compileProgram('copied');
  const { loadLanded } = await importLoad(folder);
  const original = await makeOriginal();
  for (const [file, statement, rule] of sabotages) {
    const path = join(folder, 'sql/load', `${file}.sql`);
    const whole = await readFile(path);
    await appendFile(path, `\n${statement};\n`);
    const config = await copyOf(original);
    const before = await filesOf(config);
    const loaded = loadLanded({ config, clock: new ManualClock(), log: silentLog, waitMs: 0 });
    const failure = await loaded.then(
      () => 'it was published',
      (error: unknown) => String(error),
    );
    expect(`${statement}: ${failure}`).toContain(
      `${statement}: WarehouseCheckError: sql/checks/${rule}.sql found `,
    );
    expect(await filesOf(config)).toEqual(before);
    await writeFile(path, whole);
  }
  const config = await copyOf(original);
  const options = { config, clock: new ManualClock(), log: silentLog, waitMs: 0 };
  expect(await loadLanded(options)).toMatchObject({ responses: 3, postsRead: 2, rejected: 2 });
}, 300_000);

test('a load that passes over an answer publishes nothing, and archives nothing', async () => {
  const folder = await compileProgram();
  const file = join(folder, 'src/load/batch.js');
  const source = await readFile(file, 'utf8');
  const passing = 'if (each.response.manifest.seq === 2) continue;';
  const sabotaged = source.replace('if (body === null)', `${passing}\n$&`);
  expect(sabotaged).toContain(passing);
  await writeFile(file, sabotaged);
  const { loadLanded } = await importLoad(folder);
  const config = await makeOriginal();
  const before = await filesOf(config);
  await expect(
    loadLanded({ config, clock: new ManualClock(), log: silentLog, waitMs: 0 }),
  ).rejects.toThrow('of 3 responses 2 were merged, and 0 were set aside as damaged. Nothing was');
  expect(await filesOf(config)).toEqual(before);
});

test('a load whose check fails exits 1, says why and what to do, and leaves all in its place for the next one', async () => {
  const folder = await compileSources(['src']);
  await cp(join(import.meta.dirname, '../../sql'), join(folder, 'sql'), { recursive: true });
  const file = join(folder, 'sql/load/linkedin_posts.sql');
  const whole = await readFile(file);
  await appendFile(file, "\ndelete from linkedin_posts where linkedin_post_id = 'b';\n");
  const config = await makeOriginal();
  await writeFile(config.file, minimalJobs);
  const before = await filesOf(config);
  const options = { cwd: config.folder, entry: join(folder, 'src/cli.js') };
  const failed = await runCli(['load'], options);
  expect(failed).toMatchObject({ code: 1, stdout: '' });
  expect(failed.stderr).toContain(
    'sql/checks/answers/taken_records.sql found 1 row: a record of the batch that is not in the tables as it was read, nor replaced by a later reading (workspace acme, run_id second, seq 1, linkedin_post_id b). Nothing was published: the warehouse is as it was, and what has landed stays for the next load. `postledger rebuild --check` says whether the warehouse is still what the archive makes, and `postledger rebuild` makes it anew; if it fails likewise, please report this message',
  );
  expect(await filesOf(config)).toEqual(before);
  await writeFile(file, whole);
  expect(await runCli(['load'], options)).toMatchObject({ code: 0 });
  expect(await rowsOf(config, 'select linkedin_post_id from linkedin_posts order by all')).toEqual([
    { linkedin_post_id: 'a' },
    { linkedin_post_id: 'b' },
    { linkedin_post_id: 'old' },
  ]);
});
