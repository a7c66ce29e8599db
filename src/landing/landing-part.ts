import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { syncFolder, writeFileAtomic } from '../core/atomic-file.ts';
import { makeFolder } from '../core/durable-folder.ts';
import { checkName, partFolder, responseStem } from './layout.ts';
import type {
  FinishRecord,
  LandedRequest,
  ResponseManifest,
  RunRecord,
  WindowCheck,
} from './manifest.ts';

const compress = promisify(gzip);

/** What came of a request after all of its attempts. */
export interface LandedResult {
  readonly outcome: ResponseManifest['outcome'];
  /** Null when no response came. */
  readonly httpStatus: number | null;
  /** When the last attempt's response was complete, or had failed. */
  readonly fetchedAt: Date;
  /** HTTP requests sent for it, retries and 429s included. */
  readonly requests: number;
  /** One sentence; null on success. */
  readonly error: string | null;
  /** As it came, decompressed; null when nothing is kept. */
  readonly body: Uint8Array | null;
  /** Records in an analytics answer; null elsewhere. */
  readonly records: number | null;
  /** The posts among them, each once; not given where nobody has counted. */
  readonly distinctPosts?: number;
}

/** A check's findings; the rest is the part's own. */
export type LandedFinding = Omit<WindowCheck, 'version' | 'run_id' | 'workspace'>;

/** One workspace's part of a run, being written. Calls may overlap. */
export class LandingPart {
  readonly folder: string;
  readonly record: RunRecord;
  #lastSeq = 0;

  constructor(folder: string, record: RunRecord) {
    this.folder = folder;
    this.record = record;
  }

  /**
   * Puts a response on disk for good: first its body, then the manifest that makes it count. Once this
   * resolves it survives a kill and a power cut.
   */
  async landResponse(request: LandedRequest, result: LandedResult): Promise<ResponseManifest> {
    this.#lastSeq += 1;
    const seq = this.#lastSeq;
    const stem = responseStem(seq);
    const manifest: ResponseManifest = {
      version: 1,
      run_id: this.record.run_id,
      workspace: this.record.workspace,
      seq,
      request,
      outcome: result.outcome,
      http_status: result.httpStatus,
      fetched_at: result.fetchedAt.toISOString(),
      requests: result.requests,
      error: result.error,
      body: result.body === null ? null : await this.#landBody(`${stem}.body.gz`, result.body),
      records: result.records,
      ...(result.distinctPosts === undefined ? {} : { distinct_posts: result.distinctPosts }),
    };
    await this.#writeRecord(`${stem}.manifest.json`, manifest);
    return manifest;
  }

  /** Puts what a check of an answer found beside it, for good. The answers that it rests on have landed. */
  async landCheck(finding: LandedFinding): Promise<void> {
    const { run_id, workspace } = this.record;
    const check: WindowCheck = { version: 1, run_id, workspace, ...finding };
    await this.#writeRecord(checkName(finding.seq), check);
  }

  /** Says that the part is whole: nothing is landed after it. */
  async finish(finish: FinishRecord): Promise<void> {
    await this.#writeRecord('finish.json', finish);
  }

  async #landBody(file: string, body: Uint8Array): Promise<ResponseManifest['body']> {
    await writeFileAtomic(join(this.folder, file), await compress(body));
    const sha256 = createHash('sha256').update(body).digest('hex');
    return { file, bytes: body.byteLength, sha256 };
  }

  async #writeRecord(file: string, record: object): Promise<void> {
    await writeFileAtomic(join(this.folder, file), `${JSON.stringify(record, null, 2)}\n`);
  }
}

/**
 * Opens a new part in landing and writes its `run.json`. The caller holds the workspace's extraction lock.
 * @throws Error (EEXIST) when the run already has a part for the workspace
 */
export async function openPart(dataDir: string, record: RunRecord): Promise<LandingPart> {
  const folder = partFolder(dataDir, record.workspace, record.run_id);
  await makeFolder(dirname(folder));
  await mkdir(folder);
  await syncFolder(dirname(folder));
  await writeFileAtomic(join(folder, 'run.json'), `${JSON.stringify(record, null, 2)}\n`);
  return new LandingPart(folder, record);
}
