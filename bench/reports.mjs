// Makes the main reports in each format from generated posts, against the time of their SQL alone.
//   npm run build && node bench/reports.mjs [posts] [days with a reading]
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { systemClock } from '../build/core/clock.js';
import { silentLog } from '../build/core/log.js';
import { load } from '../build/load/load.js';
import { writeReport } from '../build/pipeline/report-files.js';
import { builtInReports, findReports } from '../build/report/report-catalog.js';
import { allPosts } from '../build/report/report-parameters.js';
import { openReportSession } from '../build/report/report-session.js';
import { numbersGiven, runSteps } from './support/steps.mjs';
import { analyticsRecord, linkTo, storeRun } from './support/stored-run.mjs';

const [posts = 10_000, days = 30] = numbersGiven();
const newest = Date.parse('2026-01-01T05:00:00Z');
const profiles = Array.from({ length: 5 }, (_, index) => ({
  workspace: 'acme',
  id: `1111111${index}-1111-4111-8111-111111111111`,
  name: `Profile ${index}`,
  cpm: 30,
}));

function configOf(folder) {
  return {
    dataDir: folder,
    folder,
    warehouse: join(folder, 'w.duckdb'),
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    locale: 'en-GB',
    brand: null,
    cpmBand: { low: 20, high: 45 },
    workspaces: new Map([['acme', { key: 'acme', slug: 'acme', profiles }]]),
  };
}

/** A long tail of impressions, a fifth of videos, a third of the posts linked; the same on every run. */
function recordOf(index) {
  const impressions = Math.round(800 * Math.exp(2 * Math.sin(index * 12.9898) ** 3));
  const isVideo = index % 5 === 0;
  const isPage = index % 2 === 0;
  return analyticsRecord({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    commentary: `Post ${index} \u{1F680} \u201Cquoted\u201D\n\n${'Words that fill a post. '.repeat(20)}`,
    type: isVideo ? 'Video' : ['Image', 'Text', 'Document', 'Article'][index % 4],
    publishedAt: new Date(newest - (index / posts) * 365 * 86_400_000 - 3_600_000).toISOString(),
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

async function makeWarehouse(folder) {
  const answers = profiles.map(({ id }, place) => ({
    profileId: id,
    start: '2025-01-01',
    end: '2026-01-01',
    fetchedAt: new Date(newest),
    records: Array.from({ length: posts }, (_, index) => index)
      .filter((index) => index % profiles.length === place)
      .map(recordOf),
  }));
  const named = profiles.map(({ id, name, cpm }) => ({ profile_id: id, name, cpm }));
  await storeRun(folder, { startedAt: new Date(newest), profiles: named, answers });
  const config = configOf(folder);
  await load({ config, clock: systemClock, log: silentLog, waitMs: 0 });
  await addHistory(config.warehouse);
}

/** Earlier readings, each day's a little less than the next one's. */
async function addHistory(warehouse) {
  const instance = await DuckDBInstance.create(warehouse);
  const connection = await instance.connect();
  await connection.run(`
    insert into linkedin_post_snapshots
    select snapshots.* replace (
      captured_on - day::integer as captured_on,
      captured_at - to_days(day::integer) as captured_at,
      reading_id - day * 86400000 * 2097152 as reading_id,
      (impression_count * (1 - day / 200))::bigint as impression_count,
      emv * (1 - day / 200) as emv
    )
    from linkedin_post_snapshots as snapshots
    cross join range(1, ${days}) as days(day)
  `);
  connection.closeSync();
  instance.closeSync();
}

async function withSession(folder, name, work) {
  const definition = (await findReports([builtInReports])).get(name);
  const session = await openReportSession(configOf(folder), allPosts, { folder });
  const before = process.cpuUsage();
  await work(session, definition);
  const { user, system } = process.cpuUsage(before);
  session.close();
  return (user + system) / 1e6;
}

const queries = (name) => (folder) =>
  withSession(folder, name, async ({ database }, { parameters, sql }) => {
    const values = Object.fromEntries(
      Object.entries(parameters).map(([key, parameter]) => [key, parameter.default]),
    );
    await database.run(sql.get('_views.sql') ?? 'select 1');
    for (const [file, text] of sql) if (file !== '_views.sql') await database.query(text, values);
  });

const write = (name, formats) => (folder) =>
  withSession(folder, name, (session, definition) =>
    writeReport({ session, definition, set: {}, formats, folder: join(folder, 'out') }),
  );

const steps = { store: makeWarehouse };
for (const name of ['emv', 'engagement', 'video']) {
  steps[`${name} queries`] = queries(name);
  for (const format of ['csv', 'xlsx', 'html']) steps[`${name} ${format}`] = write(name, [format]);
  steps[`${name} all`] = write(name, ['csv', 'xlsx', 'html']);
}

let floor = 0;
await runSteps(import.meta.filename, steps, (step, { value }) => {
  if (step.endsWith('queries')) floor = value;
  if (step.endsWith('all'))
    console.log(
      `  all formats take ${(value / floor).toFixed(1)} times the processor time of the queries`,
    );
});
