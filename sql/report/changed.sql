-- grain: one figure of an earlier period that is no longer what the client was sent, by at least 1%
-- key: report, period, figure
-- reads: report_candidates, report_sent, report_settings
-- parameters: $sent_reports, $sent_from, $sent_to, $sent_at, $sent_figures, $sent_values, $sent_repriced
--
-- What was sent stands in the records of mails: it was the truth of then, whatever readings and prices say of that time now.
-- Of several mails of the same days the last one counts. Figures of a report are those that it is about.
create or replace temp table report_sent as
with given as (
  select
    unnest($sent_reports::varchar[]) as report,
    unnest($sent_from::varchar[])::date as sent_from,
    unnest($sent_to::varchar[])::date as sent_to,
    unnest($sent_at::varchar[])::timestamptz as sent_at,
    unnest($sent_figures::varchar[]) as figure,
    unnest($sent_values::varchar[])::double as sent,
    -- its prices are no longer those of today
    unnest($sent_repriced::varchar[])::boolean as is_repriced
)
select
  report,
  sent_from,
  sent_to,
  figure,
  max(sent_at) as sent_at,
  arg_max(sent, sent_at) as sent,
  arg_max(is_repriced, sent_at) as is_repriced
from given
cross join report_settings
where sent_to < period_from and cpm is null and as_of is null
group by report, sent_from, sent_to, figure;

create or replace temp view report_changed as
with spans as (
  select distinct sent_from, sent_to from report_sent
),
sums as (
  select
    sent_from,
    sent_to,
    exact_sum(emv) as emv,
    ratio_to_count(engagements, impression_count) as engagement_rate,
    (sum(video_view_count) filter (where type = 'Video'))::double as views,
    coalesce(bool_or(emv_source <> 'api'), false) as is_priced,
    flatten(list(unreadable) filter (where unreadable is not null)) as lacking
  from spans
  join report_candidates on published_local::date between sent_from and sent_to
  where not is_removed
  group by sent_from, sent_to
),
figures as (
  unpivot sums on emv, engagement_rate, views into name figure value now
),
-- a figure that could not be read of some posts has no change
compared as (
  select report, sent_from, sent_to, sent_at, figure, sent, now, is_repriced and is_priced as is_repriced
  from report_sent
  join figures using (sent_from, sent_to, figure)
  where not is_spoiled(figure, lacking)
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
  case when figure = 'emv' and is_repriced then 'other prices' end as because,
  case figure when 'emv' then 'money' when 'views' then 'count' else 'rate' end as format
from compared
where (report = 'overview' or (report, figure) in (('emv', 'emv'), ('engagement', 'engagement_rate'), ('video', 'views')))
  and abs(change) >= 0.01;
