import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { analyticsRecord, linkTo, storeRun } from '../stored-run.mjs';

const profileId = '11111111-1111-4111-8111-111111111111';
export const key = 'a-key-that-no-message-may-show';
const postCount = 2_000;
const dayMs = 86_400_000;

/** The least of a service: the same posts whenever it is asked, and details of every tenth. */
export async function startService() {
  const posts = Array.from({ length: postCount }, (_, number) => recordOf(number));
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://service');
    const id = /\/posts\/(p\d+)$/.exec(pathname)?.[1];
    const body = id ? { post: detailsOf(id) } : inWindow(posts, searchParams);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/api/v1`, close: () => server.close() };
}

/** @param restated the figures of a second reading */
function recordOf(number, restated = 0) {
  const published = new Date(Math.floor(Date.now() / dayMs) * dayMs - (number % 50) * dayMs);
  const words = (BigInt(number + 1) * 2_654_435_761n).toString(36).repeat(20);
  return analyticsRecord({
    id: `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, '0')}`,
    commentary: `Post ${number} ${words}`,
    publishedAt: published.toISOString(),
    likeCount: 10 + (number % 90) + restated,
    commentCount: 2,
    shareCount: 1,
    impressionCount: 1_000 + number + restated,
    engagement: 0.013,
    servicePost: number % 10 === 0 ? linkTo(`p${number}`, number) : null,
  });
}

function detailsOf(id) {
  return { id, title: `Title ${id}`, status: 'Posted', channels: ['LinkedIn'], labels: [] };
}

function inWindow(posts, query) {
  const [start, end] = [query.get('startDate'), query.get('endDate')];
  return posts.filter(({ publishedAt: at }) => at.slice(0, 10) >= start && at.slice(0, 10) <= end);
}

function eventsText(first, count) {
  const events = Array.from({ length: count }, (_, index) => ({
    type: 'invite.created',
    data: {
      invite: { id: `i${first + index}`, email: `${'x'.repeat(200)}${first + index}@example.com` },
    },
    createdAt: '2026-01-15T12:00:00.000Z',
  }));
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** A folder as a user has it, whose `data` is the disk that will be full. */
export async function writeFolder(folder, url) {
  await mkdir(join(folder, 'data'));
  const yaml = `timezone: UTC
workspaces:
  acme:
    base_url: ${url}
    api_key: \${API_KEY}
    rate_limit: { requests: 100000, per_seconds: 1 }
    profiles:
      - { id: ${profileId}, name: Acme, cpm: 30 }
jobs:
  daily:
    profiles: [acme/*]
    windows: { days: 60, size_days: 15, refresh_days: 10 }
    reports:
      - { report: emv, period: all, formats: [csv, xlsx, html], out: ./data/out }
`;
  await writeFile(join(folder, 'jobs.yaml'), yaml);
  await writeFile(join(folder, 'events.ndjson'), eventsText(1_000, 500));
  await writeFile(join(folder, 'more-events.ndjson'), eventsText(2_000, 2_000));
}

/** What a run would have stored that was cut off before it loaded. @param fetchedAt when it was */
export async function storeReading(dataDir, fetchedAt, restated) {
  const [start, end] = [60 * dayMs, 0].map((ms) =>
    new Date(fetchedAt.getTime() - ms).toISOString().slice(0, 10),
  );
  const records = Array.from({ length: postCount }, (_, index) => recordOf(index + 500, restated));
  await storeRun(dataDir, {
    startedAt: fetchedAt,
    job: 'daily',
    profiles: [{ profile_id: profileId, name: 'Acme', cpm: 30 }],
    answers: [{ profileId, start, end, records, fetchedAt }],
  });
}
