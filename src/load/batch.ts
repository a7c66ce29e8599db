import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBody } from '../landing/landed-body.ts';
import type { LandedResponse } from '../landing/landed-part.ts';
import { DamagedFileError } from '../landing/landing-errors.ts';
import type { PrunedRecord, RunRecord } from '../landing/manifest.ts';
import { readDetails, type StagedDetails } from './post-details.ts';
import { repairBody, repairJsonText } from './well-formed.ts';

/** A response to load, with what its part says about reading it. */
export interface PendingResponse {
  readonly record: RunRecord;
  readonly response: LandedResponse;
}

/** One response as sql/load/stage_responses.sql takes it. */
interface StagedResponse {
  readonly workspace: string;
  readonly run_id: string;
  readonly seq: number;
  readonly kind: 'analytics' | 'post';
  readonly profile_id: string | null;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly post_id: string | null;
  readonly outcome: string;
  readonly http_status: number | null;
  readonly fetched_at: string;
  readonly requests: number;
  readonly error: string | null;
  /** Records of an analytics answer, and the posts among them, each once; null where it is not told. */
  readonly records: number | null;
  readonly distinct_posts: number | null;
  readonly linked_post_field: string;
  /** Null when there is nothing in it for SQL to read. */
  readonly file: string | null;
  /**
   * What it tells, counted before SQL reads any of it: records of a list, 1 for another answer, 0 for none. Null
   * when its body is gone.
   */
  readonly elements: number | null;
  /** What was taken from a body that is gone, and what could not be; null of all others, which SQL counts. */
  readonly known_posts_read: number | null;
  readonly known_rejected: number | null;
}

type StagedContent = Pick<
  StagedResponse,
  'file' | 'elements' | 'known_posts_read' | 'known_rejected'
>;
/** Of an answer whose records SQL counts. */
const counted = { known_posts_read: null, known_rejected: null };

interface ResponseKey {
  readonly workspace: string;
  readonly run_id: string;
  readonly seq: number;
}

type StagedDetail = ResponseKey & { post_id: string } & (
    | { kind: 'missing' }
    | ({ kind: 'found' } & StagedDetails)
  );

/** Responses that are merged together, ready for the statements of sql/load. */
export interface Batch {
  readonly responses: StagedResponse[];
  /** Analytics bodies, all of them JSON arrays that DuckDB reads, with their bytes when decompressed. */
  readonly files: { readonly path: string; readonly bytes: number }[];
  readonly details: StagedDetail[];
  readonly rejects: (ResponseKey & { reason: string; payload: string })[];
  /** What pruned answers said of posts. */
  readonly mentions: (ResponseKey & { post_id: string; fingerprint: string })[];
}

/** Each batch's bodies, decompressed, are about as large as this at most; one alone may be larger. */
const batchBytes = 64 * 1024 * 1024;
/** What is kept of an answer that is no list of records at all. */
const maxPayloadLength = 10_000;

/**
 * Verifies bodies against their manifests and gathers them into batches. Bodies that DuckDB cannot read
 * though they are JSON are repaired in a copy under `folder`.
 * @param onDamage told of each body that is not what was landed; it is left out
 */
export async function* gatherBatches(
  pending: readonly PendingResponse[],
  folder: string,
  onDamage: (damage: DamagedFileError) => void,
): AsyncGenerator<Batch> {
  let batch = emptyBatch();
  let bytes = 0;
  for (const each of pending) {
    const body = await readBodyOrTell(each.response, onDamage);
    if (body === null) continue;
    await addResponse(batch, each, body, folder);
    bytes += body.byteLength;
    if (bytes < batchBytes) continue;
    yield batch;
    batch = emptyBatch();
    bytes = 0;
  }
  if (batch.responses.length > 0) yield batch;
}

function emptyBatch(): Batch {
  return { responses: [], files: [], details: [], rejects: [], mentions: [] };
}

async function readBodyOrTell(
  response: LandedResponse,
  onDamage: (damage: DamagedFileError) => void,
): Promise<Buffer | null> {
  try {
    return await readBody(response);
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error;
    onDamage(error);
    return null;
  }
}

async function addResponse(
  batch: Batch,
  pending: PendingResponse,
  body: Buffer,
  folder: string,
): Promise<void> {
  const { request, outcome } = pending.response.manifest;
  const { pruned } = pending.response;
  const elements = outcome === 'failed' ? 0 : 1;
  let content: StagedContent = { file: null, elements, ...counted };
  if (pruned) content = addPruned(batch, pending, pruned);
  else if (request.kind === 'post') addDetails(batch, pending, request.post_id, body);
  else if (outcome === 'succeeded') content = await addAnalytics(batch, pending, body, folder);
  batch.responses.push(stageResponse(pending, content));
}

/** What is known without the body: how much there was, that a post was missing, and what was said of others. */
function addPruned(batch: Batch, pending: PendingResponse, pruned: PrunedRecord): StagedContent {
  const { request, outcome } = pending.response.manifest;
  if (request.kind === 'post' && outcome === 'not-found')
    batch.details.push({ ...keyOf(pending), post_id: request.post_id, kind: 'missing' });
  for (const [post_id, fingerprint] of Object.entries(pruned.mentions ?? {}))
    batch.mentions.push({ ...keyOf(pending), post_id, fingerprint });
  return {
    file: null,
    elements: null,
    known_posts_read: pruned.posts_read,
    known_rejected: pruned.rejected,
  };
}

async function addAnalytics(
  batch: Batch,
  pending: PendingResponse,
  body: Buffer,
  folder: string,
): Promise<StagedContent> {
  const elements = countElements(body);
  if (elements === null) {
    reject(batch, pending, 'the answer is not a JSON array', body);
    return { file: null, elements: 1, ...counted };
  }
  const repaired = repairBody(body);
  const file =
    repaired === null
      ? pending.response.bodyPath
      : await writeRepaired(folder, `${batch.files.length}-${keyOf(pending).seq}.json`, repaired);
  const bytes = repaired === null ? body.byteLength : Buffer.byteLength(repaired);
  if (file !== null) batch.files.push({ path: file, bytes });
  return { file, elements, ...counted };
}

function addDetails(batch: Batch, pending: PendingResponse, postId: string, body: Buffer): void {
  const { outcome } = pending.response.manifest;
  const answer = { ...keyOf(pending), post_id: postId };
  if (outcome === 'not-found') batch.details.push({ ...answer, kind: 'missing' });
  if (outcome !== 'succeeded') return;
  const read = readDetails(body.toString('utf8'), postId);
  if ('problem' in read) reject(batch, pending, read.problem, body);
  else batch.details.push({ ...answer, kind: 'found', ...read.details });
}

function reject(batch: Batch, pending: PendingResponse, reason: string, body: Buffer): void {
  const payload = body.toString('utf8').slice(0, maxPayloadLength);
  batch.rejects.push({ ...keyOf(pending), reason, payload });
}

function stageResponse(
  { record, response }: PendingResponse,
  content: StagedContent,
): StagedResponse {
  const { manifest } = response;
  const { request } = manifest;
  const isAnalytics = request.kind === 'analytics';
  return {
    workspace: manifest.workspace,
    run_id: manifest.run_id,
    seq: manifest.seq,
    kind: request.kind,
    profile_id: isAnalytics ? request.profile_id : null,
    start_date: isAnalytics ? request.start_date : null,
    end_date: isAnalytics ? request.end_date : null,
    post_id: isAnalytics ? null : request.post_id,
    outcome: manifest.outcome,
    http_status: manifest.http_status,
    fetched_at: manifest.fetched_at,
    requests: manifest.requests,
    error: manifest.error,
    records: manifest.records,
    distinct_posts: manifest.distinct_posts ?? null,
    linked_post_field: record.linked_post_field,
    ...content,
  };
}

function keyOf({ response }: PendingResponse): ResponseKey {
  const { workspace, run_id, seq } = response.manifest;
  return { workspace, run_id, seq };
}

/** Null when it is no JSON array. */
function countElements(body: Buffer): number | null {
  try {
    const answer: unknown = JSON.parse(withoutByteOrderMark(body.toString('utf8')));
    return Array.isArray(answer) ? answer.length : null;
  } catch {
    return null;
  }
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

async function writeRepaired(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** As a parameter for SQL. */
export function stagingJson(rows: readonly object[]): string {
  return repairJsonText(JSON.stringify(rows));
}
