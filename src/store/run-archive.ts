import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as tar from 'tar';
import { makeFolder, syncFile, syncFolder } from '../core/atomic-file.ts';
import { hasErrorCode, PostledgerError } from '../core/errors.ts';
import { rawFolder } from './layout.ts';
import { listRunNames, type RunName } from './run-folder.ts';
import { objectProblem, openBucket, type Bucket, type ObjectStore } from './object-store.ts';

/** Where the raw store of all machines is. */
export interface RunArchive {
  readonly store: ObjectStore;
  /** Of its keys: empty, or ends in a slash. */
  readonly prefix: string;
}

/** @param url `s3://bucket/prefix/` */
export async function withRunArchive<Result>(
  url: string,
  access: Omit<Bucket, 'bucket'>,
  signal: AbortSignal | undefined,
  work: (archive: RunArchive) => Promise<Result>,
): Promise<Result> {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/(.*)$/.exec(url) ?? [];
  const store = await openBucket({ ...access, bucket }, signal);
  try {
    return await work({ store, prefix });
  } catch (error) {
    if (error instanceof PostledgerError) throw error;
    const { reason } = objectProblem(error);
    throw new RunArchiveError(`${url} cannot be used: ${reason}; see docs/lake.md`, {
      cause: error,
    });
  } finally {
    store.close();
  }
}

/** Object storage does not answer, or refuses. */
class RunArchiveError extends PostledgerError {
  readonly code = 'RUN_ARCHIVE';
  readonly recovery = 'retry';
}

/** Puts a run folder, of which nothing more comes, into object storage, as one tar file. Doing it again puts the same there. */
export async function archiveRun(
  { store, prefix }: RunArchive,
  dataDir: string,
  name: RunName,
): Promise<void> {
  const cwd = join(rawFolder(dataDir), name.workspace, name.day, name.runId);
  const files = (await readdir(cwd)).filter((file) => !file.endsWith('.tmp')).sort();
  const parts: Uint8Array[] = [];
  for await (const part of tar.create({ cwd, portable: true, mtime: new Date(0) }, files))
    parts.push(part);
  await store.put(keyOf(prefix, name), Buffer.concat(parts), 'application/x-tar');
}

/**
 * Takes the run folders that this machine lacks from object storage, each whole or not at all.
 * @param wants which workspaces
 * @returns how many
 */
export async function fetchRuns(
  { store, prefix }: RunArchive,
  dataDir: string,
  wants: (workspace: string) => boolean,
): Promise<number> {
  const here = new Set<string>();
  for await (const name of listRunNames(dataDir)) here.add(keyOf('', name));
  let count = 0;
  for await (const key of store.list(prefix)) {
    const place = key.slice(prefix.length);
    const [, workspace, day, runId] = keyPattern.exec(place) ?? [];
    if (!workspace || !day || !runId || here.has(place) || !wants(workspace)) continue;
    const folder = join(rawFolder(dataDir), workspace, day, runId);
    await unpack(await store.get(key), folder, join(dataDir, 'fetched'));
    count += 1;
  }
  return count;
}

/** Whoever wrote it, the key is three names of folders. */
const keyPattern =
  /^([A-Za-z0-9][\w.-]{0,127})\/(\d{4}-\d\d-\d\d)\/([A-Za-z0-9][\w.-]{0,127})\.tar$/;

function keyOf(prefix: string, { workspace, day, runId }: RunName): string {
  return `${prefix}${workspace}/${day}/${runId}.tar`;
}

async function unpack(bytes: Uint8Array, folder: string, scratch: string): Promise<void> {
  await makeFolder(dirname(folder));
  await makeFolder(scratch);
  const made = await mkdtemp(join(scratch, 'run-'));
  try {
    await writeFile(join(made, 'run.tar'), bytes);
    const files = join(made, 'files');
    await makeFolder(files);
    const isPlain = (path: string) => /^\d{6}\.[\w.]+$|^(?:run|finish)\.json$/.test(path);
    await tar.extract({ cwd: files, file: join(made, 'run.tar'), strict: true, filter: isPlain });
    for (const name of await readdir(files)) await syncFile(join(files, name));
    await syncFolder(files);
    await rename(files, folder);
    await syncFolder(dirname(folder));
  } catch (error) {
    // another process was first
    if (!hasErrorCode(error, 'ENOTEMPTY') && !hasErrorCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
