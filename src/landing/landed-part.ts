import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../core/errors.ts';
import { readRecord } from './landed-file.ts';
import { DamagedFileError, UnreadableFileError } from './landing-errors.ts';
import {
  archivedPartFolder,
  archiveFolder,
  checkName,
  landingFolder,
  prunedName,
} from './layout.ts';
import {
  finishRecordSchema,
  prunedRecordSchema,
  responseManifestSchema,
  runRecordSchema,
  windowCheckSchema,
  type FinishRecord,
  type PrunedRecord,
  type ResponseManifest,
  type RunRecord,
  type WindowCheck,
} from './manifest.ts';

const manifestSuffix = '.manifest.json';
const checkSuffix = '.check.json';
/** How often a part is read that changes while it is read. */
const readings = 10;

/** A response whose manifest is good; its body is yet to be verified. */
export interface LandedResponse {
  readonly manifest: ResponseManifest;
  readonly manifestPath: string;
  /** Absolute; null when no body was kept, or it was pruned. */
  readonly bodyPath: string | null;
  /** What is known of a body that was given up; null of all others. */
  readonly pruned: PrunedRecord | null;
}

/** A part as it lies on disk. */
export interface LandedPart {
  readonly folder: string;
  readonly record: RunRecord;
  /** Null when the run is under way, or was cut off. */
  readonly finish: FinishRecord | null;
  /** By seq. */
  readonly responses: readonly LandedResponse[];
  /** What became of answers that looked cut off, by seq. */
  readonly checks: readonly WindowCheck[];
}

export interface Landing {
  /** By start of the run, then workspace. */
  readonly parts: readonly LandedPart[];
  /** What could not be read; the rest is not affected. */
  readonly damages: readonly DamagedFileError[];
}

/**
 * Reads what lies in landing, without bodies. Changes nothing. A part that is being written may be read in the middle
 * of it: what of it is damaged then is not for sure.
 * @throws UnreadableFileError
 */
export async function listLanding(dataDir: string): Promise<Landing> {
  const parts: LandedPart[] = [];
  const damages: DamagedFileError[] = [];
  for (const workspace of await listFolders(landingFolder(dataDir))) {
    const folder = join(landingFolder(dataDir), workspace);
    for (const runId of await listFolders(folder)) {
      const part = await readLandedPart(join(folder, runId), damages);
      if (part) parts.push(part);
    }
  }
  parts.sort((a, b) => compareText(sortKey(a), sortKey(b)));
  return { parts, damages };
}

const dayPattern = /^\d{4}-\d\d-\d\d$/;

/**
 * Reads the archive part by part, without bodies: by workspace, day and run, so that no more than one part is in
 * memory. Changes nothing. The caller holds the warehouse's lock, without which parts may come in meanwhile.
 * @param onDamage told of what cannot be read; the rest is not affected
 */
export async function* listArchivedParts(
  dataDir: string,
  onDamage: (damage: DamagedFileError) => void,
): AsyncGenerator<LandedPart> {
  for await (const folder of listArchivedFolders(dataDir)) {
    const damages: DamagedFileError[] = [];
    const part = await readPart(folder, damages);
    damages.forEach(onDamage);
    if (part === null) {
      if (damages.length === 0)
        onDamage(new DamagedFileError(`${folder} has no run.json`, [folder]));
    } else if (archivedPartFolder(dataDir, part.record) === folder) yield part;
    else onDamage(new DamagedFileError(`${folder} is not where its run.json belongs`, [folder]));
  }
}

/** The folders in which parts are archived; events have others. */
async function* listArchivedFolders(dataDir: string): AsyncGenerator<string> {
  const root = archiveFolder(dataDir);
  for (const workspace of (await listFolders(root))
    .filter((name) => !name.startsWith('_'))
    .sort()) {
    const days = await listFolders(join(root, workspace));
    for (const day of days.filter((name) => dayPattern.test(name)).sort()) {
      const folder = join(root, workspace, day);
      for (const runId of (await listFolders(folder)).sort()) yield join(folder, runId);
    }
  }
}

/**
 * Reads one part of landing as it is now; null when it is gone, or there is no such part. What a load moves away while
 * it is read is neither damaged nor there.
 * @throws UnreadableFileError
 */
export async function readLandedPart(
  folder: string,
  damages: DamagedFileError[],
): Promise<LandedPart | null> {
  for (let reading = 1; ; reading += 1) {
    const found: DamagedFileError[] = [];
    try {
      const part = await readPart(folder, found);
      damages.push(...found);
      return part;
    } catch (error) {
      const isGone = error instanceof UnreadableFileError && hasErrorCode(error.cause, 'ENOENT');
      if (!isGone || reading === readings) throw error;
    }
  }
}

/** Whether all responses and checks that its folder has now were read: none is damaged, none came since. */
export async function isWhole({ folder, responses, checks }: LandedPart): Promise<boolean> {
  const names = await listFiles(folder);
  const count = (suffix: string) => names.filter((name) => name.endsWith(suffix)).length;
  return count(manifestSuffix) === responses.length && count(checkSuffix) === checks.length;
}

/**
 * A part by its folder, in landing or in the archive, without bodies.
 * @param passedOver names of files that are not looked at
 * @returns null without a good run.json, or with a finish.json that is damaged
 * @throws UnreadableFileError on a file that was listed and cannot be read, or is gone
 */
export async function readPart(
  folder: string,
  damages: DamagedFileError[],
  passedOver: ReadonlySet<string> = new Set(),
): Promise<LandedPart | null> {
  const names = new Set((await listFiles(folder)).filter((name) => !passedOver.has(name)));
  // without a run.json nothing was asked yet
  if (!names.has('run.json')) return null;
  try {
    const record = await readRecord(join(folder, 'run.json'), runRecordSchema, [folder]);
    const finishPath = join(folder, 'finish.json');
    const finish = names.has('finish.json')
      ? await readRecord(finishPath, finishRecordSchema, [finishPath])
      : null;
    return {
      folder,
      record,
      finish,
      responses: await readResponses(folder, names, record, damages),
      checks: await readChecks(folder, names, record, damages),
    };
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error;
    damages.push(error);
    return null;
  }
}

async function readResponses(
  folder: string,
  names: ReadonlySet<string>,
  record: RunRecord,
  damages: DamagedFileError[],
): Promise<LandedResponse[]> {
  const responses: LandedResponse[] = [];
  for (const name of [...names].filter((each) => each.endsWith(manifestSuffix)).sort()) {
    try {
      responses.push(await readResponse(folder, name, names, record));
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      damages.push(error);
    }
  }
  return responses.sort((a, b) => a.manifest.seq - b.manifest.seq);
}

async function readResponse(
  folder: string,
  name: string,
  names: ReadonlySet<string>,
  record: RunRecord,
): Promise<LandedResponse> {
  const manifestPath = join(folder, name);
  const stem = name.slice(0, -manifestSuffix.length);
  const bodyName = `${stem}.body.gz`;
  const files = names.has(bodyName) ? [manifestPath, join(folder, bodyName)] : [manifestPath];
  const manifest = await readRecord(manifestPath, responseManifestSchema, files);
  if (manifest.run_id !== record.run_id || manifest.workspace !== record.workspace) {
    throw new DamagedFileError(`${manifestPath} belongs to another run or workspace`, files);
  }
  if (manifest.body && manifest.body.file !== bodyName) {
    throw new DamagedFileError(`${manifestPath} names a body that is not its own`, files);
  }
  const known = { manifest, manifestPath };
  if (!manifest.body || names.has(bodyName)) {
    return { ...known, bodyPath: manifest.body ? join(folder, bodyName) : null, pruned: null };
  }
  if (!names.has(prunedName(stem))) {
    throw new DamagedFileError(`${manifestPath} has lost its body ${bodyName}`, files);
  }
  return { ...known, bodyPath: null, pruned: await readPruned(folder, stem, manifest) };
}

async function readChecks(
  folder: string,
  names: ReadonlySet<string>,
  record: RunRecord,
  damages: DamagedFileError[],
): Promise<WindowCheck[]> {
  const checks: WindowCheck[] = [];
  for (const name of [...names].filter((each) => each.endsWith(checkSuffix)).sort()) {
    try {
      checks.push(await readCheck(join(folder, name), name, record));
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      damages.push(error);
    }
  }
  return checks.sort((a, b) => a.seq - b.seq);
}

async function readCheck(path: string, name: string, record: RunRecord): Promise<WindowCheck> {
  const check = await readRecord(path, windowCheckSchema, [path]);
  const isOwn = check.run_id === record.run_id && check.workspace === record.workspace;
  if (isOwn && name === checkName(check.seq)) return check;
  throw new DamagedFileError(`${path} belongs to another run, workspace or response`, [path]);
}

async function readPruned(
  folder: string,
  stem: string,
  { body }: ResponseManifest,
): Promise<PrunedRecord> {
  const path = join(folder, prunedName(stem));
  const pruned = await readRecord(path, prunedRecordSchema, [path]);
  if (pruned.bytes === body?.bytes && pruned.sha256 === body.sha256) return pruned;
  throw new DamagedFileError(`${path} does not tell of the body that its manifest does`, [path]);
}

/** None when the folder was moved to the archive in the meantime. */
async function listFiles(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}

async function listFolders(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function sortKey(part: LandedPart): string {
  const start = new Date(part.record.started_at).toISOString();
  return `${start} ${part.record.run_id} ${part.record.workspace}`;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
