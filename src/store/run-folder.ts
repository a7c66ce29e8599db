import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { errorMessage } from '../core/errors.ts';
import { namesIn } from '../core/found-files.ts';
import { rawFolder, runFolderPath } from './layout.ts';
import {
  finishRecordSchema,
  responseManifestSchema,
  runRecordSchema,
  type FinishRecord,
  type ResponseManifest,
  type RunRecord,
} from './manifest.ts';
import { DamagedFileError, readStoredFile } from './stored-file.ts';

/** Where a run folder is in the raw store. */
export interface RunName {
  readonly workspace: string;
  readonly day: string;
  readonly runId: string;
}

export interface StoredResponse {
  readonly manifest: ResponseManifest;
  /** The path of the body; null if none was kept. */
  readonly bodyPath: string | null;
}

/** A run's responses from one workspace, as stored on disk. */
export interface RunFolder {
  readonly path: string;
  readonly record: RunRecord;
  /** The record of the run's end; null while the run goes on, and if it died. */
  readonly finish: FinishRecord | null;
  /** The responses by `seq`, without their bodies. */
  readonly responses: readonly StoredResponse[];
  /** The files that could not be read. They do not affect the others. */
  readonly damages: readonly DamagedFileError[];
}

const manifestSuffix = '.manifest.json';
const dayPattern = /^\d{4}-\d\d-\d\d$/;

/**
 * Lists run folders, ordered by workspace, day and run. Folders that begin with `_` hold no runs.
 * @param workspaces the workspaces to list, or null for all
 */
export async function* listRunNames(
  dataDir: string,
  workspaces: readonly string[] | null = null,
): AsyncGenerator<RunName> {
  const root = rawFolder(dataDir);
  for (const workspace of workspaces?.toSorted() ?? (await namesIn(root))) {
    if (workspace.startsWith('_')) continue;
    for (const day of await namesIn(join(root, workspace))) {
      if (!dayPattern.test(day)) continue;
      for (const runId of await namesIn(join(root, workspace, day)))
        yield { workspace, day, runId };
    }
  }
}

/** Counts the responses of all run folders by file names alone. */
export async function countResponses(dataDir: string): Promise<number> {
  let count = 0;
  for await (const { workspace, day, runId } of listRunNames(dataDir)) {
    const names = await namesIn(join(rawFolder(dataDir), workspace, day, runId));
    count += names.filter((name) => name.endsWith(manifestSuffix)).length;
  }
  return count;
}

/**
 * Reads a run folder without its bodies.
 * @returns null if there is no run.json yet, because no request was sent
 */
export async function readRunFolder(dataDir: string, name: RunName): Promise<RunFolder | null> {
  const path = join(rawFolder(dataDir), name.workspace, name.day, name.runId);
  const names = new Set(await namesIn(path));
  if (!names.has('run.json')) return null;
  const damages: DamagedFileError[] = [];
  const read = async <T>(file: string, schema: z.ZodType<T>): Promise<T[]> => {
    try {
      return [await readRecord(join(path, file), schema)];
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      damages.push(error);
      return [];
    }
  };
  const [record = recordFromName(name)] = await read('run.json', runRecordSchema);
  if (runFolderPath(dataDir, record) !== path)
    damages.push(new DamagedFileError(join(path, 'run.json'), 'belongs to another folder'));
  const [finish = null] = names.has('finish.json')
    ? await read('finish.json', finishRecordSchema)
    : [];
  const responses: StoredResponse[] = [];
  for (const file of [...names].sort()) {
    if (!file.endsWith(manifestSuffix)) continue;
    for (const manifest of await read(file, responseManifestSchema)) {
      const stem = file.slice(0, -manifestSuffix.length);
      const problem = manifestProblem(manifest, name, stem, names);
      if (problem) damages.push(new DamagedFileError(join(path, file), problem));
      else
        responses.push({
          manifest,
          bodyPath: manifest.body ? join(path, manifest.body.file) : null,
        });
    }
  }
  return { path, record, finish, responses, damages };
}

/** Returns a record from the folder's name, so that the responses load even if run.json is damaged. */
function recordFromName({ workspace, day, runId }: RunName): RunRecord {
  return {
    version: 2,
    run_id: runId,
    job: '(unknown)',
    workspace,
    started_at: `${day}T00:00:00.000Z`,
    profiles: [],
    linked_post_field: 'servicePost',
  };
}

function manifestProblem(
  { run_id, workspace, seq, body }: ResponseManifest,
  name: RunName,
  stem: string,
  names: ReadonlySet<string>,
): string | null {
  if (run_id !== name.runId || workspace !== name.workspace || seq !== Number(stem))
    return 'belongs to another response';
  if (body && body.file !== `${stem}.json.gz`) return 'names a body that is not its own';
  return body && !names.has(body.file) ? `has lost its body ${body.file}` : null;
}

/**
 * Reads a response's body, still gzipped.
 * @throws DamagedFileError if its SHA-256 differs from the manifest's
 */
export async function readBodyFile({ manifest, bodyPath }: StoredResponse): Promise<Buffer> {
  if (!manifest.body || bodyPath === null) return Buffer.alloc(0);
  const data = await readStoredFile(bodyPath);
  const sha256 = createHash('sha256').update(data).digest('hex');
  if (sha256 === manifest.body.sha256) return data;
  throw new DamagedFileError(bodyPath, 'is not the body that its manifest describes');
}

async function readRecord<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const data = await readStoredFile(path);
  try {
    return schema.parse(JSON.parse(data.toString('utf8')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : errorMessage(error);
    throw new DamagedFileError(path, `is damaged: ${reason}`, { cause: error });
  }
}
