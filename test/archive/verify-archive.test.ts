import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { appendToLedger, readLedger } from '../../src/archive/archive-ledger.ts';
import { sealPart } from '../../src/archive/seal-part.ts';
import { findingsOf } from '../../src/archive/verify-archive.ts';
import type { Config } from '../../src/config/config.ts';
import { readPart } from '../../src/landing/landed-part.ts';
import type { ResponseManifest } from '../../src/landing/manifest.ts';
import {
  archivedData,
  archivedFiles,
  findingsIn,
  landTwoRuns,
  seal,
  verify,
} from '../support/archived-data.ts';
import { deletionEvent, spoolEvents, writeSegment } from '../support/inbox-segments.ts';
import { configOf, load } from '../support/landed-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const firstPart = 'archive/acme/2026-01-15/20260115T120000Z-aaaaaa';
const secondPart = 'archive/acme/2026-01-16/cut-off';
const eventsDay = 'archive/_events/2026-01-20';

const at = (config: Config, path: string) => join(config.dataDir, path);

async function segmentsOf(config: Config): Promise<string[]> {
  return (await readdir(at(config, eventsDay))).map((name) => `${eventsDay}/${name}`);
}

/** As versions before the ledger left it. */
async function makeOld(config: Config): Promise<void> {
  await rm(at(config, 'archive/ledger.ndjson'));
  for (const part of [firstPart, secondPart]) await rm(at(config, `${part}/contents.json`));
  for (const segment of await segmentsOf(config)) {
    const data = gunzipSync(await readFile(at(config, segment)));
    await writeFile(at(config, segment.replace(/\.gz$/, '')), data);
    await rm(at(config, segment));
  }
}

test('finds nothing in an archive as loads leave it, or in none', async () => {
  const config = await archivedData();
  expect(await archivedFiles(config)).toHaveLength(2 + 1 + 8 + 4);
  expect(await findingsIn(config)).toEqual([]);
  const { parts, segments } = await verify(config);
  expect([...parts.values()]).toMatchObject([
    { isSealed: true, files: 8, seqs: [1, 2, 3] },
    { isSealed: true, files: 4, seqs: [1] },
  ]);
  expect([...segments.values()]).toMatchObject([
    { isSealed: true, events: 2 },
    { isSealed: true, events: 1 },
  ]);
  expect(await findingsIn(configOf(await temporaryFolder()))).toEqual([]);
});

test('finds a bit that flipped anywhere, and that file alone', async () => {
  const config = await archivedData();
  const files = await archivedFiles(config);
  const flip = fc.record({
    file: fc.constantFrom(...files),
    place: fc.nat(),
    bit: fc.integer({ min: 0, max: 7 }),
  });
  await fc.assert(
    fc.asyncProperty(flip, async ({ file, place, bit }) => {
      const path = at(config, `archive/${file}`);
      const whole = await readFile(path);
      const byte = place % whole.length;
      const damaged = Buffer.from(whole);
      damaged[byte] = (damaged[byte] ?? 0) ^ (1 << bit);
      await writeFile(path, damaged);
      const findings = await findingsIn(config);
      await writeFile(path, whole);
      expect(new Set(findings.map((each) => each.join(' ')))).toEqual(
        new Set([`damaged archive/${file}`]),
      );
    }),
    { numRuns: 200 },
  );
  expect(await findingsIn(config)).toEqual([]);
}, 300_000);

test('finds every file that is gone, and that file alone', async () => {
  const config = await archivedData();
  for (const file of await archivedFiles(config)) {
    const path = at(config, `archive/${file}`);
    const whole = await readFile(path);
    await rm(path);
    expect(await findingsIn(config)).toEqual([['missing', `archive/${file}`]]);
    await writeFile(path, whole);
  }
});

test('finds a part, a day and all events that are gone as a whole', async () => {
  const config = await archivedData();
  const segments = await segmentsOf(config);
  await rm(at(config, 'archive/acme/2026-01-16'), { recursive: true });
  expect(await findingsIn(config)).toEqual([['missing', secondPart]]);
  await rm(at(config, eventsDay), { recursive: true });
  expect(await findingsIn(config)).toEqual([
    ...segments.map((segment) => ['missing', segment]),
    ['missing', secondPart],
  ]);
});

test('finds what is foreign, wherever it lies', async () => {
  const config = await archivedData();
  const files = [
    'archive/notes.txt',
    'archive/acme/notes.txt',
    'archive/acme/2026-01-15/notes.txt',
    `${firstPart}/000009.body.gz`,
    `${firstPart}/notes.txt`,
    'archive/_events/notes.txt',
    `${eventsDay}/notes.txt`,
  ];
  const folders = [
    'archive/_old',
    'archive/acme/summer',
    'archive/acme/2026-01-15/empty',
    `${firstPart}/more`,
    'archive/_events/summer',
    `${eventsDay}/more`,
  ];
  for (const folder of folders) await mkdir(at(config, folder));
  for (const file of files) await writeFile(at(config, file), 'foreign');
  const found = await findingsIn(config);
  expect(found.toSorted()).toEqual(
    [...files, ...folders].map((path) => ['foreign', path]).toSorted(),
  );
});

test('finds a part that lies where another one belongs', async () => {
  const config = await archivedData();
  await cp(at(config, secondPart), at(config, 'archive/acme/2026-01-17/cut-off'), {
    recursive: true,
  });
  const found = findingsOf(await verify(config));
  expect(found).toMatchObject([
    { kind: 'foreign', remedy: `move it to ${at(config, secondPart)}` },
  ]);
});

describe('a load that was killed', () => {
  it('leaves notes of what it had entered and not moved yet, which the next load ends', async () => {
    const config = await archivedData();
    await mkdir(at(config, 'landing/acme'), { recursive: true });
    await rename(at(config, secondPart), at(config, 'landing/acme/cut-off'));
    const [segment = ''] = await segmentsOf(config);
    const inInbox = `inbox/${basename(segment).replace(/\.gz$/, '')}`;
    await writeFile(at(config, inInbox), gunzipSync(await readFile(at(config, segment))));
    await writeFile(
      at(config, `${segment}.00000000-0000-4000-8000-000000000000.tmp`),
      'half written',
    );
    const ledger = at(config, 'archive/ledger.ndjson');
    const text = await readFile(ledger, 'utf8');
    await writeFile(ledger, `${text}{"version":1,"kind":"part","work`);
    expect(await findingsIn(config)).toEqual([
      ['note', segment],
      ['note', `${segment}.00000000-0000-4000-8000-000000000000.tmp`],
      ['note', 'archive/ledger.ndjson'],
      ['note', 'landing/acme/cut-off'],
    ]);
    await load(config);
    expect(await findingsIn(config)).toEqual([]);
    expect(await readdir(at(config, 'inbox'))).toEqual(['keys.bin']);
  });

  it('leaves a segment in the archive that is not in the ledger yet, and in the inbox', async () => {
    const config = await archivedData();
    const { entries } = await readLedger(config.dataDir);
    const [segment = ''] = await segmentsOf(config);
    const plain = gunzipSync(await readFile(at(config, segment)));
    await rm(at(config, 'archive/ledger.ndjson'));
    await appendToLedger(
      config.dataDir,
      entries.filter((entry) => entry.kind !== 'segment' || entry.name !== basename(segment)),
    );
    expect(await findingsIn(config)).toEqual([['unlisted', segment]]);
    await writeFile(at(config, `inbox/${basename(segment).replace(/\.gz$/, '')}`), plain);
    expect(await findingsIn(config)).toEqual([['note', segment]]);
    await load(config);
    expect(await findingsIn(config)).toEqual([]);
    expect(await segmentsOf(config)).toHaveLength(2);
  });
});

test('notes a part that is in landing as well, as when it came back from a backup', async () => {
  const config = await archivedData();
  await cp(at(config, secondPart), at(config, 'landing/acme/cut-off'), { recursive: true });
  expect(await findingsIn(config)).toEqual([['note', secondPart]]);
});

test('notes lines of events that were damaged when they came', async () => {
  const config = await archivedData();
  await writeSegment(config, '{"no":"event"}\n');
  await load(config);
  const [, , segment] = await segmentsOf(config);
  expect(await findingsIn(config)).toEqual([['note', segment]]);
});

describe('an archive of an earlier version', () => {
  async function oldArchive(): Promise<Config> {
    const config = await archivedData();
    await makeOld(config);
    return config;
  }

  it('is verified by its manifests and keys, and is not sealed', async () => {
    const config = await oldArchive();
    expect(await findingsIn(config)).toEqual([]);
    const { parts, segments } = await verify(config);
    const isSealed = [...parts.values(), ...segments.values()].map((check) => check.isSealed);
    expect(isSealed).toEqual([false, false, false, false]);
  });

  it('shows a body, a record and an event that are not what they were', async () => {
    const config = await oldArchive();
    const [segment = ''] = await segmentsOf(config);
    const other = at(config, `${secondPart}/000001.body.gz`);
    await cp(other, at(config, `${firstPart}/000001.body.gz`));
    await writeFile(at(config, `${secondPart}/run.json`), '{"version":1}');
    await rm(at(config, `${firstPart}/000002.body.gz`));
    const text = await readFile(at(config, segment), 'utf8');
    await writeFile(at(config, segment), text.replace('post', 'pest'));
    expect(await findingsIn(config)).toEqual([
      ['damaged', segment],
      ['damaged', `${firstPart}/000001.body.gz`],
      ['damaged', `${firstPart}/000002.manifest.json`],
      ['damaged', `${secondPart}/run.json`],
    ]);
  });

  it('is sealed once it has proved good, but for what has not', async () => {
    const config = await oldArchive();
    await writeFile(at(config, `${firstPart}/notes.txt`), 'foreign');
    await seal(config);
    expect(await findingsIn(config)).toEqual([['foreign', `${firstPart}/notes.txt`]]);
    const kinds = async () =>
      (await readLedger(config.dataDir)).entries.map(({ kind }) => kind).toSorted();
    expect(await kinds()).toEqual(['part', 'segment', 'segment']);
    await rm(at(config, `${firstPart}/notes.txt`));
    await seal(config);
    await seal(config);
    expect(await kinds()).toEqual(['part', 'part', 'segment', 'segment']);
    expect(await findingsIn(config)).toEqual([]);
    const [segment = ''] = await segmentsOf(config);
    await rm(at(config, segment));
    expect(await findingsIn(config)).toEqual([['missing', segment]]);
  });

  it('takes loads of this version beside what it has', async () => {
    const config = await oldArchive();
    await rename(at(config, secondPart), at(config, 'landing/acme/cut-off'));
    await load(config);
    expect(await findingsIn(config)).toEqual([]);
    const { parts } = await verify(config);
    expect([...parts.values()].map(({ isSealed }) => isSealed)).toEqual([false, true]);
  });
});

describe('a body that was pruned', () => {
  it('is not missed, at whatever step its pruning was killed, and what stands in its place is verified', async () => {
    const config = await archivedData();
    const response = `${firstPart}/000001`;
    const { body } = JSON.parse(
      await readFile(at(config, `${response}.manifest.json`), 'utf8'),
    ) as ResponseManifest;
    const pruned = { version: 1, bytes: body?.bytes, sha256: body?.sha256 };
    const record = `${JSON.stringify({ ...pruned, posts_read: 1, rejected: 0 })}\n`;
    const run = { workspace: 'acme', run_id: basename(firstPart) };
    const steps = [
      () => appendToLedger(config.dataDir, [{ version: 1, kind: 'pruned', ...run, seqs: [1] }]),
      () => writeFile(at(config, `${response}.pruned.json`), record),
      () => rm(at(config, `${response}.body.gz`)),
    ];
    for (const step of steps) {
      await step();
      expect(await findingsIn(config)).toEqual([]);
    }
    const part = await readPart(at(config, firstPart), []);
    if (!part) throw new Error('there is no part');
    const entry = await sealPart(part);
    expect(await findingsIn(config)).toEqual([['note', firstPart]]);
    await appendToLedger(config.dataDir, [entry]);
    expect(await findingsIn(config)).toEqual([]);
    await writeFile(at(config, `${response}.pruned.json`), record.replace(':0}', ':7}'));
    expect(await findingsIn(config)).toEqual([['damaged', `${response}.pruned.json`]]);
    await rm(at(config, `${response}.pruned.json`));
    expect(await findingsIn(config)).toEqual([['missing', `${response}.pruned.json`]]);
  });
});

describe('sealing', () => {
  it('makes a lost ledger anew', async () => {
    const config = await archivedData();
    const { entries } = await readLedger(config.dataDir);
    await rm(at(config, 'archive/ledger.ndjson'));
    await seal(config);
    expect(await findingsIn(config)).toEqual([]);
    const renewed = (await readLedger(config.dataDir)).entries;
    // which workspace slugs stood for cannot be seen in what is there
    const expected = entries.filter(({ kind }) => kind !== 'slugs');
    expect(renewed).toHaveLength(expected.length);
    expect(new Set(renewed)).toEqual(new Set(expected));
  });

  it('sets damaged lines of the ledger aside, and enters anew what they told of', async () => {
    const config = await archivedData();
    const path = at(config, 'archive/ledger.ndjson');
    const whole = await readFile(path, 'utf8');
    const damaged = whole.replaceAll('cut-off', 'cut-oof');
    await writeFile(path, damaged);
    await seal(config);
    expect(await findingsIn(config)).toEqual([]);
    expect((await readFile(path, 'utf8')).split('\n').toSorted()).toEqual(
      whole.split('\n').toSorted(),
    );
    const [aside = ''] = await readdir(at(config, 'quarantine/_archive'));
    expect(damaged).toContain(await readFile(at(config, `quarantine/_archive/${aside}`), 'utf8'));
  });

  it('writes a list of contents anew when all other files are as they were', async () => {
    const config = await archivedData();
    const path = at(config, `${firstPart}/contents.json`);
    const whole = await readFile(path, 'utf8');
    for (const spoil of [() => rm(path), () => writeFile(path, whole.replace('run.json', 'rum'))]) {
      await spoil();
      await seal(config);
      expect(await readFile(path, 'utf8')).toBe(whole);
      expect(await findingsIn(config)).toEqual([]);
    }
    await rm(path);
    await rm(at(config, `${firstPart}/000003.manifest.json`));
    await seal(config);
    expect(findingsOf(await verify(config))).toMatchObject([
      { kind: 'missing', path, problem: expect.stringContaining('other files') as string },
    ]);
  });
});

test('tells of nothing that a load archives while the archive is read', async () => {
  const config = await archivedData();
  for (let round = 0; round < 5; round += 1) {
    await rm(at(config, 'archive'), { recursive: true });
    await landTwoRuns(config);
    await spoolEvents(config, [deletionEvent({ id: `p${round}` })]);
    const [findings] = await Promise.all([findingsIn(config), load(config)]);
    expect(findings.filter(([kind]) => kind !== 'note')).toEqual([]);
  }
});
