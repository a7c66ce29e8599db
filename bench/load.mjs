// Loads generated answers, beside DuckDB alone reading the same files into one table. Then loads a day's run of 60 small
// answers into that warehouse. `times` is the load's processor time as a multiple of DuckDB's.
//   npm run build && node bench/load.mjs [--records 100000] [--per-answer 1000] [--short] [--json] [--keep]
import { join } from 'node:path';
import {
  analyticsRecord,
  commentary,
  dayMs,
  linkTo,
  madeProfiles,
  readAlone,
  storeRun,
  writeJobsFile,
} from './support/data-folder.mjs';
import { readNumbers, runBench } from './support/harness.mjs';

const { records: total, 'per-answer': perAnswer } = readNumbers({
  records: [100_000, 500],
  'per-answer': [1_000, 100],
});
const profiles = madeProfiles(1);
const startMs = Date.parse('2026-01-15T12:00:00Z');
const posts = Math.ceil(total * 0.8);
/** Posts of some eleven years, as many on each day. */
const perDay = Math.ceil(total / 5_000);
const firstPublishedMs = startMs - Math.ceil(posts / perDay) * dayMs;

function publishedMs(post) {
  return firstPublishedMs + Math.floor(post / perDay) * dayMs + (post % perDay) * 60_000;
}

/** Every fifth record is a second reading of an earlier post; a third of the posts are linked. */
function recordOf(index) {
  const post = index % posts;
  const impressions = (post * 7919) % 50_000;
  const isVideo = post % 5 === 0;
  return analyticsRecord({
    id: `00000000-0000-4000-8000-${String(post).padStart(12, '0')}`,
    commentary: commentary(post),
    type: isVideo ? 'Video' : 'Image',
    publishedAt: new Date(publishedMs(post)).toISOString(),
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

/** @param size the most records of one answer */
function storeAnswers(folder, startedMs, count, size) {
  const answers = Array.from({ length: Math.ceil(count / size) }, (_, answer) => {
    const indexes = Array.from(
      { length: Math.min(size, count - answer * size) },
      (__, index) => answer * size + index,
    );
    const [start, end] = [indexes[0], indexes.at(-1)].map((index) =>
      new Date(publishedMs(index % posts)).toISOString().slice(0, 10),
    );
    return {
      profileId: profiles[0].id,
      start,
      end,
      fetchedAt: new Date(startedMs + answer),
      records: indexes.map(recordOf),
    };
  });
  return storeRun(folder, { startedAt: new Date(startedMs), profiles, answers });
}

const steps = {
  floor: (folder) => {
    const files = join(folder, 'data', 'raw', 'acme', '*', '*', '*.json.gz');
    return readAlone(folder, `read_json('${files}', format = 'array')`);
  },
};

await runBench(import.meta.filename, steps, async (bench) => {
  await writeJobsFile(bench.folder, { acme: profiles });
  await storeAnswers(bench.folder, startMs, total, perAnswer);
  const floor = await bench.step('floor');
  bench.add('DuckDB alone', floor);
  bench.add(`load ${total} records`, await bench.command(['load']), floor);
  bench.add('load nothing new', await bench.command(['load']));
  await storeAnswers(bench.folder, startMs + dayMs, 60 * perDay, perDay);
  bench.add('load 60 answers of a day', await bench.command(['load']));
});
