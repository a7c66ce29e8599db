import { createHash } from 'node:crypto';
import { analyticsRecord, dayMs, linkTo, withDatabase } from './data-folder.mjs';

const profilesEach = 20;
/** The posts that are read on each day; after `daysEach` days another one takes a post's place. */
const postsEach = 50;
const daysEach = 35;
/** The first day that is not in the warehouse. */
const newDay = '2026-01-01';
const daysAtOnce = 10;

function uuidOf(kind, workspace, number) {
  const hex = createHash('md5').update(`${kind}${workspace}/${number}`).digest('hex');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export function workspaceKey(number) {
  return `w${String(number).padStart(4, '0')}`;
}

function profileId(workspace, number) {
  return uuidOf('profile', workspace, number);
}

/** The profiles of the workspaces, by key. */
export function profilesByWorkspace(count) {
  const keys = Array.from({ length: count }, (_, number) => workspaceKey(number));
  const profilesOf = (key) =>
    Array.from({ length: profilesEach }, (_, number) => ({
      id: profileId(key, number),
      name: `Profile ${number}`,
    }));
  return Object.fromEntries(keys.map((key) => [key, profilesOf(key)]));
}

function daysOf({ workspaces, readings }) {
  return Math.round(readings / workspaces / postsEach);
}

/**
 * Makes up a workspace's run on a day that is not in the warehouse, continuing its rows. The last profile's answer is
 * empty, which makes a data warning.
 */
export function newRun(workspace, newDays, size) {
  const startedMs = Date.parse(`${newDay}T05:00:00Z`) + newDays * dayMs;
  const day = daysOf(size) + newDays;
  const windowMs = startedMs - (startedMs % (daysEach * dayMs));
  const dayText = (ms) => new Date(ms).toISOString().slice(0, 10);
  const answers = Array.from({ length: profilesEach }, (_, profile) => ({
    profileId: profileId(workspace, profile),
    start: dayText(windowMs),
    end: dayText(windowMs + (daysEach - 1) * dayMs),
    fetchedAt: new Date(startedMs + profile),
    records: slotsOf(profile).map((slot) => recordOf(workspace, slot, day, startedMs)),
  }));
  return { startedAt: new Date(startedMs), workspace, answers };
}

function slotsOf(profile) {
  const slots = Array.from({ length: postsEach }, (_, slot) => slot);
  return slots.filter((slot) => profile < profilesEach - 1 && slot % profilesEach === profile);
}

function recordOf(workspace, slot, day, readMs) {
  const post = slot + postsEach * Math.floor((day + slot) / daysEach);
  const age = (day + slot) % daysEach;
  const impressionCount = 1000 + 20 * age + post;
  return analyticsRecord({
    id: uuidOf('post', workspace, post),
    commentary: `Post ${post} of ${workspace}`,
    publishedAt: new Date(readMs - age * dayMs - 7_200_000).toISOString(),
    likeCount: 20 + age,
    impressionCount,
    engagement: (20 + age) / impressionCount,
    emv: impressionCount * 0.03,
    servicePost: post % 3 === 0 ? linkTo(uuidOf('draft', workspace, post), post) : null,
  });
}

/** Names and numbers that the rows of the tables share. */
const macros = `
create temp macro uuid_of(kind, workspace, number) as
  md5(kind || workspace || '/' || number)::uuid::varchar;
create temp macro reading_id_of(moment, record_index) as epoch_ms(moment) * 2097152 + record_index;
create temp macro workspace_of(number) as 'w' || lpad(number::varchar, 4, '0');
create temp macro run_of(day, number) as
  strftime(day, '%Y%m%dT050000Z-') || lpad(number::varchar, 6, '0');
`;

/** The readings of some days: one workspace after another within each day, as loads append them. */
const readings = (workspaces, days, first, last) => `
insert into readings by name
with read_slots as (
  select
    i // ${workspaces * postsEach} as day,
    (i // ${postsEach}) % ${workspaces} as number,
    (i % ${postsEach})::integer as slot
  from range(${first * workspaces * postsEach}, ${last * workspaces * postsEach}) as numbers(i)
),
posts as (
  select
    *,
    slot + ${postsEach} * ((day + slot) // ${daysEach}) as post,
    (day + slot) % ${daysEach} as age,
    workspace_of(number) as workspace,
    slot % ${profilesEach} as profile,
    timestamptz '${newDay} 05:00:00Z' + to_days((day - ${days})::integer) as read_at
  from read_slots
)
select
  workspace,
  uuid_of('post', workspace, post) as linkedin_post_id,
  reading_id_of(read_at + to_milliseconds(number * 100 + profile), slot // ${profilesEach} + 1) as reading_id,
  run_of(read_at, number) as run_id,
  profile + 1 as seq,
  read_at + to_milliseconds(number * 100 + profile) as fetched_at,
  uuid_of('profile', workspace, profile) as profile_id,
  'https://www.linkedin.com/feed/update/urn:li:share:' || hash(workspace, post) as url,
  'Post ' || post || ' of ' || workspace || repeat('. Words that fill a post', 6) as commentary,
  case when post % 5 = 0 then 'Video' else 'Image' end as type,
  read_at - to_days(age::integer) - to_hours(2) as published_at,
  20 + age as like_count,
  post % 7 as comment_count,
  post % 3 as share_count,
  case when profile % 2 = 0 then 5 + age end as click_count,
  case when profile % 2 = 1 then post % 4 end as save_count,
  1000 + 20 * age + post as impression_count,
  (20 + age) / (1000 + 20 * age + post) as engagement,
  (1000 + 20 * age + post) * 0.03 as emv,
  case when post % 5 = 0 then 400 + 8 * age end as video_view_count,
  case when post % 3 = 0 then uuid_of('draft', workspace, post) end as post_id,
  case when post % 3 = 0 then 'Title ' || post end as title,
  case when post % 3 = 0 then [{
    'label_id': 'l' || post % 20, 'name': 'label ' || post % 20, 'color': null, 'background_color': null
  }] end as labels,
  case when post % 3 = 0 then 'c' || post % 10 end as campaign_id,
  case when post % 3 = 0 then 'Campaign ' || post % 10 end as campaign_name
from posts`;

/** The tables that a load derives from readings. Each reading is its day's only one, and no metric turns null. */
const derived = (workspaces, days) => `
insert into linkedin_posts by name
with last as (
  select workspace, linkedin_post_id, min(fetched_at) as first_seen_at, max(reading_id) as reading_id
  from readings
  group by all
)
select
  readings.* exclude (run_id, seq, title, labels, campaign_id, campaign_name, fetched_at),
  last.first_seen_at,
  readings.fetched_at as last_seen_at,
  readings.profile_id as last_profile_id
from readings
join last using (workspace, linkedin_post_id, reading_id)
order by reading_id // 2097152 // 86400000, workspace;
create temp table linked as
select readings.* from readings join linkedin_posts using (workspace, linkedin_post_id, reading_id)
where readings.post_id is not null;
insert into post_details by name
select
  workspace, post_id, reading_id_of(published_at + to_days(1), 0) as reading_id, run_of(published_at, 0) as run_id,
  ${profilesEach} + 1 as seq, published_at + to_days(1) as fetched_at, 'found' as kind, title, 'published' as status,
  ['LinkedIn'] as channels, labels
from linked;
insert into posts by name
select
  workspace, post_id, title, 'published' as status, ['LinkedIn'] as channels, campaign_id, false as has_changed,
  published_at + to_days(1) as detail_fetched_at,
  case when hash(post_id) % 37 = 0 then published_at + to_days(20) end as removed_at
from linked;
insert into post_labels select workspace, post_id, label.label_id
from (select workspace, post_id, unnest(labels) as label from linked);
insert into labels by name
select distinct workspace, label.label_id as label_id, label.name as name
from (select workspace, unnest(labels) as label from linked);
insert into campaigns by name select distinct workspace, campaign_id, campaign_name as name from linked;
insert into webhook_events by name
select
  sha256(post_id) as event_key, 'POST_REMOVED' as type, removed_at as created_at, removed_at as received_at,
  reading_id_of(removed_at, 1) as reading_id, workspace as workspace_slug, workspace, 'applied' as outcome,
  json_object('type', 'POST_REMOVED', 'data', json_object('post', json_object('id', post_id))) as payload,
  { 'post_id': post_id, 'removed_at': strftime(removed_at, '%Y-%m-%dT%H:%M:%SZ') } as post
from posts where removed_at is not null;
create temp table parts as
select
  run_of(read_at, number) as run_id, workspace_of(number) as workspace, 'daily' as job, read_at as started_at,
  read_at + to_minutes(2) as finished_at, 'succeeded' as status, ${profilesEach} as requests, 0 as retries,
  0 as throttled,
  list_transform(range(${profilesEach}), lambda profile: {
    'profile_id': uuid_of('profile', workspace_of(number), profile),
    'name': 'Profile ' || profile, 'cpm': 30.0
  }) as profiles,
  true as is_complete, number
from (
  select timestamptz '${newDay} 05:00:00Z' + to_days((day - ${days})::integer) as read_at, number
  from range(${days}) as days(day) cross join range(${workspaces}) as numbers(number)
);
insert into run_parts by name select * exclude (number) from parts;
create temp table windows as
select
  run_id, workspace, profile_number + 1 as seq, profiles[profile_number + 1].profile_id as profile_id,
  date '1970-01-01' + (epoch(started_at)::bigint // 86400 // ${daysEach} * ${daysEach})::integer as start_date,
  start_date + ${daysEach - 1} as end_date, 'succeeded' as status,
  'succeeded' as outcome, 200 as http_status, 'analytics' as kind, posts as posts_read, posts as records,
  posts as distinct_posts, 0 as rejected, 1 as requests,
  started_at + to_milliseconds(number * 100 + profile_number) as fetched_at
from parts
cross join (
  select i as profile_number, ${Math.floor(postsEach / profilesEach)} + (i < ${postsEach % profilesEach})::integer as posts
  from range(${profilesEach}) as profiles(i)
);
insert into extract_windows by name
select * exclude (outcome, kind, rejected), start_date as first_day, end_date as last_day, 0 as outside from windows;
insert into loaded_responses by name
select workspace, run_id, seq, kind, outcome, fetched_at, requests, posts_read, rejected from windows;
insert into runs by name
select * exclude (workspace, profiles, is_complete, number), ${postsEach} as posts_read, 0 as rejected from parts;
insert into profiles (workspace, profile_id, name, cpm)
select workspace_of(number), uuid_of('profile', workspace_of(number), i), 'Profile ' || i, 30
from range(${workspaces}) as numbers(number) cross join range(${profilesEach}) as profiles(i);
`;

/** Fills the empty warehouse as day by day's loads would have. */
export async function fillWarehouse(path, size) {
  const days = daysOf(size);
  const limits = { memory_limit: '6GB', temp_directory: `${path}.spill` };
  await withDatabase(path, limits, async (connection) => {
    await connection.run(`set TimeZone = 'UTC'; ${macros}`);
    for (let first = 0; first < days; first += daysAtOnce)
      await connection.run(
        readings(size.workspaces, days, first, Math.min(first + daysAtOnce, days)),
      );
    await connection.run(derived(size.workspaces, days));
    await connection.run('checkpoint');
  });
}
