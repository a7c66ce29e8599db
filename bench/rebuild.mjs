// A year of daily runs and deletions: stored, loaded at once, rebuilt, compared and verified. Each step in a process of
// its own, with its time and its peak memory.
//   npm run build && node bench/rebuild.mjs [days] [profiles] [days that each run reads]
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../build/core/clock.js';
import { silentLog } from '../build/core/log.js';
import { silentProgress } from '../build/core/progress.js';
import { load } from '../build/load/load.js';
import { checkRebuild, rebuildWarehouse } from '../build/load/rebuild.js';
import { verifyRawStore } from '../build/status/verify.js';
import { eventKey, storeEvent } from '../build/store/event-store.js';
import { numbersGiven, runSteps } from './support/steps.mjs';
import { analyticsRecord, linkTo, storeRun } from './support/stored-run.mjs';

const [days = 365, profiles = 5, readDays = 55] = numbersGiven();
const dayMs = 86_400_000;
const firstMs = Date.parse('2026-01-01T06:00:00Z');
const own = Array.from({ length: profiles }, (_, index) => ({
  id: `11111111-1111-4111-8111-${String(index).padStart(12, '0')}`,
  name: `Profile ${index}`,
  cpm: 30,
}));

function configOf(folder) {
  const acme = { key: 'acme', slug: 'acme', profiles: own };
  return {
    dataDir: join(folder, 'data'),
    warehouse: join(folder, 'w.duckdb'),
    timezone: 'UTC',
    workspaces: new Map([['acme', acme]]),
  };
}

/** A post of a day, as it stands some days later: it gains quickly, then slowly. */
function recordOf(profile, day, ageDays) {
  const id = `${profile}-${day}`;
  const impressions = Math.round(2_000 * (1 + (day % 7)) * (1 - Math.exp(-ageDays / 4)));
  const likes = Math.round(impressions / 70);
  return analyticsRecord({
    id,
    commentary: `Post ${id} \u{1F680}\n\n${'Words that fill a post, and some more. '.repeat(8)}`,
    type: day % 5 === 0 ? 'Video' : 'Image',
    publishedAt: new Date(firstMs + day * dayMs).toISOString(),
    likeCount: likes,
    commentCount: Math.round(likes / 9),
    shareCount: Math.round(likes / 20),
    clickCount: Math.round(impressions / 40),
    impressionCount: impressions,
    engagement: impressions === 0 ? 0 : likes / impressions,
    videoViewCount: day % 5 === 0 ? Math.round(impressions / 3) : null,
    servicePost: linkTo(`p${id}`, day),
  });
}

function dayOf(day) {
  return new Date(firstMs + day * dayMs).toISOString().slice(0, 10);
}

/** What a daily run reads: the youngest posts of each profile, and details of new posts and of those a month old. */
async function storeDay(dataDir, day) {
  const startedAt = new Date(firstMs + day * dayMs);
  const first = Math.max(0, day - readDays + 1);
  const read = Array.from({ length: day - first + 1 }, (_, index) => first + index);
  const windows = own.map(({ id }, index) => ({
    profileId: id,
    start: dayOf(first),
    end: dayOf(day),
    fetchedAt: new Date(startedAt.getTime() + index * 1_000),
    records: read.map((published) => recordOf(index, published, day - published + 0.5)),
  }));
  const details = [day, day - 30]
    .filter((published) => published >= 0)
    .flatMap((published) => own.map((_, index) => detailsOf(index, published, startedAt)));
  await storeRun(dataDir, {
    startedAt,
    profiles: own.map(({ id, name, cpm }) => ({ profile_id: id, name, cpm })),
    answers: [...windows, ...details],
  });
}

function detailsOf(index, published, startedAt) {
  const { id, title } = recordOf(index, published, 0).servicePost;
  const linkedIn = { copy: 'Words '.repeat(60), assets: [] };
  const fetchedAt = new Date(startedAt.getTime() + 10_000 + index * 1_000);
  return { postId: id, post: { id, title, status: 'Posted', linkedIn }, fetchedAt };
}

/** A deletion of each profile. */
async function receiveDay(dataDir, day) {
  const receivedAt = new Date(firstMs + day * dayMs + 3_600_000);
  for (const index of own.keys()) {
    const post = {
      id: `p${index}-${day - 60}`,
      title: 'Deleted',
      status: 'archived',
      channels: ['LinkedIn'],
      campaign: null,
      url: 'https://app.example.com/posts/1',
      labels: [],
      workspace: { id: 'w', slug: 'acme' },
      deletedAt: receivedAt.toISOString(),
    };
    const createdAt = receivedAt.toISOString();
    const event = { type: 'post.permanently_deleted', createdAt, data: { post } };
    const bodyText = JSON.stringify(event);
    await storeEvent(dataDir, { key: eventKey(event), bodyText, receivedAt, via: 'http' });
  }
}

async function storeAll(folder) {
  const { dataDir } = configOf(folder);
  for (let day = 0; day < days; day += 1) {
    await storeDay(dataDir, day);
    await receiveDay(dataDir, day);
  }
}

const tools = { clock: systemClock, log: silentLog, progress: silentProgress, waitMs: 0 };

const steps = {
  store: storeAll,
  load: (folder) => load({ config: configOf(folder), ...tools }),
  rebuild: (folder) => rebuildWarehouse({ config: configOf(folder), ...tools }),
  'rebuild --check': (folder) => checkRebuild({ config: configOf(folder), ...tools }),
  verify: (folder) => verifyRawStore(configOf(folder)),
};

async function showSize(folder) {
  let [files, bytes, blocks] = [0, 0, 0];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name));
    files += 1;
    bytes += found.size;
    blocks += found.blocks;
  }
  const [mb, onDisk] = [bytes / 1e6, (blocks * 512) / 1e6].map((each) => each.toFixed(1));
  console.log(`the raw store: ${mb} MB in ${files} files, which take ${onDisk} MB on this disk`);
}

await runSteps(import.meta.filename, steps, async (name, { value }, folder) => {
  if (name === 'store') await showSize(join(folder, 'data', 'raw'));
  if (name === 'rebuild --check' && !value.every(({ missing, extra }) => missing + extra === 0))
    throw new Error('a rebuild gives another warehouse');
  if (value?.findings?.length) throw new Error('verify finds something');
});
