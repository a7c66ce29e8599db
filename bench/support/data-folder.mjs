import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { eventKey, storeEvent } from '../../build/store/event-store.js';
import { createRunId } from '../../build/store/layout.js';
import { RunWriter } from '../../build/store/run-writer.js';

export const dayMs = 86_400_000;

/** Some profiles of a workspace, as jobs.yaml and the records of runs have them. */
export function madeProfiles(count) {
  return Array.from({ length: count }, (_, index) => ({
    id: `11111111-1111-4111-8111-${String(index).padStart(12, '0')}`,
    name: `Profile ${index}`,
  }));
}

/**
 * Writes a jobs.yaml whose warehouse is `data/w.duckdb`, with one job for the first workspace.
 * @param workspaces profiles by the key of their workspace
 * @param options url: by default no service listens there
 */
export async function writeJobsFile(
  folder,
  workspaces,
  { timezone = 'UTC', url = 'http://127.0.0.1:9/api/v1', days = 400 } = {},
) {
  const keys = Object.keys(workspaces);
  await mkdir(join(folder, 'data'), { recursive: true });
  const lines = keys.flatMap((key) => [
    `  ${key}:`,
    `    base_url: ${url}`,
    '    api_key: ${BENCH_KEY}',
    '    rate_limit: { requests: 1000, per_seconds: 1 }',
    '    profiles:',
    ...workspaces[key].map(({ id, name }) => `      - { id: ${id}, name: ${name}, cpm: 30 }`),
  ]);
  const text = `timezone: ${timezone}
currency: EUR
data_dir: ./data
warehouse: ./data/w.duckdb
workspaces:
${lines.join('\n')}
jobs:
  daily:
    profiles: [${keys[0]}/*]
    windows: { days: ${days}, size_days: 35, refresh_days: 35 }
    details: false
`;
  await writeFile(join(folder, 'jobs.yaml'), text);
}

export function warehouseOf(folder) {
  return join(folder, 'data', 'w.duckdb');
}

/** Gives `work` a DuckDB database of its own or the warehouse, without the program. */
export async function withDatabase(path, options, work) {
  const instance = await DuckDBInstance.create(path, options);
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Reads files into a table with DuckDB alone, as the floor of a load. @param source a call of `read_json` */
export function readAlone(folder, source) {
  return withDatabase(join(folder, 'floor.duckdb'), {}, (connection) =>
    connection.run(`create table floor as from ${source}`),
  );
}

/** A text for a post, with words beyond ASCII. */
export function commentary(number, words = 8) {
  return `Post ${number} \u{1F680} \u201Cquoted\u201D\n\n${'Words that fill a post. '.repeat(words)}`;
}

/** An analytics record in which everything that is not given is null. */
export function analyticsRecord(fields) {
  return {
    id: null,
    // records with one number would count as one post
    url: `https://www.linkedin.com/feed/update/urn:li:share:${fields.id.replaceAll(/\D/g, '')}`,
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

/** The workspace's post behind a record, with a label and a campaign by its number. */
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
export async function storeRun(folder, { startedAt, workspace = 'acme', profiles = [], answers }) {
  const writer = await RunWriter.open(join(folder, 'data'), {
    version: 2,
    run_id: createRunId(startedAt, 'bench1'),
    job: 'daily',
    workspace,
    started_at: startedAt.toISOString(),
    profiles: profiles.map(({ id, name }) => ({ profile_id: id, name, cpm: 30 })),
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
    waited_ms: 0,
  });
}

async function storeAnswer(writer, { profileId, start, end, records, postId, post, fetchedAt }) {
  const request = postId
    ? { kind: 'post', post_id: postId }
    : { kind: 'analytics', profile_id: profileId, start_date: start, end_date: end };
  const body = Buffer.from(JSON.stringify(postId ? { post } : records));
  await writer.storeResponse(request, {
    outcome: 'succeeded',
    http_status: 200,
    fetchedAt,
    requests: 1,
    error: null,
    body,
    records: records?.length ?? null,
    distinct_posts: records ? new Set(records.map(({ id }) => id)).size : null,
    ...(records && {
      proof: { first_day: start, last_day: end, reason: null, outside: 0 },
      plain_with: 'servicePost',
    }),
  });
}

/** Stores an event of a post as the receiver does. @param fields of the post beside the usual ones */
export async function storePostEvent(folder, type, receivedAt, fields) {
  const createdAt = receivedAt.toISOString();
  const post = {
    title: 'Deleted',
    status: 'archived',
    channels: ['LinkedIn'],
    campaign: null,
    url: 'https://app.example.com/posts/1',
    labels: [],
    workspace: { id: 'w', slug: 'acme', name: 'Acme' },
    deletedAt: createdAt,
    ...fields,
  };
  const event = { type, createdAt, data: { post } };
  const bodyText = JSON.stringify(event);
  const dataDir = join(folder, 'data');
  await storeEvent(dataDir, { key: eventKey(event), bodyText, receivedAt, via: 'http' });
}
