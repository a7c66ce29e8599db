import { basename, join } from 'node:path';
import pLimit from 'p-limit';
import { statExisting } from '../inbox/spool/existing.ts';
import { readBody } from '../landing/landed-body.ts';
import { readPart, type LandedPart } from '../landing/landed-part.ts';
import { DamagedFileError, UnreadableFileError } from '../landing/landing-errors.ts';
import { archivedPartFolder, archiveFolder, partFolder } from '../landing/layout.ts';
import { listEntries } from './archive-tree.ts';
import { contentsName } from './contents-list.ts';
import { finding, foreign, note, unreadable, type Finding } from './finding.ts';
import type { KnownArchive } from './known-archive.ts';
import { checkContents } from './verify-contents.ts';

/** How one part stands. */
export interface PartCheck {
  readonly findings: readonly Finding[];
  /** Sealed parts have a list of their contents, and an entry in the ledger. */
  readonly isSealed: boolean;
  readonly hasContents: boolean;
  /** Of the responses whose manifests are there. */
  readonly seqs: readonly number[];
  readonly files: number;
}

const bodiesAtOnce = 8;
/** Names of files that a part may have, its list apart. */
export const partFiles =
  /^(?:run\.json|finish\.json|\d{6,}\.(?:body\.gz|manifest\.json|check\.json|pruned\.json))$/;
/** What a kill leaves of a file that was being written. */
const unfinished = /^[^.]+(?:\.[a-z]+)+\.[0-9a-f-]{36}\.tmp$/;

/**
 * Holds one part of the archive against the ledger, its list of contents, and its manifests. Reads every byte.
 * @param place below the folder of the archive
 */
export async function verifyPart(
  dataDir: string,
  place: string,
  known: KnownArchive,
): Promise<PartCheck> {
  const folder = join(archiveFolder(dataDir), place);
  const entries = await listEntries(folder);
  if (entries.length === 0) return absentPart(dataDir, place, known);
  const names = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
  const contents = await checkContents(folder, names, known, place);
  const findings = [...contents.findings];
  for (const entry of entries) {
    if (!entry.isFile()) findings.push(foreign(join(folder, entry.name), 'no part has this'));
  }
  if (!contents.isListed) findings.push(...findForeign(folder, names));
  findings.push(...(await checkRecords(dataDir, folder, findings)));
  const isElsewhere = findings.some(({ kind, path }) => kind === 'foreign' && path === folder);
  return {
    // what is not where it belongs is not to be entered
    findings: isElsewhere ? findings.filter(({ kind }) => kind !== 'unlisted') : findings,
    isSealed: contents.isSealed,
    hasContents: names.has(contentsName),
    seqs: seqsOf([...names]),
    files: names.size,
  };
}

/** Nothing lies at its place: of a part that the ledger tells of, or of none. */
async function absentPart(dataDir: string, place: string, known: KnownArchive): Promise<PartCheck> {
  const path = join(archiveFolder(dataDir), place);
  const check = { isSealed: true, hasContents: false, seqs: [], files: 0 };
  const entry = known.parts.get(place);
  // where there is no folder, it was moved since the folders were read
  if (!entry) {
    const isThere = (await statExisting(path)) !== null;
    return { ...check, findings: isThere ? [foreign(path, 'it is empty')] : [] };
  }
  const waiting = partFolder(dataDir, entry.workspace, entry.run_id);
  const isWaiting = (await listEntries(waiting)).some(({ name }) => name === 'run.json');
  const problem = 'it is entered in the archive, and still in landing: a load was killed';
  const told = isWaiting
    ? note(waiting, problem, 'the next load ends it')
    : finding('missing', path, 'the part was archived and is gone');
  return { ...check, findings: [told] };
}

/** Of a part without a list of its contents, what no part of any version has. */
function findForeign(folder: string, names: ReadonlySet<string>): Finding[] {
  return [...names]
    .filter((name) => name !== contentsName && !partFiles.test(name) && !unfinished.test(name))
    .map((name) => foreign(join(folder, name), 'no part has such a file'));
}

/** Whether records can be read, bodies are those of their manifests, and the part is where it belongs. */
async function checkRecords(
  dataDir: string,
  folder: string,
  before: readonly Finding[],
): Promise<Finding[]> {
  const told = new Set(before.map(({ path }) => stemOf(path)));
  // it says whose the others are
  if (told.has('run')) return [];
  const { part, found } = await readRecords(folder);
  const findings = found.filter(({ path }) => !told.has(stemOf(path)));
  if (part === null) return found.length > 0 ? findings : [noRunRecord(folder)];
  findings.push(...(await checkPlace(dataDir, folder, part)));
  return [...findings, ...(await checkBodies(part, told))];
}

/** A part as far as it can be read: the disk may have lost some of its files for good. */
async function readRecords(
  folder: string,
): Promise<{ readonly part: LandedPart | null; readonly found: readonly Finding[] }> {
  const refused: Finding[] = [];
  const passedOver = new Set<string>();
  for (;;) {
    const damages: DamagedFileError[] = [];
    try {
      const part = await readPart(folder, damages, passedOver);
      const damaged = damages.map((damage) => damageFinding(folder, damage));
      return { part, found: [...refused, ...damaged] };
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      refused.push(unreadable(error.path, error.cause));
      passedOver.add(basename(error.path));
    }
  }
}

function noRunRecord(folder: string): Finding {
  return finding('missing', join(folder, 'run.json'), 'every part has one');
}

async function checkPlace(
  dataDir: string,
  folder: string,
  { record }: LandedPart,
): Promise<Finding[]> {
  const home = archivedPartFolder(dataDir, record);
  if (home !== folder) {
    const problem = 'its run.json is of another part';
    return [finding('foreign', folder, problem, `move it to ${home}`)];
  }
  const twin = partFolder(dataDir, record.workspace, record.run_id);
  if (!(await listEntries(twin)).some(({ name }) => name === 'run.json')) return [];
  const problem = `${twin} is there as well: it came back, as from a backup`;
  return [note(folder, problem, 'remove one of the two')];
}

async function checkBodies(part: LandedPart, told: ReadonlySet<string>): Promise<Finding[]> {
  const untold = part.responses.filter(
    ({ bodyPath }) => bodyPath !== null && !told.has(stemOf(bodyPath)),
  );
  const found = await pLimit(bodiesAtOnce).map(untold, async (response) => {
    try {
      await readBody(response);
      return [];
    } catch (error) {
      if (error instanceof DamagedFileError) return [damageFinding(part.folder, error)];
      if (error instanceof UnreadableFileError) return [unreadable(error.path, error.cause)];
      throw error;
    }
  });
  return found.flat();
}

function damageFinding(
  folder: string,
  { message, files: [first = folder] }: DamagedFileError,
): Finding {
  const path = first === folder ? join(folder, 'run.json') : first;
  const problem = message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;
  return finding('damaged', path, problem);
}

/** Of the responses whose manifests are among these files. */
export function seqsOf(names: readonly string[]): number[] {
  return names.flatMap((name) => {
    const [, seq] = /^(\d+)\.manifest\.json$/.exec(name) ?? [];
    return seq === undefined ? [] : [Number(seq)];
  });
}

/** All files of one response have the same. */
function stemOf(path: string): string {
  return basename(path).split('.', 1)[0] ?? '';
}
