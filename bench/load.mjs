// Loads generated answers, and reads the same files with DuckDB alone as the floor.
//   npm run build && node bench/load.mjs [records] [records per answer]
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { silentLog } from '../dist/core/log.js';
import { systemClock } from '../dist/core/clock.js';
import { openPart } from '../dist/landing/landing-part.js';
import { loadLanded } from '../dist/load/load-landed.js';

const [total = 100_000, perAnswer = 1_000] = process.argv.slice(2, 4).map(Number);
const profileId = '11111111-1111-4111-8111-111111111111';

/** Every fifth record is a second reading of an earlier post; a third of the posts are linked. */
function recordOf(index) {
  const post = index % Math.ceil(total * 0.8);
  const impressions = (post * 7919) % 50_000;
  return {
    id: `00000000-0000-4000-8000-${String(post).padStart(12, '0')}`,
    url: `https://www.linkedin.com/feed/update/urn:li:share:${post}`,
    commentary: `Post ${post} \u{1F680} \u201Cquoted\u201D\n\n${'Words that fill a post. '.repeat(8)}`,
    type: post % 5 === 0 ? 'Video' : 'Image',
    publishedAt: new Date(1_700_000_000_000 + post * 60_000).toISOString(),
    likeCount: index % 100,
    commentCount: index % 7,
    shareCount: index % 3,
    clickCount: null,
    saveCount: null,
    sendCount: null,
    impressionCount: impressions,
    engagement: impressions === 0 ? 0 : (index % 100) / impressions,
    emv: (impressions / 1000) * 30,
    videoViewCount: post % 5 === 0 ? index % 900 : null,
    videoViewerCount: null,
    videoWatchTimeSeconds: null,
    servicePost:
      post % 3 === 0
        ? {
            id: `p${post}`,
            title: `Title ${post}`,
            labels: [{ name: `label ${post % 20}`, labelId: `l${post % 20}` }],
            campaign: { id: `c${post % 10}`, name: `Campaign ${post % 10}` },
          }
        : null,
  };
}

async function land(dataDir) {
  const part = await openPart(dataDir, {
    version: 1,
    run_id: '20260115T120000Z-bench',
    job: 'bench',
    workspace: 'acme',
    started_at: '2026-01-15T12:00:00.000Z',
    profiles: [],
    linked_post_field: 'servicePost',
  });
  for (let first = 0; first < total; first += perAnswer) {
    const count = Math.min(perAnswer, total - first);
    const records = Array.from({ length: count }, (_, index) => recordOf(first + index));
    const request = {
      kind: 'analytics',
      profile_id: profileId,
      start_date: '2026-01-01',
      end_date: '2026-01-30',
    };
    await part.landResponse(request, {
      outcome: 'succeeded',
      httpStatus: 200,
      fetchedAt: new Date(1_768_478_400_000 + first),
      requests: 1,
      error: null,
      body: Buffer.from(JSON.stringify(records)),
      records: count,
    });
  }
  await part.finish({
    version: 1,
    finished_at: '2026-01-15T13:00:00.000Z',
    status: 'succeeded',
    requests: total / perAnswer,
    retries: 0,
    throttled: 0,
  });
}

async function readAlone(dataDir) {
  const instance = await DuckDBInstance.create(join(dataDir, 'floor.duckdb'));
  const connection = await instance.connect();
  const files = join(dataDir, 'landing', 'acme', '*', '*.body.gz');
  await connection.run(`create table floor as from read_json('${files}', format = 'array')`);
  connection.closeSync();
  instance.closeSync();
}

async function load(dataDir) {
  const config = {
    dataDir,
    warehouse: join(dataDir, 'w.duckdb'),
    timezone: 'UTC',
    workspaces: new Map(),
  };
  await loadLanded({ config, clock: systemClock, log: silentLog, waitMs: 0 });
}

const steps = { land, floor: readAlone, load, 'load again': load };

async function runStep(name, dataDir) {
  const start = performance.now();
  await steps[name](dataDir);
  const seconds = (performance.now() - start) / 1000;
  process.send({ seconds, megabytes: process.resourceUsage().maxRSS / 1024 });
  process.disconnect();
}

/** Each step in a process of its own, so that its peak memory is its own. */
async function measure(name, dataDir) {
  const child = fork(import.meta.filename, [String(total), String(perAnswer), name, dataDir]);
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => code !== 0 && reject(new Error(`${name} failed`)));
  });
}

async function main() {
  const dataDir = await mkdtemp(join(tmpdir(), 'postledger-bench-'));
  try {
    console.log(`${total} records in answers of ${perAnswer}`);
    let floor = 0;
    for (const name of Object.keys(steps)) {
      const { seconds, megabytes } = await measure(name, dataDir);
      if (name === 'floor') floor = seconds;
      const ratio = name.startsWith('load') ? `  ${(seconds / floor).toFixed(1)} x the floor` : '';
      console.log(
        `${name.padEnd(10)} ${seconds.toFixed(2).padStart(7)} s ${megabytes.toFixed(0).padStart(6)} MB${ratio}`,
      );
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const [name, dataDir] = process.argv.slice(4);
if (name) await runStep(name, dataDir);
else await main();
