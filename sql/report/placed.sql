-- grain: one post of either period, or of the time before it (report_placed, report_named)
-- key: is_current, workspace, linkedin_post_id
-- reads: report_placed, report_campaigns, report_coverage, report_earlier, report_posts, report_previous, report_settings
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
  campaign,
  labels,
  channels,
  media,
  is_removed,
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
  finite(engagements / nullif(impression_count, 0)) as rate,
  case when type = 'Video' then video_view_count end as views,
  case when type = 'Video' then video_viewer_count end as viewers,
  case when type = 'Video' then video_watch_time_seconds end as watch_time_seconds,
  case when type = 'Video' then media.video_seconds end as video_seconds,
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

-- names: the groups of a post by dimension; '' where its time is not known, and no name where the dimension does not
-- apply. A profile goes by its workspace and id; slot is a weekday and an hour ('1 09' is Monday at 09:00). amounts: what
-- figures add up or divide (figures.sql), by name.
create or replace temp table report_named as
select
  *,
  map {
    'all': [''],
    'all like for like': case when is_like_for_like then [''] else [] end,
    'post': [linkedin_post_id],
    'week': [coalesce(week::varchar, '')],
    'month': [coalesce(month::varchar, '')],
    'quarter': [coalesce(date_trunc('quarter', month)::date::varchar, '')],
    'weekday': case when published_local is null then [] else [isodow(published_local)::varchar] end,
    'hour': case when published_local is null then [] else [hour(published_local)::varchar] end,
    'slot': [strftime(published_local, '%u %H')],
    'kind': [kind_title(kind)],
    'profile': [workspace || ' ' || profile_id],
    'type': [type],
    'campaign': [coalesce(campaign, '(none)')],
    'label': case when len(labels) = 0 then ['(none)'] else labels end,
    'format': formats_of(type, media),
    'channels': case when len(channels) > 0 then [reach_of(channels)] else [] end,
    'length': case when video_seconds > 0 then [length_of(video_seconds)] else [] end
  } as names,
  map {
    'posts': 1::double,
    'impressions': impression_count::double,
    'engagements': engagements,
    'interactions': interactions::double,
    'emv': emv,
    'views': views::double,
    'viewers': viewers::double,
    'watch_time_seconds': watch_time_seconds::double,
    'watchable_seconds': (views * video_seconds)::double
  } as amounts
from report_placed;
