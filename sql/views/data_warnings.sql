-- grain: one suspicious finding in what was loaded, which may be true
-- key: workspace, profile_id, kind, metric, start_date, end_date
-- reads: linkedin_posts, shared_posts, readings, load_settings, posts, profiles, extract_windows, loaded_responses
--
-- The findings cover the last 30 days with readings of each profile:
-- metric_drop     On end_date the sum of a count over the posts that were read was at most half of the sum of their
--                 previous readings, the latest of which was on start_date, and it has not recovered since. Only the
--                 newest such day of a metric is a finding. Removed posts, nulls (values expire) and posts older than a
--                 year are ignored, since LinkedIn gives impressions of the last 12 months only.
-- empty_window    The newest response for these days of publication was empty, although at least 3 posts of these days
--                 are known that were not removed, and no later response has contained them.
-- absent_posts    Posts published from start_date to end_date that later whole answers for their days lack
--                 (linkedin_posts.absent_since). Removed posts and those of an empty_window are left out.
-- superseded_records  Records of posts published from start_date to end_date whose address a record that was read later
--                 has, so that only that one counts.
-- shared_posts    Posts published from start_date to end_date that answers for other profiles that are read have, too. They
--                 count for the profile that had them first.
-- shared_address  Posts published from start_date to end_date whose address a post of another profile that is read has.
--                 Each counts.
-- cut_off_answer  The newest response for a single day had a round number of posts. It may be cut off, and has no halves
--                 that could tell.
-- outside_dates   The newest response for these days had posts of other days, too few to say that the dates were ignored.
-- before and after are the two sums, or the posts known and returned. posts is the number of affected posts,
-- other_profiles the names of the profiles that share them. seen_at is the time at which the response was received.
-- If the session's variable data_warnings_of is set, only its workspaces are considered: DuckDB passes no condition on the
-- view's rows through all the steps below. It stores a view without the words `not materialized`, and holds a step that two
-- others read in memory, so the steps name large tables themselves. A join key written as `key || ''` is compared only in
-- these workspaces; otherwise DuckDB would search the whole table for it first.
create or replace view data_warnings as
with removed as (
  select workspace, post_id
  from posts
  where removed_at is not null
),
counting_posts as (
  select linkedin_posts.*
  from linkedin_posts
  anti join removed using (workspace, post_id)
  where coalesce(list_contains(getvariable('data_warnings_of'), workspace), true)
    and superseded_by is null
    -- a time less an interval takes DuckDB thirty times as long
    and epoch_us(last_seen_at) - epoch_us(coalesce(published_at, first_seen_at)) < 365 * 86_400_000_000
),
-- the records that count, each with the post that it belongs to
counting_records as (
  select
    records.workspace,
    records.linkedin_post_id as record_id,
    posts.linkedin_post_id,
    posts.profile_id
  from linkedin_posts as records
  join counting_posts as posts
    on posts.workspace = records.workspace
    and posts.linkedin_post_id = coalesce(records.superseded_by, records.linkedin_post_id)
),
last_readings as (
  select workspace, profile_id, max(read_at) as read_at
  from (
    select workspace, profile_id, last_seen_at as read_at
    from linkedin_posts
    union all
    select workspace, profile_id, fetched_at as read_at
    from extract_windows
    where status = 'succeeded'
  )
  where coalesce(list_contains(getvariable('data_warnings_of'), workspace), true)
  group by workspace, profile_id
),
-- The largest value that each post has ever had, which takes only one scan of all readings. Few profiles have lost so
-- much of that sum that their single days are worth a second scan.
-- Readings and posts have the counts in one order.
peaks as (
  select workspace, linkedin_post_id, list_value(*columns('^.*_(count|seconds)$')) as highest
  from (
    select
      records.workspace,
      records.linkedin_post_id,
      max(columns('^.*_(count|seconds)$')) as '\0'
    from readings
    join counting_records as records
      on records.workspace = readings.workspace
      and records.record_id = readings.linkedin_post_id || ''
    where coalesce(list_contains(getvariable('data_warnings_of'), readings.workspace), true)
    group by records.workspace, records.linkedin_post_id
  )
),
suspects as (
  select workspace, profile_id
  from (
    select *, list_value(*columns('^.*_(count|seconds)$')) as now
    from counting_posts
  )
  join peaks using (workspace, linkedin_post_id)
  group by workspace, profile_id
  having sum(list_sum(list_transform(
    list_zip(highest, now),
    lambda pair: if(pair[2] <= 0.75 * pair[1], pair[1] - pair[2], 0)
  ))) >= 25
),
suspect_readings as (
  select * exclude (reading_id)
  from (
    select
      records.workspace,
      records.profile_id,
      records.linkedin_post_id,
      readings.reading_id,
      timezone(load_settings.timezone, readings.fetched_at)::date as captured_on,
      readings.fetched_at as captured_at,
      columns('^.*_(count|seconds)$')
    from counting_records as records
    semi join suspects using (workspace, profile_id)
    join readings
      on readings.workspace = records.workspace
      and readings.linkedin_post_id || '' = records.record_id
    cross join load_settings
    where coalesce(list_contains(getvariable('data_warnings_of'), readings.workspace), true)
  )
  unpivot (value for metric in (columns('^.*_(count|seconds)$')))
  -- the last one of each day
  qualify row_number() over (
    partition by workspace, linkedin_post_id, metric, captured_on
    order by reading_id desc
  ) = 1
),
compared_readings as (
  select
    *,
    lag(value) over by_day as value_before,
    lag(captured_on) over by_day as captured_before,
    last_value(value) over (by_day rows between unbounded preceding and unbounded following) as value_now
  from suspect_readings
  window by_day as (
    partition by workspace, linkedin_post_id, metric
    order by captured_on
  )
),
drops as (
  select
    readings.workspace,
    readings.profile_id,
    'metric_drop' as kind,
    readings.metric,
    max(readings.captured_before) as start_date,
    readings.captured_on as end_date,
    sum(readings.value_before) as before,
    sum(readings.value) as after,
    count(*) as posts,
    max(readings.captured_at) as seen_at
  from compared_readings as readings
  where readings.value_before is not null
  group by readings.workspace, readings.profile_id, readings.metric, readings.captured_on
  having sum(readings.value_before) >= 100
    and sum(readings.value) <= 0.5 * sum(readings.value_before)
    and sum(readings.value_now) <= 0.5 * sum(readings.value_before)
  -- the last one of each metric
  qualify row_number() over (
    partition by readings.workspace, readings.profile_id, readings.metric
    order by readings.captured_on desc
  ) = 1
),
last_answers as (
  select windows.*
  from extract_windows as windows
  where status = 'succeeded'
    and coalesce(list_contains(getvariable('data_warnings_of'), workspace), true)
  qualify row_number() over (
    partition by windows.workspace, windows.profile_id, windows.start_date, windows.end_date
    order by windows.fetched_at desc, windows.run_id desc
  ) = 1
),
empty_windows as (
  select
    answers.workspace,
    answers.profile_id,
    'empty_window' as kind,
    answers.first_day as start_date,
    answers.last_day as end_date,
    count(*) as before,
    0 as after,
    count(*) as posts,
    answers.fetched_at as seen_at
  from last_answers as answers
  semi join loaded_responses as responses
    on responses.workspace = answers.workspace
    and responses.run_id = answers.run_id
    and responses.seq = answers.seq
    and responses.posts_read + responses.rejected = 0
  join linkedin_posts as known
    on known.workspace = answers.workspace
    and known.last_profile_id = answers.profile_id
    and timezone('UTC', known.published_at)::date between answers.first_day and answers.last_day
    and known.last_seen_at < answers.fetched_at
    and known.superseded_by is null
  anti join removed
    on removed.workspace = known.workspace
    and removed.post_id = known.post_id
  where answers.posts_read = 0
  group by all
  having count(*) >= 3
),
absent_posts as (
  select
    absent.workspace,
    absent.profile_id,
    'absent_posts' as kind,
    min(absent.published_on) as start_date,
    max(absent.published_on) as end_date,
    count(*) as posts,
    max(absent.absent_since) as seen_at
  from (
    select linkedin_posts.*, timezone('UTC', coalesce(published_at, first_seen_at))::date as published_on
    from linkedin_posts
    anti join removed using (workspace, post_id)
    where coalesce(list_contains(getvariable('data_warnings_of'), workspace), true)
      and absent_since is not null
  ) as absent
  anti join empty_windows as empty
    on empty.workspace = absent.workspace
    and empty.profile_id = absent.profile_id
    and absent.published_on between empty.start_date and empty.end_date
  group by absent.workspace, absent.profile_id
),
superseded_records as (
  select
    workspace,
    profile_id,
    'superseded_records' as kind,
    min(timezone('UTC', coalesce(published_at, first_seen_at))::date) as start_date,
    max(timezone('UTC', coalesce(published_at, first_seen_at))::date) as end_date,
    count(*) as posts,
    max(superseded_at) as seen_at
  from linkedin_posts
  where coalesce(list_contains(getvariable('data_warnings_of'), workspace), true)
    and superseded_by is not null
  group by workspace, profile_id
),
shares as (
  select
    mine.workspace,
    mine.profile_id,
    if(mine.identity = mine.linkedin_post_id, 'shared_posts', 'shared_address') as kind,
    min(timezone('UTC', coalesce(mine.published_at, mine.shared_at))::date) as start_date,
    max(timezone('UTC', coalesce(mine.published_at, mine.shared_at))::date) as end_date,
    count(distinct mine.identity) as posts,
    max(mine.shared_at) as seen_at,
    string_agg(distinct coalesce(profiles.name, others.profile_id), ', ' order by coalesce(profiles.name, others.profile_id))
      as other_profiles
  from shared_posts as mine
  left join shared_posts as others
    on others.workspace = mine.workspace
    and others.identity = mine.identity
    and others.profile_id <> mine.profile_id
  left join profiles
    on profiles.workspace = others.workspace
    and profiles.profile_id = others.profile_id
  where coalesce(list_contains(getvariable('data_warnings_of'), mine.workspace), true)
  group by all
),
odd_answers as (
  select
    workspace,
    profile_id,
    unnest([
      case when reason = 'round_count' and first_day = last_day then {'kind': 'cut_off_answer', 'posts': records} end,
      case when outside > 0 then {'kind': 'outside_dates', 'posts': outside} end
    ], recursive := true),
    first_day as start_date,
    last_day as end_date,
    fetched_at as seen_at
  from last_answers
),
oddities as (
  from drops
  union all by name
  from empty_windows
  union all by name
  from absent_posts
  union all by name
  from superseded_records
  union all by name
  from shares
  union all by name
  from odd_answers
  where kind is not null
)
select
  oddities.kind,
  oddities.workspace,
  oddities.profile_id,
  coalesce(profiles.name, oddities.profile_id) as profile,
  oddities.metric,
  oddities.start_date,
  oddities.end_date,
  try_cast(oddities.before as bigint) as before,
  try_cast(oddities.after as bigint) as after,
  oddities.posts,
  oddities.seen_at,
  oddities.other_profiles
from oddities
join last_readings using (workspace, profile_id)
left join profiles using (workspace, profile_id)
where oddities.seen_at > last_readings.read_at - interval 30 days;
