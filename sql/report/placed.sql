-- grain: one post of either period, or of the time before it (report_placed, report_packed, report_named)
-- key: is_current, workspace, linkedin_post_id
-- reads: report_packed, report_placed, report_campaigns, report_coverage, report_earlier, report_posts, report_previous, report_settings
--
-- is_current is true for posts of the report's period, false for those of the comparison period, and null for those of the
-- 12 months before it.
-- Groups of posts are made from these rows. month and week are those that a post of the comparison
-- period has in the report's period; month is null if the two periods do not line up, and each week stands beside that
-- at the same point of the other period.
create or replace temp table report_placed as
with posts as (
  select true as is_current, *
  from report_posts
  union all by name
  select false as is_current, *
  from report_previous
  union all by name
  select null as is_current, *
  from report_earlier
)
select
  is_current,
  workspace,
  profile_id,
  coalesce(posts.profile, profile_id) as profile_name,
  linkedin_post_id,
  kind,
  type,
  commentary,
  campaign,
  labels,
  channels,
  media,
  is_removed,
  unreadable,
  emv_source,
  emv,
  engagement,
  engagements,
  interactions,
  -- without those of videos, whose names have another word
  columns('^[a-z]+_count$'),
  is_young,
  created_at,
  publish_at,
  published_at,
  not report_settings.is_comparable and previous_from is not null and report_coverage.is_comparable as is_like_for_like,
  finite(engagements / impression_count) as rate,
  case when type = 'Video' then video_view_count end as views,
  case when type = 'Video' then video_viewer_count end as viewers,
  case when type = 'Video' then video_watch_time_seconds end as watch_time_seconds,
  case when type = 'Video' then media.video_seconds end as video_seconds,
  formats_of(type, media) as formats,
  reach_of(channels) as reach,
  case when media.video_seconds > 0 and type = 'Video' then length_of(media.video_seconds) end as length,
  published_local,
  published_local::date as day,
  coalesce(
    published_local::date < report_campaigns.start_date or published_local::date > report_campaigns.end_date,
    false
  ) as is_outside_dates,
  case when is_current is not false then published_month else (published_month + to_months(previous_months))::date end as month,
  case
    when is_current is not false then date_trunc('week', published_local)::date
    else date_trunc('week', published_local)::date
      + (date_trunc('week', period_from)::date - date_trunc('week', previous_from)::date)::integer
  end as week
from posts
cross join report_settings
join report_coverage using (workspace, profile_id)
left join report_campaigns using (campaign);

-- The same with each post as one value, `post`, for names_of and amount_of. Given the row itself, DuckDB would plan all of
-- its columns again wherever the macro uses it.
create or replace temp view report_packed as
select *, report_placed as post
from report_placed;

-- The same with all groups and amounts by name, of which a section's own SQL may take any. names_of, amount_of and their
-- names are made of reports/shared.yaml.
create or replace temp view report_named as
select
  * exclude (post),
  map_from_entries(list_transform(dimension_names(), lambda dimension: (dimension, names_of(dimension, post)))) as names,
  map_from_entries(list_transform(amount_names(), lambda name: (name, amount_of(name, post)))) as amounts
from report_packed;
