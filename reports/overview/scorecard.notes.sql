-- grain: one sentence of a list
-- reads: overview_figures, overview_own_sums, overview_scorecard, prices_changed_on, report_posts, report_settings, report_unreadable_figures
select
  'The service does not give: {missing:phrase}.' as text,
  string_agg('{' || figure || ':phrase}', ', ' order by position) as missing,
  any_value(label) filter (where figure = 'emv') as emv,
  any_value(label) filter (where figure = 'impressions') as impressions,
  any_value(label) filter (where figure = 'engagement_rate') as engagement_rate,
  any_value(label) filter (where figure = 'interactions') as interactions,
  any_value(label) filter (where figure = 'views') as views,
  any_value(label) filter (where figure = 'watch_time_seconds') as watch_time_seconds
from overview_figures
anti join overview_scorecard using (figure)
where not is_own
  and exists (from report_posts)
  -- without a video there is nothing to give
  and (position < 6 or exists (from report_posts where type = 'Video'))
  and figure not in (select figure from report_unreadable_figures where span = 'period')
having count(*) > 0
union all by name
select
  case
    when is_equal_age
      then '{young:count} of {posts:count} {posts|post is|posts are} less than 14 days old and still growing; the period before has its figures at the same age.'
    else '{young:count} of {posts:count} {posts|post is|posts are} less than 14 days old and still growing.'
  end as text,
  young,
  posts
from (select nullif(count(*) filter (where is_young), 0) as young, count(*) as posts from report_posts)
cross join report_settings
union all by name
select
  case
    when given = 0 then '{figure:text} is not given for this period.'
    else '{figure:text}: {given:count} of {expected:count} values {given|is|are} given for this period; the figure is of these alone, and is not compared.'
  end as text,
  figure,
  given,
  expected
from overview_own_sums
where span = 'period' and not is_read
union all by name
select
  '{figure:text}: the days that it would be compared with lack values, so it is not compared.' as text,
  figure
from overview_own_sums
join (select figure from overview_own_sums where span = 'period' and is_read) as whole using (figure)
where span = 'previous' and not is_read
union all by name
select
  '{figures:text}: given separately, not by the service.' as text,
  string_agg(label, ', ' order by position) as figures
from overview_scorecard
where is_own
having count(*) > 0
union all by name
select 'The average is of the 12 months before, per period of this length.' as text
from overview_scorecard
having count(average_12_months) > 0
  -- a year has no column of it, since the year before is all that it would say
  and bool_or(coalesce(abs(average_12_months - previous) > 1e-9 * abs(previous), (previous is null) <> (average_12_months is null)))
union all by name
select 'The 12 months before were not read whole, so there is no average of them.' as text
from report_settings
where period_from is not null and not is_year_read
union all by name
select
  'The prices changed on {day:date}: the target of EMV is for posts that are not priced alike.' as text,
  prices_changed_on() as day
from overview_scorecard
where figure = 'emv' and target is not null and prices_changed_on() is not null;
