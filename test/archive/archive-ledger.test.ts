import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendToLedger, readLedger } from '../../src/archive/archive-ledger.ts';
import { readKnownArchive } from '../../src/archive/known-archive.ts';
import { ledgerPath } from '../../src/archive/layout.ts';
import { ledgerLine, type LedgerEntry } from '../../src/archive/ledger-line.ts';
import { renewLedger } from '../../src/archive/renew-ledger.ts';
import { compileSources } from '../support/compiled-sources.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const hash = 'ab'.repeat(32);
const part = (runId: string): LedgerEntry => ({
  version: 1,
  kind: 'part',
  workspace: 'acme',
  run_id: runId,
  day: '2026-01-15',
  files: 4,
  bytes: 812,
  contents_sha256: hash,
});
const ofEachKind: LedgerEntry[] = [
  part('first'),
  {
    version: 1,
    kind: 'segment',
    name: '20260115T120011.500Z-1-aa-000001.ndjson.gz',
    day: '2026-01-15',
    events: 2,
    bytes: 512,
    sha256: hash,
    file_bytes: 301,
    file_sha256: hash,
  },
  { version: 1, kind: 'slugs', slugs: { 'acme-org': 'acme', Zürich: 'zh' } },
  { version: 1, kind: 'pruned', workspace: 'acme', run_id: 'first', seqs: [1, 3] },
];

async function ledgerOf(entries: readonly LedgerEntry[]): Promise<string> {
  const dataDir = await temporaryFolder();
  await appendToLedger(dataDir, entries);
  return dataDir;
}

test('reads what was appended, in its order, and nothing where there is no ledger', async () => {
  const dataDir = await temporaryFolder();
  expect(await readLedger(dataDir)).toEqual({ isThere: false, entries: [], damages: [] });
  await appendToLedger(dataDir, []);
  expect((await readLedger(dataDir)).isThere).toBe(false);
  await appendToLedger(dataDir, ofEachKind.slice(0, 1));
  await appendToLedger(dataDir, ofEachKind.slice(1));
  expect(await readLedger(dataDir)).toEqual({ isThere: true, entries: ofEachKind, damages: [] });
});

test('tells of a line of any bit that flipped, and reads the others', async () => {
  const dataDir = await ledgerOf(ofEachKind);
  const whole = await readFile(ledgerPath(dataDir));
  const bit = fc.record({
    byte: fc.integer({ min: 0, max: whole.length - 1 }),
    bit: fc.integer({ min: 0, max: 7 }),
  });
  await fc.assert(
    fc.asyncProperty(bit, async ({ byte, bit }) => {
      const damaged = Buffer.from(whole);
      damaged[byte] = (damaged[byte] ?? 0) ^ (1 << bit);
      await writeFile(ledgerPath(dataDir), damaged);
      const { entries, damages } = await readLedger(dataDir);
      expect(damages).not.toEqual([]);
      // a line feed that is lost takes the line behind it along
      expect(entries.length).toBeGreaterThanOrEqual(ofEachKind.length - 2);
      for (const entry of entries) expect(ofEachKind).toContainEqual(entry);
    }),
    { numRuns: 500 },
  );
});

test('cuts off a line of which a killed process wrote a part, whatever the part', async () => {
  const first = ledgerLine(part('first'));
  const second = ledgerLine(part('second'));
  const dataDir = await ledgerOf([part('first'), part('second')]);
  // the last byte is the line feed
  for (let bytes = Buffer.byteLength(first); bytes < (first + second).length - 1; bytes += 1) {
    await writeFile(ledgerPath(dataDir), first + second);
    await truncate(ledgerPath(dataDir), bytes);
    const isTorn = bytes > first.length;
    expect(await readLedger(dataDir)).toMatchObject({
      entries: [part('first')],
      damages: isTorn ? [{ line: 2, isTorn }] : [],
    });
    await appendToLedger(dataDir, [part('third')]);
    expect(await readLedger(dataDir)).toMatchObject({
      entries: [part('first'), part('third')],
      damages: [],
    });
  }
});

test('keeps a line that lacks nothing but its line feed, and gives it one', async () => {
  const dataDir = await ledgerOf([part('first'), part('second')]);
  const path = ledgerPath(dataDir);
  const whole = await readFile(path, 'utf8');
  await truncate(path, whole.length - 1);
  const entries = [part('first'), part('second')];
  expect(await readLedger(dataDir)).toEqual({ isThere: true, entries, damages: [] });
  expect(await renewLedger(dataDir)).toBe(0);
  await appendToLedger(dataDir, [part('third')]);
  expect(await readFile(path, 'utf8')).toBe(whole + ledgerLine(part('third')));
});

test('does not take a last line without line feed for one of a kill when it is not what its check says', async () => {
  const dataDir = await ledgerOf([part('first'), part('second')]);
  const whole = await readFile(ledgerPath(dataDir), 'utf8');
  await writeFile(ledgerPath(dataDir), whole.replace('second', 'sacond').slice(0, -1));
  expect(await readKnownArchive(dataDir)).toMatchObject({
    isIntact: false,
    damages: [{ line: 2, isTorn: true }],
  });
});

test('cuts off a torn line that is longer than what is read at once', async () => {
  const dataDir = await ledgerOf([part('first')]);
  const line = ledgerLine(part('first'));
  await writeFile(ledgerPath(dataDir), `${line}${'x'.repeat(200_000)}`);
  await appendToLedger(dataDir, [part('second')]);
  expect((await readLedger(dataDir)).entries).toEqual([part('first'), part('second')]);
  expect(await readFile(ledgerPath(dataDir), 'utf8')).toBe(line + ledgerLine(part('second')));
});

test('keeps every line of two processes that append at once', async () => {
  const dataDir = await temporaryFolder();
  const folder = await compileSources([
    'src/core',
    'src/landing',
    'src/inbox',
    'src/api/schemas',
    'src/config',
    'src/archive',
  ]);
  const source = pathToFileURL(join(folder, 'src/archive/archive-ledger.js')).href;
  const append = (name: string) =>
    spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { appendToLedger } from '${source}';
         const entry = ${JSON.stringify(part(''))};
         for (let nth = 0; nth < 50; nth += 1)
           await appendToLedger(${JSON.stringify(dataDir)}, [{ ...entry, run_id: '${name}' + nth }]);`,
      ],
      { stdio: 'inherit' },
    );
  const exits = await Promise.all(['a', 'b'].map((name) => once(append(name), 'exit')));
  expect(exits).toEqual([
    [0, null],
    [0, null],
  ]);
  const { entries, damages } = await readLedger(dataDir);
  expect(damages).toEqual([]);
  const names = entries.map((entry) => (entry.kind === 'part' ? entry.run_id : ''));
  for (const writer of ['a', 'b']) {
    expect(names.filter((name) => name.startsWith(writer))).toEqual(
      Array.from({ length: 50 }, (_, nth) => `${writer}${nth}`),
    );
  }
});
