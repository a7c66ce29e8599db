import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isTooDeep, repairJsonText } from '../core/json.ts';
import { readBodyFile, type RunFolder, type StoredResponse } from '../store/run-folder.ts';
import { DamagedFileError } from '../store/stored-file.ts';
import { cleanRecord, countPlainRecords } from './analytics-record.ts';
import type { PendingRun } from './pending.ts';
import { readDetails } from './post-details.ts';
import { readReviews } from './reviews.ts';

const decompress = promisify(gunzip);

interface ResponseKey {
  readonly workspace: string;
  readonly run_id: string;
  readonly seq: number;
}

/** The answer about one post; one that was found has the columns of what it says. */
type StagedDetail = ResponseKey & { readonly kind: 'missing' | 'found' };
type StagedReject = ResponseKey & { source: string; reason: string; payload: string };

/** Responses that are loaded by the same statements. */
export interface Batch {
  readonly responses: StagedResponse[];
  readonly details: StagedDetail[];
  readonly reviews: StagedDetail[];
  readonly rejects: StagedReject[];
  readonly damages: DamagedResponse[];
  /** The files, ordered by their `first_row`. */
  readonly files: string[];
  readonly linkedField: string;
  readonly records: number;
  readonly largestFile: number;
}

/** A response with the folder of its run. */
export interface LoadableResponse {
  readonly folder: RunFolder;
  readonly response: StoredResponse;
}

/** A body that is missing or changed, and the run folder that has it. */
interface DamagedResponse {
  readonly folder: RunFolder;
  readonly damage: DamagedFileError;
}

/** A batch's bodies have about as many bytes before compression at most; one alone may have more. */
const batchBytes = 256 * 1024 * 1024;
const responsesAtOnce = 2_000;
/** The characters of an unreadable response that are kept. */
const maxPayloadLength = 10_000;

/** Groups run folders' responses so that a batch fits into memory and its bodies name the linked post alike. */
export async function* groupResponses(
  runs: AsyncIterable<PendingRun>,
): AsyncGenerator<LoadableResponse[]> {
  let group: LoadableResponse[] = [];
  let bytes = 0;
  for await (const { folder, responses } of runs) {
    for (const response of responses) {
      const { linked_post_field: field } = folder.record;
      const isOther = group[0] && group[0].folder.record.linked_post_field !== field;
      if (isOther || bytes >= batchBytes || group.length >= responsesAtOnce) {
        yield group;
        group = [];
        bytes = 0;
      }
      group.push({ folder, response });
      bytes += response.manifest.body?.bytes ?? 0;
    }
  }
  if (group.length > 0) yield group;
}

/**
 * Reads the bodies of responses. Damaged ones are skipped.
 * @param workFolder the folder for cleaned bodies, which is removed after the load
 * @param isCareful whether each record is looked at by itself, also where one typed scan might read them
 */
export async function stageBatch(
  group: readonly LoadableResponse[],
  workFolder: string,
  isCareful: boolean,
): Promise<Batch> {
  const batch: Omit<Batch, 'linkedField' | 'records' | 'largestFile'> = {
    responses: [],
    details: [],
    reviews: [],
    rejects: [],
    damages: [],
    files: [],
  };
  const linkedField = group[0]?.folder.record.linked_post_field ?? 'servicePost';
  const options = { linkedField, workFolder, isCareful };
  let records = 0;
  let largestFile = 0;
  for (const { folder, response } of group) {
    const body = await readBody(response).catch((error: unknown) => {
      if (!(error instanceof DamagedFileError)) throw error;
      batch.damages.push({ folder, damage: error });
      return null;
    });
    if (body === null) continue;
    const { manifest } = response;
    const staged = stageResponse(response);
    if (manifest.request.kind !== 'analytics')
      batch.responses.push({ ...staged, rejected: stageDetails(response, body, batch) });
    else if (body.length === 0) batch.responses.push(staged);
    else {
      const { file, bytes, taken, rejects } = await stageRecords(response, body, options);
      const counts = { posts_read: taken, rejected: rejects.length };
      batch.responses.push({ ...staged, ...counts, file, first_row: records + 1 });
      batch.files.push(file);
      batch.rejects.push(...rejects);
      records += taken;
      largestFile = Math.max(largestFile, bytes);
    }
  }
  return { ...batch, linkedField, records, largestFile };
}

/** @returns nothing of a failed response, whatever it has */
async function readBody(response: StoredResponse): Promise<Buffer> {
  const { outcome, body } = response.manifest;
  const data = await readBodyFile(response);
  if (outcome !== 'succeeded' || body === null) return Buffer.alloc(0);
  // pieces of the usual 16 KiB would take three times as long
  return decompress(data, { chunkSize: Math.max(body.bytes + 1, 2 ** 14) });
}

/** The records of an analytics response that the typed scan reads. */
interface StagedRecords {
  readonly file: string;
  /** The size of the file, decompressed. */
  readonly bytes: number;
  readonly taken: number;
  readonly rejects: readonly StagedReject[];
}

/** The response's own file where the typed scan can read it, or else one of the records that can be loaded. */
async function stageRecords(
  response: StoredResponse,
  body: Buffer,
  options: { linkedField: string; workFolder: string; isCareful: boolean },
): Promise<StagedRecords> {
  const { linkedField, workFolder, isCareful } = options;
  const taken = isCareful ? null : countPlainRecords(body, linkedField);
  if (taken !== null && response.bodyPath !== null)
    return { file: response.bodyPath, bytes: body.length, taken, rejects: [] };
  return cleanBody(response, body, { linkedField, workFolder });
}

/** Writes the records that can be loaded to a file of their own, as the typed scan reads them. */
async function cleanBody(
  response: StoredResponse,
  body: Buffer,
  { linkedField, workFolder }: { linkedField: string; workFolder: string },
): Promise<StagedRecords> {
  const key = keyOf(response);
  const records = JSON.parse(body.toString('utf8')) as unknown[];
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
  const file = join(workFolder, `${key.workspace}-${key.run_id}-${key.seq}.json`);
  await writeFile(file, text);
  return { file, bytes: Buffer.byteLength(text), taken: clean.length, rejects };
}

/** @returns how many records are rejected */
function stageDetails(
  response: StoredResponse,
  bytes: Buffer,
  { details, reviews, rejects }: Pick<Batch, 'details' | 'reviews' | 'rejects'>,
): number {
  const { request, outcome } = response.manifest;
  if (request.kind === 'analytics' || outcome === 'failed') return 0;
  const key = keyOf(response);
  const staged = request.kind === 'post' ? details : reviews;
  if (outcome === 'not-found') {
    staged.push({ ...key, kind: 'missing' });
    return 0;
  }
  const body = bytes.toString('utf8');
  const read =
    request.kind === 'post' ? readDetails(body, request.post_id) : readReviews(request.kind, body);
  if ('fields' in read) staged.push({ ...read.fields, ...key, kind: 'found' });
  const refused = 'fields' in read ? read.rejects : [{ reason: read.problem, payload: body }];
  for (const { reason, payload } of refused)
    rejects.push({
      ...key,
      source: sourceOf(response),
      reason,
      payload: repairJsonText(payload.slice(0, maxPayloadLength)),
    });
  return refused.length;
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
