import { isPlainAnswer } from '../../dist/api/analytics-record.js';
import { createRunId } from '../../dist/store/layout.js';
import { RunWriter } from '../../dist/store/run-writer.js';

/**
 * Stores a whole run of the workspace `acme`.
 * @param answers `{profileId, start, end, records, fetchedAt}` of analytics, or `{postId, post, fetchedAt}`
 */
export async function storeRun(dataDir, { startedAt, profiles = [], job = 'bench', answers }) {
  const writer = await RunWriter.open(dataDir, {
    version: 2,
    run_id: createRunId(startedAt, 'bench1'),
    job,
    workspace: 'acme',
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
