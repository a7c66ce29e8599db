import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isRecord, isTooDeep, itemsOf, parsedJson, repairJsonText } from '../core/json.ts';
import { cleanRecord, isPlainAnswer, withoutDeepFields } from '../api/analytics-record.ts';
import { judgeAnswer } from '../api/answer-proof.ts';
import { proofRecord, type ResponseManifest } from '../store/manifest.ts';
import { readBodyFile, type RunFolder, type StoredResponse } from '../store/run-folder.ts';
import { DamagedFileError } from '../store/stored-file.ts';
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
/** A record that cannot be loaded, or one of its values that cannot be read, which is a `field`. */
type StagedReject = ResponseKey & {
  source: string;
  field: string | null;
  reason: string;
  payload: string;
};

/** Responses that are loaded by the same statements. */
export interface Batch {
  readonly responses: StagedResponse[];
  readonly details: StagedDetail[];
  readonly reviews: StagedDetail[];
  readonly rejects: StagedReject[];
  readonly damages: DamagedResponse[];
  /** The fields whose numbers were given as text. */
  readonly textNumbers: Set<string>;
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
    textNumbers: new Set(),
    files: [],
  };
  const linkedField = group[0]?.folder.record.linked_post_field ?? 'servicePost';
  const options = { linkedField, workFolder, isCareful };
  let records = 0;
  let largestFile = 0;
  for (const { folder, response } of group) {
    // the answer was looked at when it came: its body is neither decompressed nor parsed here
    const isPlain = !isCareful && response.manifest.plain_with === linkedField;
    const read = isPlain ? readBodyFile : readBody;
    const body = await read(response).catch((error: unknown) => {
      if (!(error instanceof DamagedFileError)) throw error;
      batch.damages.push({ folder, damage: error });
      return null;
    });
    if (body === null) continue;
    const { manifest } = response;
    const staged = stageResponse({ manifest: withProof(manifest, body) });
    if (manifest.request.kind !== 'analytics')
      batch.responses.push({ ...staged, rejected: stageDetails(response, body, batch) });
    else if (body.length === 0) batch.responses.push(staged);
    else {
      const found = isPlain
        ? ownFile(response, manifest.records ?? 0)
        : await stageRecords(response, body, options);
      const { file, bytes, taken, rejects, textNumbers } = found;
      const refused = rejects.filter(({ field }) => field === null).length;
      const counts = {
        posts_read: taken,
        rejected: refused,
        unreadable: rejects.length - refused,
        records: manifest.records ?? taken + refused,
      };
      batch.responses.push({ ...staged, ...counts, file, first_row: records + 1 });
      batch.files.push(file);
      batch.rejects.push(...rejects);
      for (const field of textNumbers) batch.textNumbers.add(field);
      records += taken;
      largestFile = Math.max(largestFile, bytes);
    }
  }
  return { ...batch, linkedField, records, largestFile };
}

/** @returns nothing of a failed response, unless it has records, all of which are rejected */
async function readBody(response: StoredResponse): Promise<Buffer> {
  const { outcome, body, request } = response.manifest;
  const data = await readBodyFile(response);
  const hasRecords = outcome === 'succeeded' || request.kind === 'analytics';
  if (!hasRecords || body === null) return Buffer.alloc(0);
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
  readonly textNumbers: ReadonlySet<string>;
}

/** The response's own file where the typed scan can read it, or else one of the records that can be loaded. */
async function stageRecords(
  response: StoredResponse,
  body: Buffer,
  options: { linkedField: string; workFolder: string; isCareful: boolean },
): Promise<StagedRecords> {
  const { linkedField, workFolder, isCareful } = options;
  if (isCareful) return cleanBody(response, body, { linkedField, workFolder });
  const records = JSON.parse(body.toString('latin1')) as unknown[];
  return isPlainAnswer(body, records, linkedField)
    ? ownFile(response, records.length)
    : cleanBody(response, body, { linkedField, workFolder });
}

/** Returns the response's own file, of which the typed scan reads all records. */
function ownFile({ manifest, bodyPath }: StoredResponse, records: number): StagedRecords {
  const nothing = { rejects: [], textNumbers: new Set<string>() };
  return { file: bodyPath ?? '', bytes: manifest.body?.bytes ?? 0, taken: records, ...nothing };
}

/** Writes the records that can be loaded to a file of their own, as the typed scan reads them. */
async function cleanBody(
  response: StoredResponse,
  body: Buffer,
  { linkedField, workFolder }: { linkedField: string; workFolder: string },
): Promise<StagedRecords> {
  const key = keyOf(response);
  const source = sourceOf(response);
  const records = itemsOf(parsedJson(body.toString('utf8')));
  const clean: string[] = [];
  const rejects: StagedReject[] = [];
  const textNumbers = new Set<string>();
  for (const record of records) {
    const cleaned = cleanRecord(record, linkedField);
    const refused =
      'problem' in cleaned ? [{ field: null, reason: cleaned.problem }] : cleaned.unreadable;
    const payload = refused.length > 0 ? payloadOf(record) : '';
    for (const { field, reason } of refused)
      rejects.push({ ...key, source, field, reason, payload });
    if ('problem' in cleaned) continue;
    clean.push(JSON.stringify(cleaned.record));
    for (const field of cleaned.textNumbers) textNumbers.add(field);
  }
  const text = repairJsonText(`[${clean.join(',\n')}]`);
  const file = join(workFolder, `${key.workspace}-${key.run_id}-${key.seq}.json`);
  await writeFile(file, text);
  return { file, bytes: Buffer.byteLength(text), taken: clean.length, rejects, textNumbers };
}

/** The record as text, without what is nested too deep to be written. */
function payloadOf(record: unknown): string {
  if (isRecord(record)) return repairJsonText(JSON.stringify(withoutDeepFields(record).kept));
  return isTooDeep(record) ? 'null' : repairJsonText(JSON.stringify(record));
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
      field: null,
      reason,
      payload: repairJsonText(payload.slice(0, maxPayloadLength)),
    });
  return refused.length;
}

/**
 * Returns the manifest with what its answer proves. One from before answers were judged when they came says
 * nothing of that: it is judged by its request and body alone, and its last date counts as it did then.
 */
function withProof(manifest: ResponseManifest, body: Buffer): ResponseManifest {
  const { request, outcome, proof } = manifest;
  if (request.kind !== 'analytics' || outcome !== 'succeeded' || proof) return manifest;
  const { start_date: start, end_date: end } = request;
  const records = JSON.parse(body.toString('latin1')) as unknown[];
  const asked = { start, end, lastDay: end, endsToday: false };
  const judged = judgeAnswer({ ...asked, headers: {}, records });
  return {
    ...manifest,
    outcome: judged.isUnreadable ? 'failed' : outcome,
    error: judged.problem,
    proof: proofRecord(judged),
  };
}

/** One response, as sql/load/responses.sql reads it. */
type StagedResponse = ReturnType<typeof stageResponse>;

function stageResponse({ manifest }: { readonly manifest: ResponseManifest }) {
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
    first_day: manifest.proof?.first_day ?? null,
    last_day: manifest.proof?.last_day ?? null,
    reason: manifest.proof?.reason ?? null,
    outside: manifest.proof?.outside ?? 0,
    part_of: manifest.part_of ?? null,
    // records that are loaded, those that are rejected, and the values of loaded ones that cannot be read
    posts_read: 0,
    rejected: 0,
    unreadable: 0,
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
