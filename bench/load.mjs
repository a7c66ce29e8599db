// Loads generated answers, and reads the same files with DuckDB alone into one table as the floor; then loads a
// day's run of 60 small answers into that warehouse, in a process that has loaded once before.
//   npm run build && node bench/load.mjs [records] [records per answer]
import { join } from 'node:path';
import { systemClock } from '../build/core/clock.js';
import { silentLog } from '../build/core/log.js';
import { load } from '../build/load/load.js';
import { numbersGiven, runSteps } from './support/steps.mjs';
import { analyticsRecord, linkTo, readAlone, storeRun } from './support/stored-run.mjs';

const [total = 100_000, perAnswer = 1_000] = numbersGiven();
const profileId = '11111111-1111-4111-8111-111111111111';
const firstMs = Date.parse('2026-01-15T12:00:00Z');
const dayMs = 86_400_000;

/** Every fifth record is a second reading of an earlier post; a third of the posts are linked. */
function recordOf(index) {
  const post = index % Math.ceil(total * 0.8);
  const impressions = (post * 7919) % 50_000;
  const isVideo = post % 5 === 0;
  return analyticsRecord({
    id: `00000000-0000-4000-8000-${String(post).padStart(12, '0')}`,
    commentary: `Post ${post} \u{1F680} \u201Cquoted\u201D\n\n${'Words that fill a post. '.repeat(8)}`,
    type: isVideo ? 'Video' : 'Image',
    publishedAt: new Date(1_700_000_000_000 + post * 60_000).toISOString(),
    likeCount: index % 100,
    commentCount: index % 7,
    shareCount: index % 3,
    impressionCount: impressions,
    engagement: impressions === 0 ? 0 : (index % 100) / impressions,
    emv: (impressions / 1000) * 30,
    videoViewCount: isVideo ? index % 900 : null,
    servicePost: post % 3 === 0 ? linkTo(`p${post}`, post) : null,
  });
}

/** @param size of each answer */
function answersOf(count, size, startedMs) {
  return Array.from({ length: Math.ceil(count / size) }, (_, answer) => ({
    profileId,
    start: new Date(firstMs + answer * dayMs).toISOString().slice(0, 10),
    end: new Date(firstMs + answer * dayMs).toISOString().slice(0, 10),
    fetchedAt: new Date(startedMs + answer),
    records: Array.from({ length: Math.min(size, count - answer * size) }, (__, index) =>
      recordOf(answer * size + index),
    ),
  }));
}

async function loadAll(dataDir) {
  const warehouse = join(dataDir, 'w.duckdb');
  const config = { dataDir, warehouse, timezone: 'UTC', workspaces: new Map() };
  const { responses } = await load({ config, clock: systemClock, log: silentLog, waitMs: 0 });
  return responses;
}

/** @returns milliseconds of processors for the second of two days */
async function loadDays(dataDir) {
  let cpuMs = 0;
  for (const day of [1, 2]) {
    const startedAt = new Date(firstMs + day * dayMs);
    await storeRun(dataDir, { startedAt, answers: answersOf(1_200, 20, startedAt.getTime()) });
    const before = process.cpuUsage();
    const responses = await loadAll(dataDir);
    if (responses !== 60) throw new Error(`${responses} responses were loaded, not 60`);
    const { user, system } = process.cpuUsage(before);
    cpuMs = (user + system) / 1_000;
  }
  return cpuMs;
}

const steps = {
  store: (dataDir) =>
    storeRun(dataDir, {
      startedAt: new Date(firstMs),
      answers: answersOf(total, perAnswer, firstMs),
    }),
  floor: (dataDir) =>
    readAlone(
      join(dataDir, 'floor.duckdb'),
      `read_json('${join(dataDir, 'raw', 'acme', '*', '*', '*.json.gz')}', format = 'array')`,
    ),
  load: loadAll,
  'load again': loadAll,
  'load two days': loadDays,
};

let floorSeconds = 0;
await runSteps(import.meta.filename, steps, (name, { cpuSeconds, value }) => {
  if (name === 'floor') floorSeconds = cpuSeconds;
  if (name === 'load')
    console.log(`the load takes ${(cpuSeconds / floorSeconds).toFixed(2)} times the floor`);
  if (name === 'load two days')
    console.log(`60 answers more: ${value.toFixed(0)} ms of processors`);
});
