import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { makeFolder, placeFile, syncFolder, writeFileAtomic } from '../core/atomic-file.ts';
import { runFolderPath } from './layout.ts';
import type { FinishRecord, RequestRecord, ResponseManifest, RunRecord } from './manifest.ts';

const compress = promisify(gzip);
/** A higher level takes up to twice the time to make files a seventh smaller. */
const gzipLevel = 3;

/** The result of a request after all attempts. */
export interface ResponseResult extends Omit<
  ResponseManifest,
  'version' | 'run_id' | 'workspace' | 'seq' | 'request' | 'fetched_at' | 'body'
> {
  readonly fetchedAt: Date;
  /** The decompressed body; null if none is kept. */
  readonly body: Uint8Array | null;
}

/** Writes a run's responses from one workspace. Calls may overlap. */
export class RunWriter {
  readonly folder: string;
  readonly record: RunRecord;
  #lastSeq = 0;
  #lastFetchedMs = 0;

  private constructor(folder: string, record: RunRecord) {
    this.folder = folder;
    this.record = record;
  }

  /**
   * Creates the run's folder and writes its `run.json`. The caller holds the workspace's extraction lock.
   * @throws Error (EEXIST) if the run already has a folder for the workspace
   */
  static async open(dataDir: string, record: RunRecord): Promise<RunWriter> {
    const folder = runFolderPath(dataDir, record);
    await makeFolder(dirname(folder));
    await mkdir(folder);
    await syncFolder(dirname(folder));
    const writer = new RunWriter(folder, record);
    await writer.#writeRecord('run.json', record);
    return writer;
  }

  /**
   * Writes a response to disk: first its body, then the manifest that makes it count. Once this resolves, the
   * response survives a kill and a power cut: one sync of the folder keeps the names of both.
   */
  async storeResponse(
    request: RequestRecord,
    { fetchedAt: completeAt, body, ...result }: ResponseResult,
  ): Promise<ResponseManifest> {
    this.#lastSeq += 1;
    const seq = this.#lastSeq;
    this.#lastFetchedMs = Math.max(completeAt.getTime(), this.#lastFetchedMs + 1);
    const fetchedAt = new Date(this.#lastFetchedMs);
    const stem = fileStem(seq);
    const manifest: ResponseManifest = {
      version: 2,
      run_id: this.record.run_id,
      workspace: this.record.workspace,
      seq,
      request,
      ...result,
      fetched_at: fetchedAt.toISOString(),
      body: body === null ? null : await this.#writeBody(`${stem}.json.gz`, body),
    };
    await this.#writeRecord(`${stem}.manifest.json`, manifest);
    return manifest;
  }

  /** Marks the run as finished. Nothing is stored after this. */
  async finish(finish: FinishRecord): Promise<void> {
    await this.#writeRecord('finish.json', finish);
  }

  async #writeBody(file: string, body: Uint8Array): Promise<ResponseManifest['body']> {
    const data = await compress(body, { level: gzipLevel });
    await placeFile(join(this.folder, file), data);
    const sha256 = createHash('sha256').update(data).digest('hex');
    return { file, bytes: body.byteLength, sha256 };
  }

  async #writeRecord(file: string, record: object): Promise<void> {
    await writeFileAtomic(join(this.folder, file), `${JSON.stringify(record, null, 2)}\n`);
  }
}

/** Returns the common beginning of the names of a response's files, for example `000001`. */
function fileStem(seq: number): string {
  return String(seq).padStart(6, '0');
}
