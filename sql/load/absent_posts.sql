-- grain: a LinkedIn post that answers lack since another time than was known, or that they have again
-- key: workspace, linkedin_post_id
-- reads: new_parts, derived_profiles, linkedin_posts, extract_windows
-- parameters: none
--
-- Returns how many posts they lack since another time.
--
-- Requests ask for dates without a time zone, so a post is under one of three dates of the request that last had it. It
-- is absent since later answers of that profile that prove each of these dates lacked it. One with a round number of records
-- may be cut off, and shows that of no post.
create or replace temp table answered_profiles as
select workspace, profile_id
from extract_windows
semi join new_parts using (run_id, workspace)
union
from derived_profiles;

create or replace temp table whole_answers as
select workspace, profile_id, first_day, last_day, fetched_at
from extract_windows
semi join answered_profiles using (workspace, profile_id)
where status = 'succeeded'
  and reason is distinct from 'round_count';

create or replace temp table answered_dates as
select
  workspace,
  profile_id,
  first_day,
  last_day,
  max(fetched_at) as newest_at,
  unnest(generate_series(first_day, last_day, interval 1 day))::date as date
from whole_answers
group by workspace, profile_id, first_day, last_day;

-- Of those that were not absent, only the posts with a later answer for the first of their dates can be.
create or replace temp table judged_posts as
with posts as (
  select
    linkedin_posts.workspace,
    last_profile_id as profile_id,
    linkedin_post_id,
    last_seen_at,
    absent_since,
    -- This is the day in UTC. timezone('UTC', …) takes twenty times as long.
    make_timestamp(epoch_us(published_at))::date as day
  from linkedin_posts
  semi join answered_profiles as answered
    on answered.workspace = linkedin_posts.workspace
    and answered.profile_id = last_profile_id
  where superseded_by is null
),
requests as (
  select workspace, profile_id, fetched_at as last_seen_at, min(start_date) as first_date, max(end_date) as last_date
  from extract_windows
  group by workspace, profile_id, fetched_at
),
bounded as (
  select
    posts.*,
    -- a post that was published on other days may be under any date of the request; greatest and least ignore nulls
    if(day not between first_date - 1 and last_date + 1, null, day) as known_day,
    greatest(first_date, known_day - 1) as from_date,
    least(last_date, known_day + 1) as to_date
  from posts
  left join requests using (workspace, profile_id, last_seen_at)
),
newest_answers as (
  select workspace, profile_id, date, max(newest_at) as newest_at
  from answered_dates
  group by workspace, profile_id, date
)
select
  bounded.workspace,
  bounded.profile_id,
  linkedin_post_id,
  last_seen_at,
  unnest(generate_series(from_date, to_date, interval 1 day))::date as date
from bounded
left join newest_answers as newest
  on newest.workspace = bounded.workspace
  and newest.profile_id = bounded.profile_id
  and newest.date = bounded.from_date
where newest.newest_at > bounded.last_seen_at
  or bounded.absent_since is not null;

create or replace temp table absent_posts as
with missed_dates as (
  select
    judged.workspace,
    judged.linkedin_post_id,
    judged.date,
    min(answers.fetched_at) filter (where answers.fetched_at > judged.last_seen_at) as missed_at
  from judged_posts as judged
  left join answered_dates as ranges
    on ranges.workspace = judged.workspace
    and ranges.profile_id = judged.profile_id
    and ranges.date = judged.date
    and ranges.newest_at > judged.last_seen_at
  left join whole_answers as answers
    on answers.workspace = ranges.workspace
    and answers.profile_id = ranges.profile_id
    and answers.first_day = ranges.first_day
    and answers.last_day = ranges.last_day
  group by judged.workspace, judged.linkedin_post_id, judged.date
),
now as (
  select
    workspace,
    linkedin_post_id,
    case when count(missed_at) = count(*) then max(missed_at) end as absent_since
  from missed_dates
  group by workspace, linkedin_post_id
)
select now.*
from now
join linkedin_posts as known using (workspace, linkedin_post_id)
where now.absent_since is distinct from known.absent_since;

update linkedin_posts
set absent_since = absent.absent_since
from absent_posts as absent
where linkedin_posts.workspace = absent.workspace
  and second_key(linkedin_posts.linkedin_post_id) = absent.linkedin_post_id;

select count(absent_since) as absent
from absent_posts;
