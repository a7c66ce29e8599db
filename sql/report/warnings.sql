-- grain: one finding about loaded data that look wrong and that affect the report
-- key: workspace, profile_id, kind, metric, start_date, end_date
-- reads: data_warnings, linkedin_posts, metrics, report_posts, report_profiles
-- parameters: $timezone, $from, $to
--
-- The filters that make sense for a finding are applied. The days of a window are days of publication, so a period
-- leaves out other windows; a count that fell did so for posts of any day. unlikely_date: posts dated before 2003, or
-- more than a year after they were read, from start_date to end_date; reports treat them as posts without a time.
-- other_workspace: posts whose address a post of another workspace of the report has too, so that they count twice; those of
-- the first workspace are left out. out_of_proportion: posts of the report with a count above a billion, which is as many as LinkedIn has members, or with
-- a tenth of all EMV that is more than 100 times what their impressions earn elsewhere; after is the largest figure.
create or replace temp table report_warnings as
with posts as (
  select
    'unlikely_date' as kind,
    workspace,
    profile_id,
    report_profiles.profile,
    timezone($timezone::varchar, published_at)::date as day,
    last_seen_at
  from linkedin_posts
  join report_profiles using (workspace, profile_id)
  where superseded_by is null and not is_plausible_time(published_at, last_seen_at)
  union all by name
  select 'other_workspace' as kind, workspace, profile_id, profile, published_local::date as day, last_seen_at
  from report_posts
  join (select workspace, linkedin_post_id, address from linkedin_posts) as addresses using (workspace, linkedin_post_id)
  where address is not null
  qualify workspace > min(workspace) over (partition by address)
  union all by name
  select 'out_of_proportion' as kind, * exclude (published_local), published_local::date as day
  from (
    select
      workspace,
      profile_id,
      profile,
      published_local,
      last_seen_at,
      columns('^(video_)?[a-z]+_count$'),
      -- other posts' EMV is not considered
      case when effective_cpm > 100 * usual_cpm and emv > 0.1 * emv_total then try_cast(emv as bigint) end as emv
    from report_posts
    cross join (
      select
        case when count(effective_cpm) >= 5 then median(effective_cpm) end as usual_cpm,
        exact_sum(emv) as emv_total
      from report_posts
    )
    -- nearly all posts are left out here, before a post becomes a row for each of its figures
    where greatest(*columns('^(video_)?[a-z]+_count$')) > 1e9 or effective_cpm > 100 * usual_cpm
  ) unpivot (figure for metric in (columns('^(.*_count|emv)$')))
  where metric = 'emv' or figure > 1e9
),
found as (
  select data_warnings.* replace (report_profiles.profile as profile)
  from data_warnings
  join report_profiles using (workspace, profile_id)
  where data_warnings.kind = 'metric_drop'
    or (
      data_warnings.start_date <= coalesce($to::date, date 'infinity')
      and data_warnings.end_date >= coalesce($from::date, date '-infinity')
    )
  union all by name
  select
    kind,
    workspace,
    profile_id,
    coalesce(any_value(profile), profile_id) as profile,
    metric,
    min(day) as start_date,
    max(day) as end_date,
    max(figure) as after,
    count(*) as posts,
    max(last_seen_at) as seen_at
  from posts
  group by kind, workspace, profile_id, metric
)
select found.*, noun as metric_name, warning_fall(kind, before, after) as fallen_by
from found
left join metrics using (metric);
