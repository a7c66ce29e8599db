import { DuckDBInstance } from '@duckdb/node-api';
import { isPlainAnswer } from '../../build/api/analytics-record.js';
import { createRunId } from '../../build/store/layout.js';
import { RunWriter } from '../../build/store/run-writer.js';

/** An analytics record in which everything is null that is not given. */
export function analyticsRecord(fields) {
  return {
    id: null,
    url: `https://www.linkedin.com/feed/update/urn:li:share:${fields.id}`,
    commentary: null,
    type: 'Image',
    publishedAt: null,
    likeCount: null,
    commentCount: null,
    shareCount: null,
    clickCount: null,
    saveCount: null,
    sendCount: null,
    impressionCount: null,
    engagement: null,
    emv: null,
    videoViewCount: null,
    videoViewerCount: null,
    videoWatchTimeSeconds: null,
    servicePost: null,
    ...fields,
  };
}

/** What a record says of the post that it was published from, with a label and a campaign by its number. */
export function linkTo(id, number) {
  return {
    id,
    title: `Title ${id}`,
    labels: [{ name: `label ${number % 20}`, labelId: `l${number % 20}` }],
    campaign: { id: `c${number % 10}`, name: `Campaign ${number % 10}` },
  };
}

/**
 * Stores a whole run of one workspace.
 * @param answers `{profileId, start, end, records, fetchedAt}` of analytics, or `{postId, post, fetchedAt}`
 */
export async function storeRun(
  dataDir,
  { startedAt, workspace = 'acme', profiles = [], job = 'bench', answers },
) {
  const writer = await RunWriter.open(dataDir, {
    version: 2,
    run_id: createRunId(startedAt, 'bench1'),
    job,
    workspace,
    started_at: startedAt.toISOString(),
    profiles,
    linked_post_field: 'servicePost',
  });
  for (const answer of answers) await storeAnswer(writer, answer);
  await writer.finish({
    version: 2,
    finished_at: new Date(startedAt.getTime() + 60_000).toISOString(),
    status: 'succeeded',
    requests: answers.length,
    retries: 0,
    throttled: 0,
  });
}

async function storeAnswer(writer, { profileId, start, end, records, postId, post, fetchedAt }) {
  const request = postId
    ? { kind: 'post', post_id: postId }
    : { kind: 'analytics', profile_id: profileId, start_date: start, end_date: end };
  const body = Buffer.from(JSON.stringify(postId ? { post } : records));
  await writer.storeResponse(request, {
    outcome: 'succeeded',
    httpStatus: 200,
    fetchedAt,
    requests: 1,
    error: null,
    body,
    records: records?.length ?? null,
    distinctPosts: records ? new Set(records.map(({ id }) => id)).size : null,
    isPlain: records !== undefined && isPlainAnswer(body, records, 'servicePost'),
  });
}

/** What DuckDB alone takes to read the same files. @param source a call of `read_json` */
export async function readAlone(file, source) {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(`create table floor as from ${source}`);
  connection.closeSync();
  instance.closeSync();
}
