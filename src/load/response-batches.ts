import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { cleanRecord } from '../api/analytics-record.ts';
import { isTooDeep, repairJsonText } from '../core/json.ts';
import type { RunRecord } from '../store/manifest.ts';
import { readBodyFile, type RunFolder, type StoredResponse } from '../store/run-folder.ts';
import { DamagedFileError } from '../store/stored-file.ts';
import type { PendingRun } from './pending.ts';
import { readDetails, type StagedDetails } from './post-details.ts';
import { readApprovals, readThreads, type StagedApproval, type StagedThread } from './reviews.ts';

const decompress = promisify(gunzip);

interface ResponseKey {
  readonly workspace: string;
  readonly run_id: string;
  readonly seq: number;
}

type StagedDetail = ResponseKey & ({ kind: 'missing' } | ({ kind: 'found' } & StagedDetails));
type StagedReview = ResponseKey & {
  readonly kind: 'missing' | 'found';
  readonly approvals: readonly StagedApproval[] | null;
  readonly threads: readonly StagedThread[] | null;
};
type StagedReject = ResponseKey & { source: string; reason: string; payload: string };

/** Responses that are loaded by the same statements. */
export interface Batch {
  readonly responses: StagedResponse[];
  readonly details: StagedDetail[];
  readonly reviews: StagedReview[];
  readonly rejects: StagedReject[];
  /** The files, ordered by their `first_row`. */
  readonly files: string[];
  readonly linkedField: string;
  readonly records: number;
  readonly largestFile: number;
}

/** A response with the record of its run. */
export interface LoadableResponse {
  readonly record: RunRecord;
  readonly response: StoredResponse;
}

export interface BatchOptions {
  /** The folder for cleaned bodies, which is removed after the load. */
  readonly folder: string;
  readonly onDamage: (damage: DamagedFileError, run: RunFolder) => void;
}

/** A batch's bodies have about as many bytes before compression at most; one alone may have more. */
const batchBytes = 256 * 1024 * 1024;
/** The characters of an unreadable response that are kept. */
const maxPayloadLength = 10_000;

/** Groups a run folders' responses so that a batch's bodies fit into memory and name the linked post alike. */
export async function* groupResponses(
  runs: readonly PendingRun[],
  { onDamage }: BatchOptions,
): AsyncGenerator<LoadableResponse[]> {
  let group: LoadableResponse[] = [];
  let bytes = 0;
  for (const { folder, responses } of runs) {
    for (const response of responses) {
      if (!(await isSound(response, (damage) => onDamage(damage, folder)))) continue;
      const { record } = folder;
      const isOther = group[0] && group[0].record.linked_post_field !== record.linked_post_field;
      if (group.length > 0 && (isOther || bytes >= batchBytes)) {
        yield group;
        group = [];
        bytes = 0;
      }
      group.push({ record, response });
      bytes += response.manifest.body?.bytes ?? 0;
    }
  }
  if (group.length > 0) yield group;
}

async function isSound(
  response: StoredResponse,
  onDamage: (damage: DamagedFileError) => void,
): Promise<boolean> {
  try {
    await readBodyFile(response);
    return true;
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error;
    onDamage(error);
    return false;
  }
}

/** @param isCareful whether each record is looked at by itself, also in responses that were found plain */
export async function stageBatch(
  group: readonly LoadableResponse[],
  folder: string,
  isCareful: boolean,
): Promise<Batch> {
  const responses: StagedResponse[] = [];
  const batch: Omit<Batch, 'linkedField' | 'records' | 'largestFile'> = {
    ...{ responses, details: [], reviews: [] },
    ...{ rejects: [], files: [] },
  };
  let records = 0;
  let largestFile = 0;
  for (const { record, response } of group) {
    const { manifest, bodyPath } = response;
    const staged = stageResponse(response);
    if (manifest.request.kind !== 'analytics') {
      const rejected = await stageDetails(response, batch);
      responses.push({ ...staged, rejected });
    } else if (manifest.outcome !== 'succeeded' || bodyPath === null) responses.push(staged);
    else {
      const isPlain = manifest.is_plain && !isCareful;
      const { file, bytes, taken, rejects } = isPlain
        ? {
            file: bodyPath,
            bytes: manifest.body?.bytes ?? 0,
            taken: manifest.records ?? 0,
            rejects: [],
          }
        : await cleanBody(response, record.linked_post_field, folder);
      responses.push({
        ...staged,
        posts_read: taken,
        rejected: rejects.length,
        file,
        first_row: records + 1,
      });
      batch.files.push(file);
      batch.rejects.push(...rejects);
      records += taken;
      largestFile = Math.max(largestFile, bytes);
    }
  }
  const linkedField = group[0]?.record.linked_post_field ?? 'servicePost';
  return { ...batch, linkedField, records, largestFile };
}

/** Writes the records that can be loaded to a file of their own, as the typed scan reads them. */
async function cleanBody(
  response: StoredResponse,
  linkedField: string,
  folder: string,
): Promise<{ file: string; bytes: number; taken: number; rejects: StagedReject[] }> {
  const key = keyOf(response);
  const json = (await decompress(await readBodyFile(response))).toString('utf8');
  const records = JSON.parse(json) as unknown[];
  const clean: string[] = [];
  const rejects: StagedReject[] = [];
  for (const record of records) {
    const cleaned = cleanRecord(record, linkedField);
    if ('problem' in cleaned)
      rejects.push({
        ...key,
        source: sourceOf(response),
        reason: cleaned.problem,
        payload: isTooDeep(record) ? 'null' : repairJsonText(JSON.stringify(record)),
      });
    else clean.push(JSON.stringify(cleaned.record));
  }
  const text = repairJsonText(`[${clean.join(',\n')}]`);
  const file = join(folder, `${key.workspace}-${key.run_id}-${key.seq}.json`);
  await writeFile(file, text);
  return { file, bytes: Buffer.byteLength(text), taken: clean.length, rejects };
}

/** @returns how many records are rejected */
async function stageDetails(
  response: StoredResponse,
  { details, reviews, rejects }: Pick<Batch, 'details' | 'reviews' | 'rejects'>,
): Promise<number> {
  const { request, outcome } = response.manifest;
  const key = keyOf(response);
  if (request.kind === 'analytics' || outcome === 'failed') return 0;
  if (outcome === 'not-found') {
    if (request.kind === 'post') details.push({ ...key, kind: 'missing' });
    else reviews.push({ ...key, kind: 'missing', approvals: null, threads: null });
    return 0;
  }
  const body = (await decompress(await readBodyFile(response))).toString('utf8');
  const reject = (reason: string, payload: string) =>
    rejects.push({
      ...key,
      source: sourceOf(response),
      reason,
      payload: repairJsonText(payload.slice(0, maxPayloadLength)),
    });
  if (request.kind === 'post') {
    const read = readDetails(body, request.post_id);
    if ('details' in read) details.push({ ...key, kind: 'found', ...read.details });
    else reject(read.problem, body);
    return 'details' in read ? 0 : 1;
  }
  const read = readReviews(request.kind, body);
  if ('problem' in read) reject(read.problem, body);
  else {
    const { approvals, threads } = read;
    reviews.push({ ...key, kind: 'found', approvals, threads });
    for (const { reason, payload } of read.rejects) reject(reason, payload);
  }
  return 'problem' in read ? 1 : read.rejects.length;
}

function readReviews(kind: 'approvals' | 'comments', body: string) {
  if (kind === 'approvals') {
    const read = readApprovals(body);
    return 'problem' in read ? read : { ...read, approvals: read.rows, threads: null };
  }
  const read = readThreads(body);
  return 'problem' in read ? read : { ...read, approvals: null, threads: read.rows };
}

/** One response, as sql/load/responses.sql reads it. */
type StagedResponse = ReturnType<typeof stageResponse>;

function stageResponse({ manifest }: StoredResponse) {
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
    distinct_posts: manifest.distinct_posts,
    // records that are loaded, and those that are rejected
    posts_read: 0,
    rejected: 0,
    // stays null when the typed scan has nothing to read in it
    file: null as string | null,
    // the number of records in the batch's files before this one
    first_row: null as number | null,
  };
}

function keyOf({ manifest: { workspace, run_id, seq } }: StoredResponse): ResponseKey {
  return { workspace, run_id, seq };
}

/** The endpoint that gave it, for `rejected_records`. */
function sourceOf({ manifest: { workspace, request } }: StoredResponse): string {
  switch (request.kind) {
    case 'analytics':
      return `${workspace} GET /analytics/linkedin/${request.profile_id}/posts`;
    case 'post':
      return `${workspace} GET /posts/{id}`;
    case 'approvals':
      return `${workspace} GET /posts/{postId}/approvals`;
    case 'comments':
      return `${workspace} GET /posts/{postId}/inline-comments`;
  }
}
