-- grain: at most one moment; one reading by then of a post with values that could not be read; one reading of a post by then; one post of the previous period; the settings' row
-- key: none; workspace, linkedin_post_id, reading_id; workspace, linkedin_post_id; workspace, linkedin_post_id; none
-- reads: report_settings, report_candidates, report_moment, readings, unreadable_posts, emv_prices, report_earlier_readings
-- parameters: $emv_sum
--
-- Young posts still grow. If the period has some, the posts of the previous period are taken at equal age: as they were at
-- the same point of their period, as many days before the newest reading as that period began before this one. Posts
-- published after that moment are left out, and the previous period ends with it. Each metric has its last known value by
-- then. A reading is recent enough if it is at most 2 days older than the moment, or if the post was at least 14 days old
-- at it; a post older than 14 days without such a reading keeps today's figures. If a young post (under 14 days old then)
-- has no such reading, the moment was not covered, and all posts keep today's figures. If all posts of the previous period
-- were published after the moment, nothing is compared. A post of the moment's last day that
-- had not been read by then is left out, since the period has none like it either. Removals are today's.
create or replace temp table report_moment as
select
  timezone(settings.timezone, data_as_of)
    - to_days(date_diff('day', previous_from, period_from)::integer) as moment
from report_settings as settings
where previous_from is not null
  and exists (
    select 1
    from report_candidates
    where is_in_period and is_young and is_shown
  );

create or replace temp table unreadable_earlier as
select readings.*
from readings
semi join unreadable_posts using (workspace, linkedin_post_id)
cross join report_moment
cross join report_settings as settings
where fetched_at <= timezone(settings.timezone, moment) + interval 30 minutes;

create or replace temp table report_earlier_readings as
with due as (
  select workspace, linkedin_post_id, profile_id, published_local, moment
  from report_candidates as candidates
  cross join report_moment
  where is_in_previous and is_shown and published_local <= moment
),
-- arg_max ignores nulls
last_known as (
  select
    workspace,
    linkedin_post_id,
    max(fetched_at) as captured_at,
    timezone(any_value(settings.timezone), captured_at)::date as captured_on,
    arg_max(columns('^(.*_(count|seconds)|engagement|emv)$'), reading_id) as '\0'
  from readings
  join due using (workspace, linkedin_post_id)
  cross join report_settings as settings
  where fetched_at <= timezone(settings.timezone, moment) + interval 30 minutes
  group by workspace, linkedin_post_id
),
judged as (
  select
    due.*,
    last_known.* exclude (workspace, linkedin_post_id) rename (emv as given_emv),
    unreadable_of.unreadable as given_unreadable,
    published_local > moment - interval 14 days as was_young,
    published_local > moment - interval 1 day as was_new,
    coalesce(
      captured_on >= moment::date - 2 or captured_on >= published_local::date + 14,
      false
    ) as is_good_enough
  from due
  left join last_known using (workspace, linkedin_post_id)
  left join unreadable_of('unreadable_earlier') as unreadable_of using (workspace, linkedin_post_id)
),
priced as (
  select
    judged.*,
    emv_of(given_emv, given_unreadable, $emv_sum, replaces) as emv,
    source_of(emv, given_emv, source, replaces) as emv_source,
    lacking_of(given_unreadable, emv_source, prices, replaces) as unreadable
  from judged
  left join emv_prices as pricing
    on pricing.workspace = judged.workspace
    and pricing.profile_id = judged.profile_id
    and coalesce(published_local::date, '-infinity') between first_day and last_day
)
select
  * exclude (profile_id, published_local, given_emv, given_unreadable),
  finite(engagement * impression_count) as engagements,
  -- nulls are left out; beyond 64 bits nothing is known, and no post can stop a report
  try_cast(list_sum(list_value(*columns(lambda name: name in getvariable('_interactions')))) as bigint) as interactions,
  finite(emv * 1000 / impression_count) as effective_cpm
from priced;

create or replace temp table report_settings as
with judged as (
  select
    any_value(moment)::date as moment_day,
    count(*) > 0
      and not bool_or(was_young and not was_new and not is_good_enough) as is_equal_age,
    -- every post of the previous period was published after the moment
    count(*) = 0
      and exists (from report_moment)
      and exists (from report_candidates where is_in_previous and is_shown) as is_too_early
  from report_earlier_readings
)
select settings.* replace (
  coalesce(judged.is_equal_age, false) as is_equal_age,
  is_comparable and not is_too_early as is_comparable,
  case when not is_too_early then previous_from end as previous_from,
  case
    when judged.is_equal_age then least(previous_to, moment_day)
    when not is_too_early then previous_to
  end as previous_to
)
from report_settings as settings
cross join judged;

create or replace temp table report_previous as
with compared as (
  select candidates.* exclude (is_in_period, is_in_previous, is_published_by_end, is_shown)
  from report_candidates as candidates
  cross join report_settings as settings
  where is_in_previous and is_shown and settings.previous_from is not null
),
as_they_were as (
  select
    compared.* not similar to
      '.*_(count|seconds)|engagements?|interactions|emv|emv_source|effective_cpm|unreadable|last_seen_at|is_young|age_days',
    earlier.* similar to
      '.*_(count|seconds)|engagements?|interactions|emv|emv_source|effective_cpm|unreadable',
    earlier.captured_at as last_seen_at,
    earlier.was_young as is_young,
    date_diff('day', published_local::date, earlier.moment::date)::integer as age_days
  from compared
  join report_earlier_readings as earlier using (workspace, linkedin_post_id)
  where earlier.is_good_enough
),
as_they_are as (
  select compared.*
  from compared
  cross join report_settings as settings
  left join report_earlier_readings as earlier using (workspace, linkedin_post_id)
  where not settings.is_equal_age or (not earlier.was_young and not earlier.is_good_enough)
)
select as_they_were.*
from as_they_were
cross join report_settings as settings
where settings.is_equal_age
union all by name
select *
from as_they_are;
