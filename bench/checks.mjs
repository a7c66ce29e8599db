// Times the rules of sql/checks and the view data_warnings on a large warehouse, made by SQL.
//   npm run build && node bench/checks.mjs [posts] [days with a reading] [file to keep it in]
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../dist/warehouse/database.js';
import { migrate } from '../dist/warehouse/schema.js';
import { listSql, readSql } from '../dist/warehouse/sql-file.js';

const [posts = 100_000, days = 30] = process.argv.slice(2, 4).map(Number);
const kept = process.argv[4];

/** 20 profiles, posts of about 14 months, each read once a day at 05:00 by 20 answers. */
const fill = `
create temp table made_posts as
select
  i,
  i % 20 as profile,
  format('00000000-0000-4000-8000-{:012d}', i) as linkedin_post_id,
  format('111111{:02d}-1111-4111-8111-111111111111', i % 20) as profile_id,
  timestamptz '2026-01-01 00:00:00Z' - (i * 420.0 / $posts) * interval 1 day as published_at,
  i % 5 = 0 as is_video,
  (800 * exp(2 * pow(sin(i * 12.9898), 3)))::bigint as size
from range($posts::bigint) as r(i);

create temp table made_days as
select
  d,
  timestamptz '2026-01-01 05:00:00Z' + d * interval 1 day as started_at,
  strftime(started_at, '%Y%m%dT%H%M%SZ') || '-bench' as run_id
from range($days::bigint) as r(d);

insert into linkedin_post_snapshots
select
  'acme', linkedin_post_id, (started_at + profile * interval 1 second)::date,
  started_at + profile * interval 1 second as captured_at,
  size // 10 + d, size // 50, size // 90, case when profile % 2 = 0 then size // 20 end,
  case when profile % 2 = 1 then size // 70 end, case when profile % 2 = 1 then size // 80 end,
  size + d * 3, 0.05, null,
  case when is_video and i < $posts // 2 then size // 2 end,
  case when is_video and i < $posts // 2 then size // 3 end,
  case when is_video then size * 3 end,
  strftime(captured_at, '%Y-%m-%dT%H:%M:%S.%fZ') || ' ' || run_id || ' ' || format('{:09d}', profile + 1)
from made_posts cross join made_days
order by d, i;

insert into linkedin_posts
select
  'acme', linkedin_post_id, profile_id, 'https://www.linkedin.com/feed/update/' || i,
  repeat('Words that fill a post. ', 8), case when is_video then 'Video' else 'Image' end, published_at,
  newest.like_count, newest.comment_count, newest.share_count, newest.click_count, newest.save_count,
  newest.send_count, newest.impression_count, newest.engagement, newest.emv, newest.video_view_count,
  newest.video_viewer_count, newest.video_watch_time_seconds, null,
  (select min(started_at) from made_days) + profile * interval 1 second, newest.captured_at, null,
  newest.reading,
  struct_pack(
    like_count := null, comment_count := null, share_count := null, click_count := null, save_count := null,
    send_count := null, impression_count := null, engagement := null, emv := null,
    video_view_count := null, video_viewer_count := null, video_watch_time_seconds := null, post_id := null
  )
from made_posts
join (
  from linkedin_post_snapshots
  where captured_at::date = (select max(started_at)::date from made_days)
) as newest using (linkedin_post_id);

insert into profiles (workspace, profile_id, name, cpm, told_by)
select distinct 'acme', profile_id, 'Profile ' || profile, 30, 'config' from made_posts;

insert into run_parts (
  run_id, workspace, job, started_at, finished_at, status, requests, retries, throttled
)
select run_id, 'acme', 'bench', started_at, started_at + interval 1 minute, 'succeeded', 20, 0, 0 from made_days;

insert into loaded_responses (
  workspace, run_id, seq, kind, outcome, fetched_at, requests, posts_read, rejected
)
select
  'acme', run_id, profile + 1, 'analytics', 'succeeded', started_at + profile * interval 1 second, 1, posts, 0
from made_days
cross join (select profile, count(*) as posts from made_posts group by profile);

insert into extract_windows (
  run_id, workspace, profile_id, start_date, end_date, status, http_status, posts_read, requests, fetched_at,
  error, seq
)
select
  run_id, 'acme', profile_id, date '2024-11-01', started_at::date, 'succeeded', 200, posts, 1,
  started_at + profile * interval 1 second, null, profile + 1
from made_days
cross join (select profile, profile_id, count(*) as posts from made_posts group by all);

insert into runs (
  run_id, job, started_at, finished_at, status, requests, retries, throttled, posts_read, rejected
)
select run_id, 'bench', started_at, started_at + interval 1 minute, 'succeeded', 20, 0, 0, $posts, 0
from made_days;
`;

async function make(path) {
  const database = await Database.open(path, 'READ_WRITE');
  try {
    await database.transaction(async () => {
      await migrate(database);
      await database.run(fill, { posts, days });
    });
    await database.run('checkpoint');
  } finally {
    database.close();
  }
}

function tell(name, seconds, cpu, more = '') {
  const [wall, work] = [seconds, cpu].map((value) => `${value.toFixed(2).padStart(6)} s`);
  console.log(`${name.padEnd(34)} ${wall} ${work} of processors ${more}`);
}

/** In a session of its own, as each load has one. */
async function time(path, name, sql) {
  const database = await Database.open(path, 'READ_WRITE');
  try {
    const start = performance.now();
    const before = process.cpuUsage();
    const { rows } = await database.query(sql);
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(before);
    const cpu = (user + system) / 1e6;
    tell(name, seconds, cpu, `${String(rows.length).padStart(5)} rows`);
    return { seconds, cpu };
  } finally {
    database.close();
  }
}

async function main(folder) {
  const path = kept ?? join(folder, 'w.duckdb');
  if (!existsSync(path)) await make(path);
  console.log(`${posts} posts, ${posts * days} snapshots`);
  const times = [];
  for (const name of await listSql('checks'))
    times.push(await time(path, name, await readSql(name)));
  const sum = (of) => times.reduce((total, each) => total + each[of], 0);
  tell('all of them', sum('seconds'), sum('cpu'));
  await time(path, 'data_warnings', 'from data_warnings order by all');
}

const folder = await mkdtemp(join(tmpdir(), 'postledger-bench-'));
try {
  await main(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
