// Makes the main reports of generated posts in each format, beside the queries of their sections alone. `times` is the
// processor time as a multiple of that of the queries.
//   npm run build && node bench/reports.mjs [--posts 10000] [--days 30] [--reports 3] [--formats 4] [--short] [--json] [--keep]
import { join } from 'node:path';
import { loadConfig } from '../build/config/load-config.js';
import { builtInReports, findReports } from '../build/report/report-catalog.js';
import { allPosts, reportConfigOf } from '../build/report/report-parameters.js';
import { openReportSession } from '../build/report/report-session.js';
import { withReport } from '../build/report/open-report.js';
import {
  analyticsRecord,
  commentary,
  dayMs,
  linkTo,
  madeProfiles,
  storeRun,
  warehouseOf,
  withDatabase,
  writeJobsFile,
} from './support/data-folder.mjs';
import { readNumbers, runBench } from './support/harness.mjs';

const {
  posts,
  days,
  reports: reportCount,
  formats: formatCount,
} = readNumbers({ posts: [10_000, 50], days: [30, 3], reports: [3, 1], formats: [4, 1] });
const newest = Date.parse('2026-01-01T05:00:00Z');
const profiles = madeProfiles(5);
const names = ['emv', 'engagement', 'video'].slice(0, reportCount);
const formats = ['csv,xlsx,html', 'csv', 'xlsx', 'html'].slice(0, formatCount);

/** Impressions with a long tail, a fifth of videos, a third of the posts linked; the same on every run. */
function recordOf(index) {
  const impressions = Math.round(800 * Math.exp(2 * Math.sin(index * 12.9898) ** 3));
  const isVideo = index % 5 === 0;
  const isPage = index % 2 === 0;
  return analyticsRecord({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    commentary: commentary(index, 20),
    type: isVideo ? 'Video' : ['Image', 'Text', 'Document', 'Article'][index % 4],
    publishedAt: new Date(newest - (index / posts) * 365 * dayMs - 3_600_000).toISOString(),
    likeCount: impressions % 97,
    commentCount: impressions % 11,
    shareCount: impressions % 5,
    clickCount: isPage ? impressions % 53 : null,
    saveCount: isPage ? null : impressions % 7,
    sendCount: isPage ? null : impressions % 3,
    impressionCount: impressions,
    engagement: (impressions % 97) / Math.max(impressions, 1),
    emv: (impressions / 1000) * 30,
    videoViewCount: isVideo ? Math.round(impressions * 0.4) : null,
    videoViewerCount: isVideo ? Math.round(impressions * 0.3) : null,
    videoWatchTimeSeconds: isVideo ? Math.round(impressions * 3.2) : null,
    servicePost: index % 3 === 0 ? linkTo(`p${index}`, index) : null,
  });
}

function storeAnswers(folder) {
  const indexes = Array.from({ length: posts }, (_, index) => index);
  const answers = profiles.map(({ id }, profileIndex) => ({
    profileId: id,
    start: '2025-01-01',
    end: '2026-01-01',
    fetchedAt: new Date(newest),
    records: indexes.filter((index) => index % profiles.length === profileIndex).map(recordOf),
  }));
  return storeRun(folder, { startedAt: new Date(newest), profiles, answers });
}

/** Adds the readings of earlier days, each with a little less than the next day's. */
function addHistory(folder) {
  const text = `
    insert into readings
    select readings.* replace (
      fetched_at - to_days(day::integer) as fetched_at,
      reading_id - day * 86400000 * 2097152 as reading_id,
      (impression_count * (1 - day / 200))::bigint as impression_count,
      emv * (1 - day / 200) as emv
    )
    from readings
    cross join range(1, ${days}) as days(day)`;
  return withDatabase(warehouseOf(folder), {}, (connection) => connection.run(text));
}

/** Runs every query of a report, and renders nothing. */
async function query(folder, name) {
  const now = new Date();
  const file = join(folder, 'jobs.yaml');
  const config = await loadConfig({ file, environment: process.env, now });
  const definition = (await findReports([builtInReports])).get(name);
  const session = await openReportSession(reportConfigOf(config, null, now), allPosts);
  const made = ['_groups.sql', '_views.sql', '_facts.sql'];
  await withReport(session, definition, {}, async ({ database, params }) => {
    for (const [file, text] of definition.sql)
      if (!made.includes(file)) await database.query(text, params);
  });
  session.close();
}

const steps = Object.fromEntries(names.map((name) => [name, (folder) => query(folder, name)]));

await runBench(import.meta.filename, steps, async (bench) => {
  await writeJobsFile(bench.folder, { acme: profiles }, { timezone: 'Europe/Berlin' });
  await storeAnswers(bench.folder);
  await bench.command(['load']);
  await addHistory(bench.folder);
  for (const name of names) {
    const floor = await bench.step(name);
    bench.add(`${name} queries`, floor);
    for (const format of formats) {
      const args = ['report', 'run', name, '--format', format, '--out', 'out'];
      bench.add(`${name} ${format}`, await bench.command(args), floor);
    }
  }
});
