import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ledgerPath } from '../../src/archive/layout.ts';
import type { Config } from '../../src/config/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { acquireLock } from '../../src/core/lock.ts';
import { receiverLockPath } from '../../src/inbox/spool/layout.ts';
import { findingsIn, seal, sealBeside } from '../support/archived-data.ts';
import { runCli, writeFiles } from '../support/cli.ts';
import { minimalJobs } from '../support/jobs-file.ts';
import { deletionEvent, spoolEvents } from '../support/inbox-segments.ts';
import {
  analyticsRecord,
  configOf,
  landRun,
  load,
  profileOf,
  rowsOf,
} from '../support/landed-run.ts';
import { happening, MadeUpHistory } from '../support/made-up-history.ts';
import { compareWithRebuilt, rebuild } from '../support/rebuilding.ts';
import { dumpTables } from '../support/table-dump.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const linked = { servicePost: { id: 'p1', title: 'p1', labels: [], campaign: null } };

const jobsOfNow = minimalJobs
  .replace('    profiles:', '    slug: old\n    profiles:')
  .replace(
    'jobs:',
    '  beta:\n    slug: acme\n    base_url: https://social.example.com/api/v1\n    api_key: ${ACME_API_KEY}\n    profiles: []\njobs:',
  );

/** By the workspaces' keys. */
function withSlugs(config: Config, slugs: Record<string, string>): Config {
  const [first] = config.workspaces.values();
  if (!first) throw new Error('the config has no workspace');
  const workspaces = Object.entries(slugs).map(
    ([key, slug]) =>
      [key, { ...first, key, slug, profiles: [profileOf({ workspace: key })] }] as const,
  );
  return { ...config, workspaces: new Map(workspaces) };
}

/** The slug acme was that of the workspace acme, by which a post was removed, and is beta's now, which has such a post, too. */
async function movedSlug(): Promise<Config> {
  const before = withSlugs(configOf(await temporaryFolder()), { acme: 'acme' });
  await landRun(before, [analyticsRecord(linked)], {}, { run_id: 'first' });
  await spoolEvents(before, [deletionEvent({ id: 'p1' })]);
  await load(before);
  const now = withSlugs(before, { acme: 'old', beta: 'acme' });
  await landRun(now, [analyticsRecord(linked)], {}, { run_id: 'second', workspace: 'beta' });
  await spoolEvents(now, [deletionEvent({ id: 'p9' })]);
  await load(now);
  expect(await rowsOf(now, removed)).toEqual(asLoaded);
  return now;
}

const removed =
  'select workspace, post_id from posts where removed_at is not null order by workspace, post_id';
const asLoaded = [
  { workspace: 'acme', post_id: 'p1' },
  { workspace: 'beta', post_id: 'p9' },
];

async function editLedger({ dataDir }: Config, edit: (text: string) => string): Promise<void> {
  const path = ledgerPath(dataDir);
  const text = await readFile(path, 'utf8');
  expect(edit(text)).not.toBe(text);
  await writeFile(path, edit(text));
}

/** Whatever was lost of the ledger, it is made anew so that it needs the warehouse no more. */
async function expectWhole(config: Config): Promise<void> {
  expect(await findingsIn(config)).toEqual([]);
  const original = await dumpTables(config);
  expect(await compareWithRebuilt(config)).toMatchObject({ isSame: true });
  expect(await sealBeside(config)).toBe(0);
  expect(await load(config)).toMatchObject({ isPublished: false });
  await rm(config.warehouse);
  expect(await rebuild(config)).toMatchObject({ isPublished: true, damages: [] });
  expect(await dumpTables(config)).toEqual(original);
}

test('events that a rebuild would give to another workspace are not, unless that is accepted', async () => {
  const config = await movedSlug();
  await rm(ledgerPath(config.dataDir));
  await seal(config);
  const losses = { responses: 0, events: 0, moved: 1 };
  expect(await rebuild(config)).toMatchObject({ refusal: 'damage', isPublished: false, losses });
  expect(await rowsOf(config, removed)).toEqual(asLoaded);
  const accepted = await rebuild(config, { acceptsDamage: true });
  expect(accepted).toMatchObject({ isPublished: true, losses });
  expect(await rowsOf(config, removed)).toEqual([
    { workspace: 'beta', post_id: 'p1' },
    { workspace: 'beta', post_id: 'p9' },
  ]);
});

test('a ledger that is made anew beside the warehouse knows again what slugs stood for', async () => {
  const config = await movedSlug();
  await rm(ledgerPath(config.dataDir));
  expect(await sealBeside(config)).toBe(1);
  await expectWhole(config);
});

test.each([
  [
    'what slugs stood for first',
    (text: string) => text.replace('{"acme":"acme"}', '{"acme":"acmf"}'),
  ],
  ['what they stand for now', (text: string) => text.replace('"acme":"beta"', '"acme":"bete"')],
  ['the first segment', (text: string) => text.replace('"kind":"segment"', '"kind":"segmend"')],
])('so does one of which the line of %s is damaged', async (_, edit) => {
  const config = await movedSlug();
  await editLedger(config, edit);
  expect(await rebuild(config)).toMatchObject({ refusal: 'damage', isPublished: false });
  await sealBeside(config);
  await expectWhole(config);
});

test('so does one that is made for an archive of an earlier version, and one that is made anew twice', async () => {
  const config = await movedSlug();
  const archive = join(config.dataDir, 'archive');
  for (const name of await readdir(archive, { recursive: true })) {
    if (!name.endsWith('.ndjson.gz')) continue;
    const path = join(archive, name);
    await writeFile(path.slice(0, -'.gz'.length), gunzipSync(await readFile(path)));
    await rm(path);
  }
  await rm(ledgerPath(config.dataDir));
  expect(await sealBeside(config)).toBe(1);
  await editLedger(config, (text) => text.replace('"events":[{', '"events":[ {'));
  await sealBeside(config);
  await expectWhole(config);
});

test('the command that seals says so, and the rebuild that refuses says to seal', async () => {
  const config = await movedSlug();
  await writeFiles(config.folder, { 'jobs.yaml': jobsOfNow, '.env': 'ACME_API_KEY=key\n' });
  const run = (...args: string[]) => runCli(args, { cwd: config.folder });
  await rm(ledgerPath(config.dataDir));
  await seal(config);
  expect(await run('rebuild', '--quiet')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(
      '1 event does not go to the workspace that the warehouse has it in. To go on, run `postledger archive verify --seal`',
    ) as string,
  });
  expect(await run('archive', 'verify', '--seal')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      'What slugs stood for was entered again for 1 segment, from the warehouse.',
    ) as string,
  });
  expect(await run('rebuild', '--json')).toMatchObject({ code: 0 });
  expect(await rowsOf(config, removed)).toEqual(asLoaded);
});

test('an archive that knows what slugs stood for is told nothing again', async () => {
  const config = await movedSlug();
  const before = await readFile(ledgerPath(config.dataDir), 'utf8');
  expect(await sealBeside(config)).toBe(0);
  expect(await readFile(ledgerPath(config.dataDir), 'utf8')).toBe(before);
});

const ofKind = (...kinds: string[]) => happening.filter(({ kind }) => kinds.includes(kind));
/** Slugs move between loads. */
const spells = fc.array(
  fc.tuple(
    ofKind('events'),
    ofKind('events', 'seal'),
    ofKind('load', 'events'),
    ofKind('config'),
    ofKind('load'),
  ),
  { minLength: 2, maxLength: 4 },
);

test('whenever slugs moved, sealing without a ledger leaves a rebuild no event in another workspace', async () => {
  const root = await temporaryFolder();
  let nth = 0;
  await fc.assert(
    fc.asyncProperty(spells, async (history) => {
      nth += 1;
      const lived = new MadeUpHistory(configOf(join(root, String(nth))));
      const { dataDir } = lived.config;
      const receiver = await acquireLock(receiverLockPath(dataDir), {
        purpose: 'receiving',
        waitMs: 0,
        clock: systemClock,
      });
      try {
        for (const each of history.flat()) await lived.live(each);
        await rm(ledgerPath(dataDir), { force: true });
        await sealBeside(lived.config);
        expect(await rebuild(lived.config)).toMatchObject({ refusal: null, losses: { moved: 0 } });
      } finally {
        await receiver.release();
      }
    }),
    {
      numRuns: Math.ceil(Number(process.env['PROPERTY_RUNS'] ?? 8) / 4),
      // shrinking stops in time to tell of the smallest case so far
      interruptAfterTimeLimit: 45_000,
      markInterruptAsFailure: false,
    },
  );
});
