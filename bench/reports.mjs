// Writes each built-in report as CSV, XLSX and HTML, against the time of its SQL alone.
//   npm run build && node bench/reports.mjs [posts] [days with a reading] [report ...]
// Every step runs in a process of its own, so that its peak memory is its own. The time of the queries is
// that of one run of each of a report's SQL files in an open session; CSV runs its sections once more.
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { systemClock } from '../dist/core/clock.js';
import { silentLog } from '../dist/core/log.js';
import { load } from '../dist/load/load.js';
import { writeReport } from '../dist/pipeline/report-files.js';
import { builtInReports, findReports } from '../dist/report/report-catalog.js';
import { buildReport } from '../dist/report/report-builder.js';
import { allPosts } from '../dist/report/report-parameters.js';
import { openReportSession } from '../dist/report/report-session.js';
import { storeRun } from './support/stored-run.mjs';

const [posts = 10_000, days = 30] = process.argv.slice(2, 4).map(Number);
const profileIds = Array.from(
  { length: 5 },
  (_, index) => `1111111${index}-1111-4111-8111-111111111111`,
);
const newest = Date.parse('2026-01-01T05:00:00Z');

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
    workspaces: new Map([
      [
        'acme',
        {
          key: 'acme',
          slug: 'acme',
          profiles: profileIds.map((id, index) => ({
            workspace: 'acme',
            id,
            name: `Profile ${index}`,
            cpm: 30,
          })),
        },
      ],
    ]),
  };
}

/** A long tail of impressions, a fifth of videos, a third of the posts linked; the same on every run. */
function recordOf(index) {
  const impressions = Math.round(800 * Math.exp(2 * Math.sin(index * 12.9898) ** 3));
  const isVideo = index % 5 === 0;
  const isPage = index % 2 === 0;
  return {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    url: `https://www.linkedin.com/feed/update/urn:li:share:${index}`,
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
    servicePost:
      index % 3 === 0
        ? {
            id: `p${index}`,
            title: `Title ${index}`,
            labels: [
              { name: `label ${index % 20}`, labelId: `l${index % 20}` },
              { name: `label ${index % 7}`, labelId: `l${index % 7}` },
            ],
            campaign: { id: `c${index % 10}`, name: `Campaign ${index % 10}` },
          }
        : null,
  };
}

async function makeWarehouse(folder) {
  const indexes = Array.from({ length: posts }, (_, index) => index);
  const answers = profileIds.map((profileId, place) => ({
    profileId,
    start: '2025-01-01',
    end: '2026-01-01',
    fetchedAt: new Date(newest),
    records: indexes.filter((index) => index % profileIds.length === place).map(recordOf),
  }));
  const profiles = profileIds.map((id, index) => ({
    profile_id: id,
    name: `Profile ${index}`,
    cpm: 30,
  }));
  await storeRun(folder, { startedAt: new Date(newest), profiles, answers });
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

async function reportOf(name) {
  return (await findReports([builtInReports])).get(name);
}

async function queries(folder, name) {
  const definition = await reportOf(name);
  const session = await openReportSession(configOf(folder), allPosts);
  const start = performance.now();
  const values = Object.fromEntries(
    Object.entries(definition.parameters).map(([key, parameter]) => [key, parameter.default]),
  );
  for (const [file, sql] of definition.sql) {
    if (file === '_views.sql') await session.database.run(sql);
  }
  for (const [file, sql] of definition.sql) {
    if (file !== '_views.sql') await session.database.query(sql, values);
  }
  const seconds = (performance.now() - start) / 1000;
  session.close();
  return seconds;
}

async function write(folder, name, formats) {
  const definition = await reportOf(name);
  const out = join(folder, 'out');
  const session = await openReportSession(configOf(folder), allPosts, { folder: out });
  const start = performance.now();
  if (formats.length === 0) await buildReport(session, definition);
  else await writeReport({ session, definition, set: {}, formats, folder: out });
  const seconds = (performance.now() - start) / 1000;
  session.close();
  return seconds;
}

const steps = {
  queries,
  document: (folder, name) => write(folder, name, []),
  csv: (folder, name) => write(folder, name, ['csv']),
  xlsx: (folder, name) => write(folder, name, ['xlsx']),
  html: (folder, name) => write(folder, name, ['html']),
  'all three': (folder, name) => write(folder, name, ['csv', 'xlsx', 'html']),
};

async function measure(step, folder, name) {
  const child = fork(import.meta.filename, [posts, days, '--step', step, folder, name].map(String));
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => code !== 0 && reject(new Error(`${step} of ${name} failed`)));
  });
}

async function main() {
  const folder = await mkdtemp(join(tmpdir(), 'postledger-bench-'));
  try {
    const asked = process.argv.slice(4);
    const names = [...(await findReports([builtInReports])).keys()];
    console.log(`${posts} posts, ${days} readings of each`);
    await makeWarehouse(folder);
    for (const name of names.filter((each) => asked.length === 0 || asked.includes(each))) {
      let floor = 0;
      for (const step of Object.keys(steps)) {
        const { seconds, megabytes } = await measure(step, folder, name);
        if (step === 'queries') floor = seconds;
        const ratio = step === 'queries' ? '' : `  ${(seconds / floor).toFixed(1)} x the queries`;
        console.log(
          `${name.padEnd(11)} ${step.padEnd(10)} ${seconds.toFixed(2).padStart(6)} s ${megabytes.toFixed(0).padStart(5)} MB${ratio}`,
        );
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const place = process.argv.indexOf('--step');
if (place === -1) await main();
else {
  const [step, folder, name] = process.argv.slice(place + 1);
  const seconds = await steps[step](folder, name);
  process.send({ seconds, megabytes: process.resourceUsage().maxRSS / 1024 });
  process.disconnect();
}
