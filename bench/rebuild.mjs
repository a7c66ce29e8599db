// Loads, rebuilds, compares and verifies a year of daily runs and deletions.
//   npm run build && node bench/rebuild.mjs [--days 365] [--profiles 5] [--read-days 55] [--short] [--json] [--keep]
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  analyticsRecord,
  commentary,
  dayMs,
  linkTo,
  madeProfiles,
  storePostEvent,
  storeRun,
  writeJobsFile,
} from './support/data-folder.mjs';
import { readNumbers, runBench } from './support/harness.mjs';

const {
  days,
  profiles: count,
  'read-days': readDays,
} = readNumbers({ days: [365, 5], profiles: [5, 2], 'read-days': [55, 3] });
const firstMs = Date.parse('2026-01-01T06:00:00Z');
const profiles = madeProfiles(count);

/** A post of a day as it stands some days later: it gains quickly, then slowly. */
function recordOf(profile, day, ageDays) {
  const id = `${profile}-${day}`;
  const impressions = Math.round(2_000 * (1 + (day % 7)) * (1 - Math.exp(-ageDays / 4)));
  const likes = Math.round(impressions / 70);
  return analyticsRecord({
    id,
    commentary: commentary(id, 12),
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

/** A daily run reads the youngest posts of each profile, and the details of new posts and of those that are a month old. */
async function storeDay(folder, day) {
  const startedAt = new Date(firstMs + day * dayMs);
  const first = Math.max(0, day - readDays + 1);
  const read = Array.from({ length: day - first + 1 }, (_, index) => first + index);
  const windows = profiles.map(({ id }, index) => ({
    profileId: id,
    start: dayOf(first),
    end: dayOf(day),
    fetchedAt: new Date(startedAt.getTime() + index * 1_000),
    records: read.map((published) => recordOf(index, published, day - published + 0.5)),
  }));
  const details = [day, day - 30]
    .filter((published) => published >= 0)
    .flatMap((published) => profiles.map((_, index) => detailsOf(index, published, startedAt)));
  await storeRun(folder, { startedAt, profiles, answers: [...windows, ...details] });
}

function detailsOf(index, published, startedAt) {
  const { id, title } = recordOf(index, published, 0).servicePost;
  const linkedIn = { copy: 'Words '.repeat(60), assets: [] };
  const fetchedAt = new Date(startedAt.getTime() + 10_000 + index * 1_000);
  return { postId: id, post: { id, title, status: 'Posted', linkedIn }, fetchedAt };
}

async function storeDeletions(folder, day) {
  const receivedAt = new Date(firstMs + day * dayMs + 3_600_000);
  for (const index of profiles.keys())
    await storePostEvent(folder, 'post.permanently_deleted', receivedAt, {
      id: `p${index}-${day - 60}`,
    });
}

async function sizeOf(folder) {
  const size = { files: 0, megabytes: 0, 'megabytes on this disk': 0 };
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name));
    size.files += 1;
    size.megabytes += found.size / 1e6;
    size['megabytes on this disk'] += (found.blocks * 512) / 1e6;
  }
  return size;
}

await runBench(import.meta.filename, {}, async (bench) => {
  await writeJobsFile(bench.folder, { acme: profiles });
  for (let day = 0; day < days; day += 1) {
    await storeDay(bench.folder, day);
    await storeDeletions(bench.folder, day);
  }
  const commands = [['load'], ['rebuild'], ['rebuild', '--check'], ['verify']];
  const [load] = commands;
  let floor;
  for (const args of commands) {
    const measured = await bench.command(args);
    bench.add(args.join(' '), measured, args === load ? undefined : floor);
    if (args === load) floor = measured;
  }
  return sizeOf(join(bench.folder, 'data', 'raw'));
});
