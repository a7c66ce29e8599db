-- grain: one field that could not be read, and the posts of either period that lack it (report_unreadable); one kind of what posts cannot be placed in (unplaced_posts); one pattern for each field (unreadable_reads)
-- key: is_current, field; what; field
-- reads: extract_windows, linkedin_posts, metrics, post_labels, readings, report_candidates, report_figures, report_settings
-- parameters: $campaigns, $labels, $types
--
-- field: a column of report_posts. Those of unplaced_posts: posts that may be of either period and are not counted there,
-- since their time of publication (undated) or what the filters ask for (filtered) could not be read, and those that are in
-- it under no type, campaign or label.
create or replace temp table report_unreadable as
select is_in_period as is_current, field, count(*) as posts
from (
  select is_in_period, unnest(unreadable) as field
  from report_candidates
  where unreadable is not null
    and is_shown
    and (is_in_period or is_in_previous)
)
group by all;

create or replace temp table unplaced_posts as
with posts as (
  select
    known.workspace,
    known.linkedin_post_id,
    known.last_seen_at,
    timezone(settings.timezone, known.published_at)::date as day,
    list_contains(known.unreadable, 'published_at') and known.published_at is null as is_undated,
    list_contains(known.unreadable, 'type') and known.type is null as is_untyped,
    list_has_any(known.unreadable, ['campaign_id', 'post_id']) and posts.campaign_id is null as has_no_campaign,
    list_has_any(known.unreadable, ['labels', 'post_id']) and labelled.post_id is null as has_no_label,
    settings.has_period,
    settings.period_to,
    coalesce(settings.previous_from, settings.period_from) as first_from
  from linkedin_posts as known
  cross join report_settings as settings
  left join posts using (workspace, post_id)
  left join (select distinct workspace, post_id from post_labels) as labelled using (workspace, post_id)
  where known.unreadable is not null
    and known.superseded_by is null
),
-- one that has no time is of the days for which the answer was that had it last, or of the day beside them
spans as (
  select
    posts.*,
    coalesce(day, windows.start_date - 1) as first_day,
    coalesce(day, windows.end_date + 1) as last_day
  from posts
  left join readings
    on posts.day is null
    and readings.workspace = posts.workspace
    and readings.linkedin_post_id = posts.linkedin_post_id
    and readings.fetched_at = posts.last_seen_at
  left join extract_windows as windows
    on windows.workspace = readings.workspace
    and windows.run_id = readings.run_id
    and windows.seq = readings.seq
),
own as (
  select *
  from spans
  where coalesce(first_day <= period_to, true) and coalesce(last_day >= first_from, true)
)
select what, count(*) as posts
from (
  select
    unnest([
      case when is_undated and has_period then 'undated' end,
      case
        when (is_untyped and len($types::varchar[]) > 0)
          or (has_no_campaign and len($campaigns::varchar[]) > 0)
          or (has_no_label and len($labels::varchar[]) > 0)
          then 'filtered'
      end,
      case when is_untyped then 'type' end,
      case when has_no_campaign then 'campaign' end,
      case when has_no_label then 'label' end
    ]) as what
  from own
)
where what is not null
group by what;

-- A figure is made of a field if its name has the words of one that is: `young_emv` is made of `emv`.
create or replace temp table unreadable_reads as
with amounts as (
  select regexp_replace(regexp_replace(metric, '^video_', ''), '_count$', 's') as name, metric as field
  from metrics
  union
  select metric, metric
  from metrics
  union all
  from (values ('interactions', 'interactions'), ('watchable_seconds', 'video_view_count'))
),
ratios as (
  select name, unnest([dividend, divisor]) as amount
  from report_figures
  union all
  from (
    values
      ('effective_cpm', 'emv'),
      ('effective_cpm', 'impressions'),
      ('view_rate', 'views'),
      ('view_rate', 'impressions'),
      ('views_per_viewer', 'viewers'),
      ('seconds_per_view', 'watch_time_seconds'),
      ('seconds_per_view', 'views'),
      ('seconds_per_viewer', 'watch_time_seconds')
  )
),
names as (
  from amounts
  union
  -- what may be a video or not
  select 'videos', 'type'
  union
  select name, 'type'
  from amounts
  join metrics on metric = field and scope = 'video'
  union
  select ratios.name, field
  from ratios
  join amounts on amounts.name = amount
)
select field, '(^|[^a-z])(' || string_agg(name, '|' order by name) || ')($|[^a-z])' as figures
from names
group by field
union all
select 'published_at', '.';
