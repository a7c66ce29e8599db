import { columnName, countFields } from '../api/schemas/analytics.ts';
import { linkedInPostTypes } from '../api/schemas/vocabulary.ts';
import { QueryError, WarehouseCheckError } from '../warehouse/warehouse-errors.ts';
import { checkRule } from '../warehouse/check-rules.ts';
import { quoteText } from '../warehouse/sql-text.ts';
import type { Parameters } from '../warehouse/parameters.ts';
import { readSql } from '../warehouse/sql-file.ts';
import type { StagingDatabase } from '../warehouse/access.ts';
import type { PendingRun } from './pending.ts';
import { repairJsonText } from '../core/json.ts';
import type { RunFolder } from '../store/run-folder.ts';
import {
  groupResponses,
  stageBatch,
  type Batch,
  type LoadableResponse,
} from './response-batches.ts';

export interface LoadedRuns {
  /** Responses loaded now. */
  readonly responses: number;
  /** Records of analytics responses, repeats included. */
  readonly postsRead: number;
  /** LinkedIn posts, by what this load did to them. */
  readonly posts: { readonly new: number; readonly changed: number; readonly unchanged: number };
  readonly rejected: number;
  /** Values of loaded records that could not be read and count as unknown. */
  readonly unreadable: number;
  /** Fields whose numbers were given as text and read as numbers. */
  readonly textNumbers: readonly string[];
  /** Post types that the API's documentation does not have; their posts are kept. */
  readonly unknownTypes: readonly string[];
  /** False if `data_warnings` cannot have a row that it had not before. */
  readonly mayHaveWarnings: boolean;
}

export interface AppendRunsOptions {
  readonly onDamage: (error: Error) => void;
  readonly onProgress?: ((count: number) => void) | undefined;
}

/** What was appended of run folders. */
interface AppendedRuns extends ResponseCounts {
  readonly textNumbers: readonly string[];
}

export interface DeriveOptions {
  /** True if events were decided upon, or the settings have changed. */
  readonly isTouched: boolean;
  /** True if all posts are derived: an older version made them. */
  readonly areAllDerived: boolean;
  readonly readingsAtOnce?: number | undefined;
}

/** DuckDB's own default for the largest object that it reads. */
const defaultObjectBytes = 16 * 1024 * 1024;

/** A first load derives posts in parts of about as many readings, so that it fits into memory, however large it is. */
const readingsThatFit = 250_000;

const rejectsAtOnce = 5_000;

/** Appends the facts of run folders. */
export async function appendRuns(
  staging: StagingDatabase,
  runs: AsyncIterable<PendingRun>,
  options: AppendRunsOptions,
): Promise<AppendedRuns> {
  const { database } = staging;
  const parts: PendingRun[] = [];
  const damagedRuns = new Set<string>();
  const counts: ResponseCounts = {
    responses: 0,
    postsRead: 0,
    rejected: 0,
    unreadable: 0,
    odd: 0,
  };
  const textNumbers = new Set<string>();
  const onDamage = ({ path }: RunFolder, damage: Error) => {
    damagedRuns.add(path);
    options.onDamage(damage);
  };
  const listed = async function* () {
    for await (const run of runs) {
      const { folder } = run;
      for (const damage of folder.damages) onDamage(folder, damage);
      // its responses are loaded in their groups, and need not stay in memory
      parts.push({ ...run, responses: [], folder: { ...folder, responses: [] } });
      yield run;
    }
  };
  for await (const group of groupResponses(listed())) {
    const batch = await appendBatch(staging, group);
    for (const { folder, damage } of batch.damages) onDamage(folder, damage);
    countResponses(counts, batch);
    for (const field of batch.textNumbers) textNumbers.add(field);
    options.onProgress?.(batch.responses.length);
  }
  const params = { parts: JSON.stringify(parts.map((run) => runRow(run, damagedRuns))) };
  for (const name of tablesOfRuns) await database.run(await readSql(`load/${name}.sql`), params);
  return { ...counts, textNumbers: [...textNumbers].sort() };
}

/** Derives the tables that rest on the facts. */
export async function deriveTables(
  staging: StagingDatabase,
  { odd, ...loaded }: AppendedRuns,
  options: DeriveOptions,
): Promise<LoadedRuns> {
  const isTouched = loaded.responses > 0 || options.isTouched || options.areAllDerived;
  const { mayHaveWarnings, ...effects } = isTouched
    ? await derivePosts(staging, options)
    : untouched;
  return { ...loaded, ...effects, mayHaveWarnings: mayHaveWarnings || odd > 0 };
}

/** What a load did to the tables of posts. */
type PostEffects = Pick<LoadedRuns, 'posts' | 'unknownTypes' | 'mayHaveWarnings'>;

/** The effects of a load without responses and events, such as that of a run that had nothing to read. */
const untouched: PostEffects = {
  posts: { new: 0, changed: 0, unchanged: 0 },
  unknownTypes: [],
  mayHaveWarnings: false,
};

/** Derives the posts that the load touches, and holds the tables against the rules. */
async function derivePosts(
  staging: StagingDatabase,
  { areAllDerived, readingsAtOnce = readingsThatFit }: DeriveOptions,
): Promise<PostEffects> {
  const { database } = staging;
  const posts = { new: 0, changed: 0, unchanged: 0 };
  let mayHaveWarnings = false;
  const derived = await database.query(await readSql('load/derived_responses.sql'), {
    all_readings: areAllDerived,
  });
  const [readings, hasUnreadable] = derived.rows[0] ?? [];
  const parts = Math.ceil(Number(readings) / readingsAtOnce);
  for (let part = 0; part < parts; part += 1) {
    if (part > 0) await staging.commitSoFar();
    const compared = await database.query(await readSql('load/read_records.sql'), {
      part,
      part_count: parts,
    });
    if (Number(compared.rows[0]?.[0]) > 0) {
      const shared = await database.query(await readSql('load/post_identities.sql'));
      mayHaveWarnings ||= Number(shared.rows[0]?.[0]) > 0;
    }
    await database.run(await readSql('load/linkedin_posts.sql'));
    if (hasUnreadable === true) await database.run(await readSql('load/unreadable_values.sql'));
    await checkRule(database, 'checks/totals.sql');
    const [effects = {}] = await database.queryObjects(await readSql('load/summary.sql'));
    posts.new += Number(effects['added']);
    posts.changed += Number(effects['changed']);
    posts.unchanged += Number(effects['unchanged']);
    mayHaveWarnings ||= effects['may_have_warnings'] === true;
  }
  const absent = await database.query(await readSql('load/absent_posts.sql'));
  const touched = await database.query(await readSql('load/touched.sql'));
  for (const [name] of touched.rows) await database.run(await readSql(`load/${String(name)}.sql`));
  for (const name of ['records', 'unique_keys']) await checkRule(database, `checks/${name}.sql`);
  const unknownTypes = await database.query(await readSql('load/unknown_types.sql'), {
    known_types: linkedInPostTypes,
  });
  return {
    posts,
    unknownTypes: unknownTypes.rows.map(([type]) => String(type)),
    mayHaveWarnings: mayHaveWarnings || Number(absent.rows[0]?.[0]) > 0,
  };
}

/** Counts over the responses that are loaded. */
interface ResponseCounts {
  responses: number;
  postsRead: number;
  rejected: number;
  unreadable: number;
  /** Analytics responses without posts, with posts of other days, or with a round number of them. */
  odd: number;
}

function countResponses(counts: ResponseCounts, { responses }: Batch): void {
  for (const response of responses) {
    const { kind, outcome, records, outside, reason } = response;
    counts.responses += 1;
    counts.postsRead += response.posts_read;
    counts.rejected += response.rejected;
    counts.unreadable += response.unreadable;
    const isOdd = records === 0 || outside > 0 || reason === 'round_count';
    if (kind === 'analytics' && outcome === 'succeeded' && isOdd) counts.odd += 1;
  }
}

const tablesOfRuns = ['runs', 'run_totals'];

/** If the typed scan refuses a body, such as one that has a key twice, the batch is read again record by record. */
async function appendBatch(
  staging: StagingDatabase,
  group: readonly LoadableResponse[],
): Promise<Batch> {
  await staging.commitSoFar();
  try {
    return await runBatch(staging, await stageBatch(group, staging.folder, staging.isCareful));
  } catch (error) {
    if (staging.isCareful || !(error instanceof QueryError)) throw error;
    await staging.rollBack();
    return runBatch(staging, await stageBatch(group, staging.folder, true));
  }
}

async function runBatch({ database }: StagingDatabase, batch: Batch): Promise<Batch> {
  const params: Parameters = {
    responses: JSON.stringify(batch.responses),
    details: repairJsonText(JSON.stringify(batch.details)),
    reviews: repairJsonText(JSON.stringify(batch.reviews)),
    files: batch.files,
    largest_file: Math.max(batch.largestFile, defaultObjectBytes),
  };
  const run = async (name: string) => database.query(await readSql(`load/${name}.sql`), params);
  await run('responses');
  if (batch.details.length > 0) await run('post_details');
  if (batch.reviews.length > 0) await run('review_readings');
  // a record is written once for each of its values that cannot be read, and a text has a limit
  for (let first = 0; first < batch.rejects.length; first += rejectsAtOnce) {
    const rejects = JSON.stringify(batch.rejects.slice(first, first + rejectsAtOnce));
    await database.query(await readSql('load/rejected_records.sql'), { rejects });
  }
  if (batch.files.length === 0) return batch;
  const scan = (await readSql('load/readings.sql'))
    .replaceAll("'servicePost'", quoteText(batch.linkedField))
    .replaceAll('"servicePost"', `"${batch.linkedField.replaceAll('"', '""')}"`)
    .replace("'countFields': 'BIGINT'", countFields.map((name) => `'${name}': 'BIGINT'`).join())
    .replace('records."countFields"', countFields.map(countColumn).join());
  const { rows } = await database.query(scan, params);
  const read = Number(rows[0]?.[0]);
  if (read !== batch.records)
    throw new WarehouseCheckError(`${batch.records} records were to be read, and ${read} were`);
  return batch;
}

function countColumn(name: string): string {
  return `records.${name} as ${columnName(name)}`;
}

/** A run folder, as sql/load/runs.sql reads it. */
function runRow({ folder, status }: PendingRun, damagedRuns: ReadonlySet<string>): object {
  const { record, finish, path } = folder;
  return {
    run_id: record.run_id,
    workspace: record.workspace,
    job: record.job,
    started_at: record.started_at,
    finished_at: finish?.finished_at ?? null,
    status: finish?.status ?? status,
    requests: finish?.requests ?? null,
    retries: finish?.retries ?? null,
    throttled: finish?.throttled ?? null,
    profiles: record.profiles,
    is_complete: status !== 'running' && !damagedRuns.has(path),
  };
}
