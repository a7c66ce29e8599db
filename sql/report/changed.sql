-- grain: one figure of an earlier period that is no longer what the client was sent, by at least 1%
-- key: report, period, figure
-- reads: profiles, readings, report_candidates, report_sent, report_settings
-- parameters: $sent_reports, $sent_from, $sent_to, $sent_at
--
-- Of several mails of the same days the last one counts. As sent: the last values that were known then, without the posts
-- that were removed by then. Figures of a report are those that it is about.
create or replace temp table report_sent as
with given as (
  select
    unnest($sent_reports::varchar[]) as report,
    unnest($sent_from::varchar[])::date as sent_from,
    unnest($sent_to::varchar[])::date as sent_to,
    unnest($sent_at::varchar[])::timestamptz as sent_at
)
select report, sent_from, sent_to, max(sent_at) as sent_at
from given
cross join report_settings
where sent_to < period_from and cpm is null and as_of is null
group by report, sent_from, sent_to;

create or replace temp view report_changed as
with posts as (
  select *
  from report_sent
  join report_candidates on published_local::date between sent_from and sent_to
),
-- arg_max ignores nulls
as_sent as (
  select
    posts.sent_at,
    posts.workspace,
    posts.linkedin_post_id,
    arg_max(columns('^(impression_count|engagement|emv|video_view_count)$'), reading_id) as '\0'
  from readings
  join (select distinct sent_at, workspace, linkedin_post_id from posts) as posts
    on posts.workspace = readings.workspace and posts.linkedin_post_id = readings.linkedin_post_id and fetched_at <= posts.sent_at
  group by posts.sent_at, posts.workspace, posts.linkedin_post_id
),
valued as (
  select
    posts.* replace (
      as_sent.impression_count as impression_count,
      as_sent.video_view_count as video_view_count,
      finite(as_sent.engagement * as_sent.impression_count) as engagements,
      emv_of(as_sent.emv, as_sent.impression_count, profiles.cpm, null) as emv
    ),
    false as is_now
  from posts
  join as_sent using (sent_at, workspace, linkedin_post_id)
  left join profiles using (workspace, profile_id)
  where removed_at is null or removed_at > sent_at
  union all by name
  select *, true as is_now
  from posts
  where not is_removed
),
sums as (
  select
    report,
    sent_from,
    sent_to,
    sent_at,
    is_now,
    exact_sum(emv) as emv,
    ratio_to_count(engagements, impression_count) as engagement_rate,
    (sum(video_view_count) filter (where type = 'Video'))::double as views,
    flatten(list(unreadable) filter (where unreadable is not null)) as lacking
  from valued
  group by all
),
figures as (
  unpivot sums on emv, engagement_rate, views into name figure value value
),
-- a figure that could not be read of some posts has no change
compared as (
  select
    report,
    sent_from,
    sent_to,
    sent_at,
    figure,
    any_value(value) filter (where not is_now) as sent,
    any_value(value) filter (where is_now) as now
  from figures
  where not is_spoiled(figure, lacking)
  group by report, sent_from, sent_to, sent_at, figure
)
select
  report,
  case
    when sent_from = date_trunc('year', sent_from) and sent_to + 1 = sent_from + interval 1 year then strftime(sent_from, '%Y')
    when sent_from = date_trunc('quarter', sent_from) and sent_to + 1 = sent_from + interval 3 months
      then strftime(sent_from, '%Y') || '-Q' || quarter(sent_from)
    when sent_from = date_trunc('month', sent_from) and sent_to + 1 = sent_from + interval 1 month then strftime(sent_from, '%Y-%m')
    else sent_from::varchar || '_' || sent_to::varchar
  end as period,
  figure,
  case figure when 'emv' then 'EMV' when 'views' then 'Video views' else 'Engagement rate' end as label,
  sent_at,
  sent,
  now,
  finite(now / sent - 1) as change,
  case figure when 'emv' then 'money' when 'views' then 'count' else 'rate' end as format
from compared
where (report = 'overview' or (report, figure) in (('emv', 'emv'), ('engagement', 'engagement_rate'), ('video', 'views')))
  and abs(change) >= 0.01;
