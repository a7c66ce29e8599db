// A year of daily runs: loaded day by day, at once, and made anew from the archive; then pruned. Each step in a
// process of its own, with its time and its peak memory.
//   npm run build && node bench/rebuild.mjs [days] [profiles] [days that each run reads]
import { fork } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../dist/core/clock.js';
import { silentLog } from '../dist/core/log.js';
import { silentProgress } from '../dist/core/progress.js';
import { readEvent } from '../dist/inbox/events/read-event.js';
import { recordLine } from '../dist/inbox/spool/record-line.js';
import { openPart } from '../dist/landing/landing-part.js';
import { loadLanded } from '../dist/load/load-landed.js';
import { pruneArchive } from '../dist/load/prune.js';
import { checkRebuild } from '../dist/load/rebuild-check.js';
import { rebuildWarehouse } from '../dist/load/rebuild.js';

const [days = 365, profiles = 5, readDays = 55] = process.argv.slice(2, 5).map(Number);
const dayMs = 86_400_000;
const firstMs = Date.parse('2026-01-01T06:00:00Z');
const profileIds = Array.from(
  { length: profiles },
  (_, index) => `11111111-1111-4111-8111-${String(index).padStart(12, '0')}`,
);

function configOf(folder) {
  const dataDir = join(folder, 'data');
  const workspace = {
    key: 'acme',
    slug: 'acme',
    profiles: profileIds.map((id, index) => ({
      workspace: 'acme',
      id,
      name: `Profile ${index}`,
      cpm: 30,
    })),
  };
  const warehouse = join(folder, 'w.duckdb');
  return { dataDir, warehouse, timezone: 'UTC', workspaces: new Map([['acme', workspace]]) };
}

/** A post of a day, as it stands some days later: it gains quickly, then slowly. */
function recordOf(profile, day, ageDays) {
  const id = `${profile}-${day}`;
  const impressions = Math.round(2_000 * (1 + (day % 7)) * (1 - Math.exp(-ageDays / 4)));
  const likes = Math.round(impressions / 70);
  return {
    id: `urn:li:share:${id}`,
    url: `https://www.linkedin.com/feed/update/urn:li:share:${id}`,
    commentary: `Post ${id} \u{1F680}\n\n${'Words that fill a post, and some more. '.repeat(8)}`,
    type: day % 5 === 0 ? 'Video' : 'Image',
    publishedAt: new Date(firstMs + day * dayMs).toISOString(),
    likeCount: likes,
    commentCount: Math.round(likes / 9),
    shareCount: Math.round(likes / 20),
    clickCount: Math.round(impressions / 40),
    saveCount: null,
    sendCount: null,
    impressionCount: impressions,
    engagement: impressions === 0 ? 0 : likes / impressions,
    emv: null,
    videoViewCount: day % 5 === 0 ? Math.round(impressions / 3) : null,
    videoViewerCount: null,
    videoWatchTimeSeconds: null,
    servicePost: {
      id: `p${id}`,
      title: `Title ${id}`,
      labels: [{ name: `label ${day % 20}`, labelId: `l${day % 20}` }],
      campaign: { id: `c${day % 10}`, name: `Campaign ${day % 10}` },
    },
  };
}

async function land(part, request, fetchedAt, body, records) {
  await part.landResponse(request, {
    outcome: 'succeeded',
    httpStatus: 200,
    fetchedAt,
    requests: 1,
    error: null,
    body: Buffer.from(JSON.stringify(body)),
    records,
  });
}

/** What a daily run reads: the youngest posts of each profile, and details of new posts and of those a month old. */
async function landDay({ dataDir }, day) {
  const startedMs = firstMs + day * dayMs;
  const started_at = new Date(startedMs).toISOString();
  const part = await openPart(dataDir, {
    version: 1,
    run_id: `${started_at.slice(0, 10).replaceAll('-', '')}T060000Z-bench`,
    job: 'daily',
    workspace: 'acme',
    started_at,
    profiles: profileIds.map((id, index) => ({
      profile_id: id,
      name: `Profile ${index}`,
      cpm: 30,
    })),
    linked_post_field: 'servicePost',
  });
  const first = Math.max(0, day - readDays + 1);
  const read = Array.from({ length: day - first + 1 }, (_, index) => first + index);
  for (const [index, profile_id] of profileIds.entries()) {
    const records = read.map((published) => recordOf(index, published, day - published + 0.5));
    const window = {
      start_date: new Date(firstMs + first * dayMs).toISOString().slice(0, 10),
      end_date: started_at.slice(0, 10),
    };
    const request = { kind: 'analytics', profile_id, ...window };
    await land(part, request, new Date(startedMs + index * 1_000), records, records.length);
  }
  for (const published of [day, day - 30].filter((each) => each >= 0)) {
    for (const index of profileIds.keys()) {
      const { id, title } = recordOf(index, published, 0).servicePost;
      const post = {
        id,
        title,
        status: 'Posted',
        linkedIn: { copy: 'Words '.repeat(60), assets: [] },
      };
      const fetchedAt = new Date(startedMs + 10_000 + index * 1_000);
      await land(part, { kind: 'post', post_id: id }, fetchedAt, { post }, null);
    }
  }
  await part.finish({
    version: 1,
    finished_at: new Date(startedMs + 60_000).toISOString(),
    status: 'succeeded',
    requests: profiles * 3,
    retries: 0,
    throttled: 0,
  });
}

/** One segment a day with as many deletions as there are profiles. */
async function receiveDay({ dataDir }, day) {
  const at = new Date(firstMs + day * dayMs + 3_600_000);
  const lines = profileIds.map((_, index) => {
    const event = {
      type: 'post.permanently_deleted',
      createdAt: at.toISOString(),
      data: {
        post: {
          id: `p${index}-${day - 60}`,
          title: 'Deleted',
          status: 'archived',
          channels: ['LinkedIn'],
          campaign: null,
          url: 'https://app.example.com/posts/1',
          labels: [],
          workspace: { id: 'w', slug: 'acme' },
          deletedAt: at.toISOString(),
        },
      },
    };
    return recordLine(readEvent(Buffer.from(JSON.stringify(event))), at, 'http');
  });
  const stamp = at.toISOString().replaceAll(/[-:]/g, '');
  await mkdir(join(dataDir, 'inbox'), { recursive: true });
  const path = join(dataDir, 'inbox', `${stamp}-1-aa-${String(day).padStart(6, '0')}.ndjson`);
  await writeFile(path, Buffer.concat(lines));
}

function load(config) {
  return loadLanded({ config, clock: systemClock, log: silentLog, waitMs: 0 });
}

async function landAll(config) {
  for (let day = 0; day < days; day += 1) {
    await landDay(config, day);
    await receiveDay(config, day);
  }
}

const tools = { clock: systemClock, log: silentLog, progress: silentProgress, waitMs: 0 };
const accepting = { acceptsDamage: false, acceptsPruned: true };
/** The morning after the last run. */
const clock = { ...systemClock, now: () => new Date(firstMs + days * dayMs) };

const steps = {
  land: landAll,
  'load at once': load,
  'land again and load day by day': async (config) => {
    for (let day = 0; day < days; day += 1) {
      await landDay(config, day);
      await receiveDay(config, day);
      await load(config);
    }
  },
  rebuild: (config) => rebuildWarehouse({ config, ...tools, ...accepting }),
  'rebuild --check': (config) => checkRebuild({ config, ...tools, ...accepting }),
  'archive prune --keep 90': (config) =>
    pruneArchive({ config, ...tools, clock, keepDays: 90, isDryRun: false }),
  'rebuild after it': (config) => rebuildWarehouse({ config, ...tools, ...accepting }),
};

async function runStep(name, folder) {
  const start = performance.now();
  const value = await steps[name](configOf(folder));
  const seconds = (performance.now() - start) / 1000;
  process.send({ seconds, megabytes: process.resourceUsage().maxRSS / 1024, value });
  process.disconnect();
}

function measure(name, folder) {
  const args = [days, profiles, readDays].map(String);
  const child = fork(import.meta.filename, [...args, name, folder]);
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => code !== 0 && reject(new Error(`${name} failed`)));
  });
}

async function sizeOf(folder, isCounted = () => true) {
  const usage = { files: 0, bytes: 0 };
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !isCounted(entry.name)) continue;
    usage.files += 1;
    usage.bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return usage;
}

function show(name, { seconds, megabytes }) {
  console.log(
    `${name.padEnd(32)} ${seconds.toFixed(1).padStart(7)} s ${megabytes.toFixed(0).padStart(6)} MB`,
  );
}

function showSize(name, { files, bytes }) {
  console.log(`${name.padEnd(32)} ${(bytes / 1e6).toFixed(1).padStart(7)} MB in ${files} files`);
}

async function measureArchive(folder) {
  const archive = join(folder, 'data', 'archive');
  showSize('archive', await sizeOf(archive));
  showSize('of which bodies', await sizeOf(archive, (file) => file.endsWith('.body.gz')));
  const check = await measure('rebuild --check', folder);
  show(`rebuild --check, ${check.value.isSame ? 'the same' : 'DIFFERENT'}`, check);
  show('rebuild', await measure('rebuild', folder));
  const pruned = await measure('archive prune --keep 90', folder);
  show('archive prune --keep 90', pruned);
  console.log(JSON.stringify(pruned.value));
  showSize('archive', await sizeOf(archive));
  show('rebuild after it', await measure('rebuild after it', folder));
}

async function main() {
  const root = await mkdtemp(join(tmpdir(), 'postledger-bench-'));
  try {
    const [once, daily] = [join(root, 'once'), join(root, 'daily')];
    const records =
      profiles *
      Array.from({ length: days }, (_, day) => Math.min(day + 1, readDays)).reduce(
        (a, b) => a + b,
        0,
      );
    console.log(`${days} daily runs of ${profiles} profiles, ${records} records`);
    show('land', await measure('land', once));
    show('load at once', await measure('load at once', once));
    await measureArchive(once);
    show('land and load day by day', await measure('land again and load day by day', daily));
    const check = await measure('rebuild --check', daily);
    show(`rebuild --check, ${check.value.isSame ? 'the same' : 'DIFFERENT'}`, check);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const [name, folder] = process.argv.slice(5);
if (name) await runStep(name, folder);
else await main();
