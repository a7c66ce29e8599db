import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { archiveParts } from '../../src/archive/archive-parts.ts';
import type { Config } from '../../src/config/config.ts';
import { listSegments } from '../../src/inbox/spool/segment.ts';
import { listLanding } from '../../src/landing/landed-part.ts';
import { findingsIn, landTwoRuns, seal, verify } from '../support/archived-data.ts';
import { copyBeforeAll } from '../support/copies-before-operations.ts';
import { configOf } from '../support/landed-run.ts';
import { compileSpool, spoolImports, startProgram } from '../support/spool-process.ts';
import {
  allKeys,
  archiveRead,
  eventsOf,
  keysOfEvents,
  writeSegment,
} from '../support/spooled-events.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const segmentName = (seq: number) => `20260115T12001${seq}.500Z-1-aa-00000${seq}.ndjson`;

async function waitingData(): Promise<Config> {
  const config = configOf(await temporaryFolder());
  await landTwoRuns(config);
  await writeSegment(config.dataDir, segmentName(1), eventsOf(1, 2));
  await writeSegment(config.dataDir, segmentName(2), eventsOf(3, 1));
  return config;
}

async function archiveAll(dataDir: string): Promise<void> {
  const { parts } = await listLanding(dataDir);
  await archiveParts(dataDir, parts);
  await archiveRead(dataDir, await listSegments(dataDir));
}

/** Runs a program that is copied before every file operation. @returns configs over the copies */
async function copiesOf({ dataDir }: Config, program: string): Promise<Config[]> {
  const folder = await compileSpool();
  const url = (path: string) => pathToFileURL(join(folder, 'src', path)).href;
  const copies = await temporaryFolder();
  const script = `${spoolImports(folder)}
    const { archiveParts } = await import('${url('archive/archive-parts.js')}');
    const { listLanding } = await import('${url('landing/landed-part.js')}');
    const { verifyArchive } = await import('${url('archive/verify-archive.js')}');
    const { sealArchive } = await import('${url('archive/seal-archive.js')}');
    const { silentProgress: progress } = await import('${url('core/progress.js')}');
    ${copyBeforeAll(dataDir, copies)}
    const dataDir = ${JSON.stringify(dataDir)};
    ${program}`;
  expect(await once(startProgram(script), 'close')).toEqual([0, null]);
  const numbers = (await readdir(copies)).map(Number).sort((a, b) => a - b);
  return numbers.map((number) => configOf(join(copies, String(number))));
}

async function countResponses(config: Config): Promise<number> {
  const { parts } = await verify(config);
  const landed = (await listLanding(config.dataDir)).parts;
  const archived = [...parts.values()].reduce((sum, { seqs }) => sum + seqs.length, 0);
  return archived + landed.reduce((sum, { responses }) => sum + responses.length, 0);
}

test('a kill before any file operation of archiving loses nothing, spoils nothing, and archiving again completes it', async () => {
  const config = await waitingData();
  const copies = await copiesOf(
    config,
    `await archiveParts(dataDir, (await listLanding(dataDir)).parts);
     await archiveRead(dataDir, await listSegments(dataDir));`,
  );
  // two lists, the ledger twice with its locks, two moves, keys and two segments
  expect(copies.length).toBeGreaterThan(80);
  for (const [number, copy] of copies.entries()) {
    const found = await findingsIn(copy);
    expect([number, found.filter(([kind]) => kind !== 'note')]).toEqual([number, []]);
    expect([number, await countResponses(copy)]).toEqual([number, 4]);
    expect([number, new Set(await allKeys(copy.dataDir))]).toEqual([
      number,
      new Set(keysOfEvents(eventsOf(1, 3))),
    ]);
    await archiveAll(copy.dataDir);
    expect([number, await findingsIn(copy)]).toEqual([number, []]);
    const { parts, segments } = await verify(copy);
    expect([number, parts.size, segments.size]).toEqual([number, 2, 2]);
    expect((await listLanding(copy.dataDir)).parts).toEqual([]);
    expect(await listSegments(copy.dataDir)).toEqual([]);
  }
}, 300_000);

test('a kill before any file operation of sealing spoils nothing, and sealing again completes it', async () => {
  const config = await waitingData();
  await archiveAll(config.dataDir);
  await rm(join(config.dataDir, 'archive', 'ledger.ndjson'));
  const first = (await readdir(join(config.dataDir, 'archive', 'acme', '2026-01-15')))[0] ?? '';
  await rm(join(config.dataDir, 'archive', 'acme', '2026-01-15', first, 'contents.json'));
  const untouched = await temporaryFolder();
  await cp(config.folder, untouched, { recursive: true });
  const copies = await copiesOf(
    config,
    `const { signal } = new AbortController();
     await sealArchive(dataDir, await verifyArchive({ dataDir, progress, signal }));`,
  );
  expect(copies.length).toBeGreaterThan(20);
  for (const [number, copy] of [configOf(untouched), ...copies].entries()) {
    const findings = await findingsIn(copy);
    const mended = new Set(['missing', 'unlisted', 'note']);
    expect([number, findings.filter(([kind]) => !mended.has(kind))]).toEqual([number, []]);
    await seal(copy);
    expect([number, (await findingsIn(copy)).filter(([kind]) => kind !== 'note')]).toEqual([
      number,
      [],
    ]);
    const { parts, segments } = await verify(copy);
    const checks = [...parts.values(), ...segments.values()];
    expect([number, checks.map(({ isSealed }) => isSealed)]).toEqual([
      number,
      [true, true, true, true],
    ]);
  }
}, 300_000);
