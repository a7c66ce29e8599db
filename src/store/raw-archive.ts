import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as tar from 'tar';
import { makeFolder, syncFile, syncFolder } from '../core/atomic-file.ts';
import { hasErrorCode, UnreachableError } from '../core/errors.ts';
import { erasuresText, parseErasures, type ErasureRecord } from './erasure.ts';
import { readEventFile, storeEventFile } from './event-store.ts';
import { rawFolder } from './layout.ts';
import { listRunNames, type RunName } from './run-folder.ts';
import {
  objectProblem,
  openBucket,
  splitBucketUrl,
  type Bucket,
  type ObjectStore,
} from './object-store.ts';

/** Object storage does not answer, or refuses a request. */
export class RawArchiveError extends UnreachableError {
  readonly code = 'RAW_ARCHIVE';
}

/** The keys of run folders and events. Their parts are safe names of folders, whatever wrote the objects. */
const runPattern =
  /^([A-Za-z0-9][\w.-]{0,127})\/(\d{4}-\d\d-\d\d)\/([A-Za-z0-9][\w.-]{0,127})\.tar$/;
const erasuresKey = '_erased.json';
const eventPattern = /^_events\/s\d\d\/([0-9a-f]{64})\.json$/;

/**
 * The raw store that machines share in object storage: run folders as `<workspace>/<day>/<run>.tar`, events as
 * `_events/<shard>/<key>.json`. Uploading the same run or event again changes nothing. Close it after use.
 * @throws RawArchiveError from each of its methods
 */
export class RawArchive {
  readonly #url: string;
  readonly #store: ObjectStore;
  readonly #prefix: string;

  /** @param url `s3://bucket/prefix/` */
  constructor(url: string, store: ObjectStore) {
    this.#url = url;
    this.#store = store;
    this.#prefix = splitBucketUrl(url).prefix;
  }

  static async open(
    url: string,
    access: Omit<Bucket, 'bucket'>,
    signal: AbortSignal | undefined,
  ): Promise<RawArchive> {
    const { bucket } = splitBucketUrl(url);
    return new RawArchive(url, await openBucket({ ...access, bucket }, signal));
  }

  /** Uploads a complete run folder. @param isKnown true if the bucket may have the same one, which is then left */
  async putRun(dataDir: string, name: RunName, isKnown = false): Promise<void> {
    const cwd = join(rawFolder(dataDir), name.workspace, name.day, name.runId);
    const files = (await readdir(cwd)).filter((file) => !file.endsWith('.tmp')).sort();
    const parts: Uint8Array[] = [];
    for await (const part of tar.create({ cwd, portable: true, mtime: new Date(0) }, files))
      parts.push(part);
    const key = this.#prefix + runKey(name);
    const tarred = Buffer.concat(parts);
    const hash = createHash('md5').update(tarred).digest('hex');
    await this.#ask(async () => {
      if (!isKnown || (await this.#store.hashOf(key)) !== hash)
        await this.#store.put(key, tarred, 'application/x-tar');
    });
  }

  async listRuns(): Promise<RunName[]> {
    return (await this.#list('')).flatMap((key) => {
      const [, workspace, day, runId] = runPattern.exec(key) ?? [];
      return workspace && day && runId ? [{ workspace, day, runId }] : [];
    });
  }

  /**
   * Downloads the run folders that this machine lacks, each whole or not at all.
   * @param wants selects the workspaces
   * @returns the number of folders downloaded
   */
  async fetchRuns(dataDir: string, wants: (workspace: string) => boolean): Promise<number> {
    const here = new Set<string>();
    for await (const name of listRunNames(dataDir)) here.add(runKey(name));
    const lacking = (await this.listRuns()).filter(
      (name) => wants(name.workspace) && !here.has(runKey(name)),
    );
    for (const name of lacking) {
      const bytes = await this.#ask(() => this.#store.get(this.#prefix + runKey(name)));
      const folder = join(rawFolder(dataDir), name.workspace, name.day, name.runId);
      await unpack(bytes, folder, join(dataDir, 'fetched'));
    }
    return lacking.length;
  }

  async putEvent(dataDir: string, key: string, shard: string): Promise<void> {
    const file = await readEventFile(dataDir, key);
    const name = `${this.#prefix}_events/${shard}/${key}.json`;
    await this.#ask(() => this.#store.putNew(name, file, 'application/json'));
  }

  /** Puts what this machine has of an event in the place of the one that is there. */
  async replaceEvent(dataDir: string, key: string, path: string): Promise<void> {
    const file = await readEventFile(dataDir, key);
    await this.#ask(() => this.#store.put(this.#prefix + path, file, 'application/json'));
  }

  /**
   * Lists the events of these shards, or of all with null.
   * @returns the path of each event by its key
   */
  async listEvents(shards: readonly string[] | null): Promise<Map<string, string>> {
    const paths = new Map<string, string>();
    for (const folder of shards?.map((shard) => `_events/${shard}/`) ?? ['_events/'])
      for (const path of await this.#list(folder)) {
        const [, key] = eventPattern.exec(path) ?? [];
        if (key !== undefined) paths.set(key, path);
      }
    return paths;
  }

  /** Downloads an event. @throws DamagedFileError if the object is not this event */
  async fetchEvent(dataDir: string, key: string, path: string): Promise<void> {
    const file = await this.#ask(() => this.#store.get(this.#prefix + path));
    await storeEventFile(dataDir, key, Buffer.from(file));
  }

  /** Returns the record of what any machine has erased; null if none has. */
  async readErasures(): Promise<ErasureRecord | null> {
    const key = this.#prefix + erasuresKey;
    return this.#ask(async () =>
      (await this.#store.hashOf(key)) === null
        ? null
        : parseErasures(Buffer.from(await this.#store.get(key)).toString('utf8')),
    );
  }

  async writeErasures(record: ErasureRecord): Promise<void> {
    const text = Buffer.from(erasuresText(record));
    await this.#ask(() => this.#store.put(this.#prefix + erasuresKey, text, 'application/json'));
  }

  close(): void {
    this.#store.close();
  }

  /** Lists keys without the prefix. */
  async #list(folder: string): Promise<string[]> {
    const keys: string[] = [];
    await this.#ask(async () => {
      for await (const key of this.#store.list(this.#prefix + folder))
        keys.push(key.slice(this.#prefix.length));
    });
    return keys;
  }

  async #ask<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (cause) {
      const { reason } = objectProblem(cause);
      throw new RawArchiveError(`${this.#url} cannot be used: ${reason}; see docs/lake.md`, {
        cause,
      });
    }
  }
}

function runKey({ workspace, day, runId }: RunName): string {
  return `${workspace}/${day}/${runId}.tar`;
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
    // Another process may have fetched the folder first.
    if (!hasErrorCode(error, 'ENOTEMPTY') && !hasErrorCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
