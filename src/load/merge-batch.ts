import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { linkedInPostTypes } from '../api/schemas/vocabulary.ts';
import { checkRules } from '../warehouse/check-rules.ts';
import type { Parameters } from '../warehouse/parameters.ts';
import { readSql } from '../warehouse/sql-file.ts';
import type { WorkSpace } from '../warehouse/warehouse.ts';
import { stagingJson, type Batch } from './batch.ts';

/** First what the answers hold, then each table; `posts` before what hangs on it. */
const statements = [
  'stage_posts',
  'stage_responses',
  'stage_pruned',
  'stage_elements',
  'stage_records',
  'stage_details',
  'stage_rejects',
  'linkedin_posts',
  'linkedin_post_snapshots',
  'posts',
  'post_readings',
  'labels',
  'campaigns',
  'extract_windows',
  'loaded_responses',
  'rejected_records',
];

/** What holds of the tables as long as the batch's own ones are there to be compared with them. */
const checks = ['checks/answers', 'checks/batch'];

/** DuckDB sets twice the longest answer's room aside before it reads any; this little is its own default. */
const leastAnswerBytes = 16 * 1024 * 1024;

export interface BatchFigures {
  readonly postsRead: number;
  readonly rejected: number;
  readonly unknownTypes: readonly string[];
}

/** Once in a load, before its batches: what their statements share. */
export async function beginMerging({ database }: WorkSpace): Promise<void> {
  await database.run(await readSql('load/macros.sql'));
  await database.run(await readSql('load/begin.sql'));
}

/** Merges a batch into the tables, inside the caller's transaction. @param timezone of the snapshots' days */
export async function mergeBatch(
  space: WorkSpace,
  batch: Batch,
  timezone: string,
): Promise<BatchFigures> {
  const params: Parameters = {
    responses: stagingJson(batch.responses),
    files: [await writeEmptyAnswer(space.folder), ...batch.files.map(({ path }) => path)],
    longest_answer: batch.files.reduce(
      (most, { bytes }) => Math.max(most, bytes),
      leastAnswerBytes,
    ),
    details: stagingJson(batch.details),
    rejects: stagingJson(batch.rejects),
    mentions: stagingJson(batch.mentions),
    timezone,
  };
  for (const name of statements)
    await space.database.run(await readSql(`load/${name}.sql`), params);
  for (const folder of checks) await checkRules(space.database, folder, params);
  const [figures] = await space.database.queryObjects(await readSql('load/batch_summary.sql'), {
    known_types: linkedInPostTypes,
  });
  return {
    postsRead: Number(figures?.['posts_read'] ?? 0),
    rejected: Number(figures?.['rejected'] ?? 0),
    unknownTypes: Array.isArray(figures?.['unknown_types']) ? figures['unknown_types'] : [],
  };
}

/** DuckDB reads no empty list of files; a batch of post details has none. */
async function writeEmptyAnswer(folder: string): Promise<string> {
  const path = join(folder, 'empty.json');
  await writeFile(path, '[]');
  return path;
}
