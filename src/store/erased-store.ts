import { createHash } from 'node:crypto';
import { readFile, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { hasErrorCode, isSystemError } from '../core/errors.ts';
import { fieldOf, isRecord, itemsOf } from '../core/json.ts';
import type { Eraser } from './erasure.ts';
import {
  eventPath,
  listEventKeys,
  readEvent,
  replaceEvent,
  type StoredEvent,
} from './event-store.ts';
import { rawFolder } from './layout.ts';
import { responseManifestSchema, runRecordSchema, type ResponseManifest } from './manifest.ts';
import { listRunNames, type RunName } from './run-folder.ts';
import { DamagedFileError } from './stored-file.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The files of the raw store that an erasure changed. */
export interface ErasedFiles {
  /** Responses that are gone. */
  readonly removed: number;
  /** Responses and events from which people were taken out, and events of which nothing but their time is left. */
  readonly rewritten: number;
}

/** A person by an id or address, or a profile. */
export type Target =
  | { readonly kind: 'person'; readonly texts: readonly string[] }
  | { readonly kind: 'profile'; readonly workspace: string; readonly profileId: string };

/** What the raw store knows of a target. */
export interface Survey {
  /** Further ids and addresses of the person. */
  readonly texts: readonly string[];
  /** Posts of the workspace that no other profile published. */
  readonly posts: readonly string[];
}

/** Reads the whole raw store for the other ids and addresses of a person, or for the posts of a profile. */
export async function surveyRawStore(dataDir: string, target: Target): Promise<Survey> {
  return target.kind === 'person'
    ? { texts: await findTexts(dataDir, target.texts), posts: [] }
    : { texts: [], posts: await findPosts(dataDir, target) };
}

async function findTexts(dataDir: string, given: readonly string[]): Promise<string[]> {
  const known = new Set(given.map(plain));
  const look = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) look(each);
    if (!isRecord(value)) return;
    const own = [value['id'], value['email']].flatMap((text) =>
      typeof text === 'string' ? [plain(text)] : [],
    );
    if ('email' in value && own.some((text) => known.has(text)))
      for (const text of own) known.add(text);
    for (const each of Object.values(value)) look(each);
  };
  for await (const { json } of listBodies(dataDir)) look(JSON.parse(json));
  for (const key of await listEventKeys(dataDir)) look((await readIntact(dataDir, key))?.body);
  return [...known];
}

function plain(text: string): string {
  return text.trim().toLowerCase();
}

async function findPosts(
  dataDir: string,
  { workspace, profileId }: Extract<Target, { kind: 'profile' }>,
): Promise<string[]> {
  const own = new Set<string>();
  const others = new Set<string>();
  for await (const { manifest, json, linkedField } of listBodies(dataDir)) {
    const { request } = manifest;
    if (request.kind !== 'analytics') continue;
    const isOwn = manifest.workspace === workspace && request.profile_id === profileId;
    for (const record of itemsOf(JSON.parse(json))) {
      const postId = fieldOf(fieldOf(record, linkedField), 'id');
      if (typeof postId === 'string') (isOwn ? own : others).add(postId);
    }
  }
  return [...own].filter((postId) => !others.has(postId));
}

/** The run folders and events that an erasure looks at. */
export interface ErasedScope {
  /** Left out: all. */
  readonly runs?: AsyncIterable<RunName>;
  /** Left out: all. */
  readonly events?: readonly string[];
  readonly isDryRun?: boolean;
}

/** Takes what was erased out of run folders and events. It can be stopped anywhere and done again. */
export async function eraseFromStore(
  dataDir: string,
  eraser: Eraser,
  { runs = listRunNames(dataDir), events, isDryRun = false }: ErasedScope = {},
): Promise<ErasedFiles> {
  let [removed, rewritten] = [0, 0];
  for await (const name of runs) {
    const folder = join(rawFolder(dataDir), name.workspace, name.day, name.runId);
    if (!isDryRun) await eraseFromRunRecord(folder, eraser);
    for (const manifest of await listManifests(folder)) {
      const stem = join(folder, String(manifest.seq).padStart(6, '0'));
      const isErased = isErasedRequest(manifest, eraser);
      const redacted = isErased ? null : await redactedBody(stem, manifest, eraser);
      if (isErased) removed += 1;
      if (redacted !== null) rewritten += 1;
      if (isErased && !isDryRun) await removeResponse(stem);
      if (redacted !== null && !isDryRun) await rewriteResponse(stem, manifest, redacted);
    }
  }
  for (const key of events ?? (await listEventKeys(dataDir)))
    if (await eraseFromEvent(dataDir, key, eraser, isDryRun)) rewritten += 1;
  return { removed, rewritten };
}

const unfinishedName = /\.[0-9a-f-]{36}\.tmp$/;

/** Removes what killed processes have left and no load reads. No process reads or loads meanwhile. */
export async function removeRemains(dataDir: string): Promise<void> {
  await rm(join(dataDir, 'fetched'), { recursive: true, force: true });
  for (const { name, parentPath } of await readdir(dataDir, {
    recursive: true,
    withFileTypes: true,
  }))
    if (unfinishedName.test(name)) await rm(join(parentPath, name), { force: true });
  for await (const { workspace, day, runId } of listRunNames(dataDir)) {
    const folder = join(rawFolder(dataDir), workspace, day, runId);
    const names = new Set(await readdir(folder));
    for (const body of [...names].filter((name) => name.endsWith('.json.gz')))
      if (!names.has(body.replace('.json.gz', '.manifest.json'))) await rm(join(folder, body));
  }
}

async function eraseFromRunRecord(folder: string, eraser: Eraser): Promise<void> {
  const path = join(folder, 'run.json');
  const record = await readRecord(path, runRecordSchema);
  if (record === null) return;
  const profiles = record.profiles.filter(
    ({ profile_id: id }) => !eraser.hasProfile(record.workspace, id),
  );
  if (profiles.length < record.profiles.length)
    await writeFileAtomic(path, `${JSON.stringify({ ...record, profiles }, null, 2)}\n`);
}

function isErasedRequest({ request, workspace }: ResponseManifest, eraser: Eraser): boolean {
  return request.kind === 'analytics'
    ? eraser.hasProfile(workspace, request.profile_id)
    : eraser.hasPost(request.post_id);
}

async function redactedBody(
  stem: string,
  { body }: ResponseManifest,
  eraser: Eraser,
): Promise<string | null> {
  const json = body && (await readJson(`${stem}.json.gz`));
  return json === null ? null : eraser.redactText(json);
}

async function removeResponse(stem: string): Promise<void> {
  // the manifest last: without it nobody would look for the rest again
  for (const end of ['.json.gz', '.check.json', '.manifest.json'])
    await rm(`${stem}${end}`, { force: true });
}

async function rewriteResponse(
  stem: string,
  manifest: ResponseManifest,
  redacted: string,
): Promise<void> {
  const data = await compress(redacted);
  const sha256 = createHash('sha256').update(data).digest('hex');
  const body = { file: `${basename(stem)}.json.gz`, bytes: Buffer.byteLength(redacted), sha256 };
  const changed: ResponseManifest = { ...manifest, body };
  delete changed.plain_with;
  // the body last: as long as it is the old one, it is found again
  await writeFileAtomic(`${stem}.manifest.json`, `${JSON.stringify(changed, null, 2)}\n`);
  await writeFileAtomic(`${stem}.json.gz`, data);
}

/** @returns true if somebody was in it */
async function eraseFromEvent(
  dataDir: string,
  key: string,
  eraser: Eraser,
  isDryRun: boolean,
): Promise<boolean> {
  const event = await readIntact(dataDir, key);
  if (event === null)
    return isDryRun && eraser.isIn(await readFile(eventPath(dataDir, key), 'latin1'));
  const bodyText = eraser.redactEvent(event.bodyText);
  if (bodyText === null) return false;
  const receivedAt = new Date(event.receivedAt);
  if (!isDryRun) await replaceEvent(dataDir, { ...event, receivedAt, bodyText });
  return true;
}

/**
 * @returns null for an event whose file is damaged
 * @throws DamagedFileError for one that cannot be read now
 */
export async function readIntact(dataDir: string, key: string): Promise<StoredEvent | null> {
  try {
    return await readEvent(dataDir, key);
  } catch (error) {
    if (error instanceof DamagedFileError && !isSystemError(error.cause)) return null;
    throw error;
  }
}

/** The bodies of all responses that have one. Bodies that cannot be read are left out. */
async function* listBodies(
  dataDir: string,
): AsyncGenerator<{ manifest: ResponseManifest; json: string; linkedField: string }> {
  for await (const { workspace, day, runId } of listRunNames(dataDir)) {
    const folder = join(rawFolder(dataDir), workspace, day, runId);
    const record = await readRecord(join(folder, 'run.json'), runRecordSchema);
    for (const manifest of await listManifests(folder)) {
      const json = manifest.body && (await readJson(join(folder, manifest.body.file)));
      const linkedField = record?.linked_post_field ?? 'servicePost';
      if (json !== null) yield { manifest, json, linkedField };
    }
  }
}

async function listManifests(folder: string): Promise<ResponseManifest[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.manifest.json')).sort();
  const read = await Promise.all(
    files.map((file) => readRecord(join(folder, file), responseManifestSchema)),
  );
  return read.filter((manifest) => manifest !== null);
}

/** @returns null for a file that is missing or damaged, which no load takes either */
async function readRecord<T>(
  path: string,
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
): Promise<T | null> {
  try {
    const result = schema.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return result.success ? result.data : null;
  } catch (error) {
    if (error instanceof SyntaxError || hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** @returns null for a body that is missing or damaged, or that is not JSON */
async function readJson(path: string): Promise<string | null> {
  try {
    const json = (await decompress(await readFile(path))).toString('utf8');
    JSON.parse(json);
    return json;
  } catch (error) {
    if (error instanceof SyntaxError || hasErrorCode(error, 'ENOENT')) return null;
    if (hasErrorCode(error, 'Z_DATA_ERROR') || hasErrorCode(error, 'Z_BUF_ERROR')) return null;
    throw error;
  }
}
