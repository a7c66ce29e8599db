-- grain: one figure (overview_figures); one span of days (overview_spans); one span and one figure (overview_sums, overview_own_sums); one figure (overview_scorecard); one post of either period (overview_amounts); at most one row (overview_change); one part of the change (overview_parts, overview_findings)
-- key: figure; span, start; span, start, figure; figure; is_current, workspace, linkedin_post_id; none; dimension, name
-- reads: changes_of, own_figures, parts_of_change, price_part, report_coverage, report_earlier, report_figures, report_packed, report_placed, report_posts, report_settings, report_targets, report_thirteen_months, report_unreadable_figures, totals_of, unread_days
--
-- The figures of the scorecard, then those that jobs.yaml names a file for (is_own), over the period, the same days a year before, the 12 months before the period ('average')
-- and the 13 months that end with its last one ('month'). is_read: all days of the span that are over were read of every
-- profile; a period that is open at its beginning has no earlier ones.
create or replace temp table overview_figures as
select *, false as is_own, figure = 'engagement_rate' as is_level
from (
  values
    (1, 'emv', 'EMV', 'money'),
    (2, 'impressions', 'Impressions', 'count'),
    (3, 'engagement_rate', 'Engagement rate', 'rate'),
    (4, 'interactions', 'Interactions', 'count'),
    (5, 'posts', 'Posts', 'count'),
    (6, 'views', 'Video views', 'count'),
    (7, 'watch_time_seconds', 'Watch time', 'duration')
) as figures (position, figure, label, format)
union all
select 7 + row_number() over (order by min(line)), figure, figure, format, true, kind = 'last'
from own_figures
group by figure, format, kind;

create or replace temp table overview_spans as
with ends as (
  select
    *,
    -- whole months are compared with whole months: February with all of February
    case
      when period_months is null then (period_to - interval 1 year)::date
      else (period_to + 1 - interval 1 year)::date - 1
    end as year_before_to
  from report_settings
),
spans as (
  select 'year_before' as span, (period_from - interval 1 year)::date as start, year_before_to as last_day from ends
  union all
  select 'average', (period_from - interval 12 months)::date, period_from - 1 from ends
  union all
  select 'month', month, last_day from report_thirteen_months
)
from spans
where start is not null;

create or replace temp table overview_sums as
with posts as (
  select true as is_own, * from report_posts
  union all by name
  select false as is_own, * from report_earlier
),
sums as (
  select
    span,
    start,
    count(linkedin_post_id) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    exact_sum(case when is_own then emv end) as emv_in_period,
    ratio_to_count(engagements, impression_count) as engagement_rate,
    sum(interactions) as interactions,
    count(*) filter (where type = 'Video') as videos,
    sum(video_view_count) filter (where type = 'Video') as views,
    sum(video_watch_time_seconds) filter (where type = 'Video') as watch_time_seconds,
    flatten(list(unreadable) filter (where unreadable is not null)) as lacking
  from overview_spans as spans
  left join posts on published_local::date between start and last_day
  group by span, start
),
unread as (
  select distinct spans.span, start
  from overview_spans as spans
  join unread_days on unread_days.first_day <= spans.last_day and unread_days.last_day >= spans.start
  where unread_days.span in ('period', 'before', 'earlier')
)
select sums.*, unread.span is null and coalesce(is_read, span = 'month' or latest_beginning is null) as is_read
from sums
cross join report_settings
left join unread using (span, start)
left join report_thirteen_months on sums.span = 'month' and month = start;

-- The figures that the API does not give. Each profile with a figure should have a value of it in a span: of a sum by month
-- one for each month of which the span has a day, of which those count that lie in it whole. is_read: all of them are given.
create or replace temp table overview_own_sums as
with spans as (
  from overview_spans
  union all
  select 'period', period_from, period_to from report_settings
  union all
  select 'previous', calendar_previous_from, calendar_previous_to from report_settings where calendar_previous_from is not null
),
ends as (
  select figure, kind, min(month) as first_month, max(month) as last_month, bool_and(day is null) and kind = 'sum' as is_by_month
  from own_figures
  group by figure, kind
),
of_profiles as (
  select
    span,
    start,
    profiles.figure,
    case ends.kind when 'sum' then exact_sum(value) else arg_max(value, coalesce(day, month)) end as value,
    case when is_by_month then count(value) else least(count(value), 1) end as given,
    case
      when is_by_month then date_diff('month', coalesce(start, any_value(first_month)), coalesce(any_value(spans.last_day), any_value(last_month))) + 1
      -- any number of days may have a value, but none has from before the month in which the values begin
      when ends.kind = 'sum' then greatest(date_diff('month', start, any_value(first_month)), 0) + 1
      else 1
    end as expected
  from spans
  cross join (select distinct figure, workspace, profile_id from own_figures) as profiles
  join ends using (figure)
  left join own_figures as own
    on own.figure = profiles.figure
    and own.profile_id is not distinct from profiles.profile_id
    and own.workspace is not distinct from profiles.workspace
    and coalesce(day, month) >= coalesce(start, '-infinity')
    and coalesce(day, last_day(month)) <= coalesce(spans.last_day, 'infinity')
    and value is not null
  group by span, start, profiles.figure, ends.kind, is_by_month, profiles.workspace, profiles.profile_id
)
select
  span,
  start,
  figure,
  exact_sum(value) as known,
  sum(given)::bigint as given,
  sum(expected)::bigint as expected,
  sum(given) = sum(expected) as is_read
from of_profiles
group by span, start, figure;

create or replace temp table overview_scorecard as
with sums as (
  from overview_sums
  union all by name
  select case when is_current then 'period' else 'previous' end as span, true as is_read, *
  from totals_of('report_sums', 'all')
),
spans as (
  from (
    select
      span,
      start,
      is_read,
      lacking,
      -- each under its own name ('\0'), as doubles, since unpivot takes columns of one type
      columns(['emv', 'impressions', 'engagement_rate', 'interactions', 'posts', 'views', 'watch_time_seconds'])::double as '\0'
    from sums
  )
  unpivot include nulls (known for figure in (columns(* exclude (span, start, is_read, lacking))))
  union all by name
  select span, start, figure, known, is_read
  from overview_own_sums
),
totals as (
  select
    figure,
    any_value(known) filter (where span = 'period') as value,
    bool_and(is_read) filter (where span = 'period') as is_whole,
    any_value(known) filter (where span = 'previous' and is_read) as previous,
    any_value(known) filter (where span = 'year_before' and is_read and not is_spoiled(figure, lacking)) as year_before,
    any_value(known) filter (where span = 'average' and is_read and not is_spoiled(figure, lacking)) as earlier,
    list(case when is_read and not is_spoiled(figure, lacking) then known end order by start) filter (where span = 'month') as trend
  from spans
  group by figure
)
select
  figures.* exclude (format),
  value,
  case when is_whole then target end as target,
  case when not is_whole or elapsed >= 1 then null when figures.is_level then target else target * elapsed end as pace,
  case when is_whole then totals.previous end as previous,
  case when is_whole and totals.previous > 0 then value / totals.previous - 1 end as change,
  -- a sum over 12 months, as much of it as falls into a period of this length; a level has none
  case
    when figure = 'engagement_rate' then earlier
    when figures.is_level then null
    when period_months is not null then earlier * period_months / 12
    else earlier * (period_to - period_from + 1) / (period_from - (period_from - interval 12 months)::date)
  end as average_12_months,
  year_before,
  trend,
  alike.change as change_like_for_like,
  case figure when 'engagement_rate' then 'pp' else 'change' end as change_format,
  format
from overview_figures as figures
join totals using (figure)
cross join report_settings
left join report_targets using (figure)
left join (from changes_of('report_sums', 'like_for_like')) as alike using (figure)
where value is not null;

-- The posts of both periods that have the figure that the document leads with, where its change can be taken apart: a sum that
-- was read of every profile, and of every post, in both periods.
create or replace temp table overview_amounts as
select is_current, workspace, linkedin_post_id, profile, profile_id, campaign, type, day, amount_of(dividend, post) as amount
from report_packed
join report_coverage using (workspace, profile_id)
cross join (from report_figures where name = getvariable('_leading')) as figures
cross join report_settings
where divisor is null
  and report_settings.is_comparable
  and is_current is not null
  and amount is not null
  and not exists (from report_unreadable_figures where figure = getvariable('_leading') and span in ('period', 'previous'));

-- One row: the sums of both periods. None where one of them has no post with the figure.
create or replace temp table overview_change as
select
  count(*) filter (where is_current) as n,
  count(*) filter (where not is_current) as n_before,
  exact_sum(case when is_current then amount end) as now,
  exact_sum(case when not is_current then amount end) as before,
  -- parts are printed to the cent, and add up as printed
  round(now - before, 2) as change
from overview_amounts
having n > 0 and n_before > 0;

-- The change taken apart, a dimension at a time: by the number of posts, their prices and what each brought, and by the largest groups and
-- posts. The parts of a dimension add up to the change.
create or replace temp table overview_parts as
with amounts_by_dimension as (
  select
    is_current,
    amount,
    day,
    unnest([
      {'dimension': 'profile', 'id': workspace || ' ' || profile_id, 'name': profile},
      {'dimension': 'campaign', 'id': coalesce(campaign, '(none)'), 'name': coalesce(campaign, '(none)')},
      {'dimension': 'type', 'id': coalesce(type, '(none)'), 'name': coalesce(type, '(none)')},
      {'dimension': 'post', 'id': workspace || ' ' || linkedin_post_id, 'name': linkedin_post_id}
    ], recursive := true)
  from overview_amounts
),
groups as (
  select
    dimension,
    id,
    any_value(name) as name,
    any_value(day) as day,
    count(*) filter (where is_current) as n,
    count(*) filter (where not is_current) as n_before,
    exact_sum(case when is_current then amount end) as now,
    exact_sum(case when not is_current then amount end) as before,
    round(coalesce(now, 0) - coalesce(before, 0), 2) as part
  from amounts_by_dimension
  group by dimension, id
),
ranked as (
  select
    *,
    row_number() over (partition by dimension order by abs(part) desc, name, id) as rank,
    count(*) over (partition by dimension) as groups
  from groups
),
named as (
  select
    dimension,
    case when rank > 5 then '(others)' else name end as name,
    case when rank <= 5 then id end as id,
    rank <= 1 as is_first,
    any_value(groups) as groups,
    any_value(day) as day,
    sum(n)::bigint as n,
    sum(n_before)::bigint as n_before,
    exact_sum(now) as now,
    exact_sum(before) as before,
    exact_sum(part) as part
  from ranked
  group by all
)
select
  dimension,
  name,
  groups,
  day,
  named.n,
  named.n_before,
  named.now,
  named.before,
  -- the rest of the rounding
  round(
    part + case
      when name = '(others)' or (groups <= 5 and is_first) then change - sum(part) over (partition by dimension)
      else 0
    end,
    2
  ) as part
from named
cross join overview_change
union all by name
select 'what' as dimension, name, n, n_before, now, before, part
from (
  select
    overview_change.*,
    unnest(
      parts_of_change(n, n_before, now, before, case when getvariable('_leading') = 'emv' then price_part() end),
      recursive := true
    )
  from overview_change
)
where part is not null;

-- The sentences of the parts, at most five: the number of posts and what each brought, of each dimension the two largest groups
-- that are a twentieth of the sum before, and the one post that stands alone. Two of the same figures are said once.
create or replace temp table overview_findings as
with figure as (
  select
    name as figure,
    case name when 'emv' then 'money' when 'watch_time_seconds' then 'duration' else 'count' end as format,
    case name
      when 'emv' then '{moved:money}'
      when 'impressions' then '{moved|# impression|# impressions}'
      when 'interactions' then '{moved|# interaction|# interactions}'
      when 'views' then '{moved|# view|# views}'
      when 'watch_time_seconds' then '{moved:duration}'
      else '{moved|# post|# posts}'
    end as moved_text,
    case format when 'money' then '{moved_each:money}' when 'duration' then '{moved_each:duration}' else '{moved_each:count}' end as moved_each_text,
    case format when 'money' then '{now:money}' when 'duration' then '{now:duration}' else '{now:count}' end as now_text,
    case format when 'money' then '{before:money}' when 'duration' then '{before:duration}' else '{before:count}' end as before_text
  from report_figures
  where name = getvariable('_leading')
),
parts as (
  select
    figure,
    format,
    parts.* exclude (n, n_before),
    finite(abs(part) / abs(whole.before)) as weight,
    parts.n,
    parts.n_before,
    moved_text,
    moved_each_text,
    now_text,
    before_text,
    case when part < 0 then '−{moved_text:phrase}' else '+{moved_text:phrase}' end as signed,
    whole.now as all_now,
    whole.before as all_before,
    whole.n as all_n,
    whole.n_before as all_n_before,
    max(part) filter (where parts.dimension = 'what' and name = 'posts') over () as of_posts,
    max(part) filter (where parts.dimension = 'what' and name = 'per_post') over () as of_each
  from overview_parts as parts
  cross join overview_change as whole
  cross join figure
),
said as (
  select
    *,
    case
      when dimension = 'what' and name = 'prices' then
        case when part > 0 then 'Other prices brought {moved_text:phrase}' when part < 0 then 'Other prices took {moved_text:phrase}' end
      when dimension = 'what' then
        case
          when figure = 'posts' or all_before <= 0 or name <> case when abs(of_posts) >= abs(of_each) then 'posts' else 'per_post' end then null
          when all_n = all_n_before and of_each < 0 then 'The number of {counted:phrase} is the same: a lower average took {moved_text:phrase}'
          when all_n = all_n_before then 'The number of {counted:phrase} is the same: a higher average brought {moved_text:phrase}'
          when of_posts < 0 and abs(of_each) < 0.005 * all_before then '{difference|One fewer|# fewer} {counted:phrase} took {moved_text:phrase}'
          when of_posts > 0 and abs(of_each) < 0.005 * all_before then '{difference|One more|# more} {counted:phrase} brought {moved_text:phrase}'
          when of_posts < 0 and of_each < 0
            then '{difference|One fewer|# fewer} {counted:phrase} took {moved_text:phrase}, a lower average per post another {moved_each_text:phrase}'
          when of_posts < 0 then '{difference|One fewer|# fewer} {counted:phrase} took {moved_text:phrase}, a higher average per post brought {moved_each_text:phrase}'
          when of_each < 0 then '{difference|One more|# more} {counted:phrase} brought {moved_text:phrase}, a lower average per post took {moved_each_text:phrase}'
          else '{difference|One more|# more} {counted:phrase} brought {moved_text:phrase}, a higher average per post another {moved_each_text:phrase}'
        end
      when name = '(others)' or groups = 1 then null
      when dimension = 'post' then
        case
          when now >= 3 * all_now / all_n and now >= 0.2 * all_now and all_n >= 5
            then 'One post, of {day:date}, brought {moved_text:phrase}, {share:share} of the total'
          when before >= 3 * all_before / all_n_before and before >= 0.2 * all_before and all_n_before >= 5
            then 'One post, of {day:date}, had brought {moved_text:phrase}, {share:share} of the total then'
        end
      when weight < 0.05 then null
      when n_before = 0 then '{group:phrase} brought {moved_text:phrase}; before, there had been none'
      when n = 0 then '{group:phrase} had brought {moved_text:phrase}; this time there were none'
      else '{group:phrase} account for {signed:phrase}: {now_text:phrase} after {before_text:phrase}'
    end as sentence,
    case
      when name = '(none)' and dimension = 'campaign' then 'Posts without a campaign'
      when name = '(none)' then 'Posts without a type'
      when dimension = 'campaign' then 'Posts of the campaign {name:text}'
      when dimension = 'type' then '{posts_of_type:phrase}'
      else 'Posts of {name:text}'
    end as group,
    case when name ilike '%post' then name || 's' else name || ' posts' end as posts_of_type,
    abs(all_n - all_n_before) as difference,
    case
      when figure in ('views', 'watch_time_seconds') then '{difference|video|videos}'
      when all_n = posts_now and all_n_before = posts_before then '{difference|post|posts}'
      when figure = 'emv' then '{difference|post|posts} with EMV'
      when figure = 'impressions' then '{difference|post|posts} with impressions'
      else '{difference|post|posts} with interactions'
    end as counted,
    case when now is not null then now / all_now else before / all_before end as share
  from parts
  cross join (
    select count(*) filter (where is_current) as posts_now, count(*) filter (where is_current is false) as posts_before from report_placed
  )
),
chosen as (
  select
    *,
    row_number() over (
      partition by sentence is null, dimension
      order by weight desc, name
    ) <= case dimension when 'post' then 1 else 2 end
      and row_number() over (
        partition by sentence is null, coalesce(now, 0), coalesce(before, 0), dimension = 'what', dimension = 'what' and name = 'prices'
        order by case dimension when 'profile' then 1 when 'campaign' then 2 when 'type' then 3 else 4 end
      ) = 1
      and sentence is not null as is_chosen
  from said
)
select
  * exclude (sentence, is_chosen),
  abs(case when dimension = 'what' and name <> 'prices' and of_posts <> 0 then of_posts else part end) as moved,
  abs(of_each) as moved_each,
  case when row_number() over (order by is_chosen desc, weight desc, dimension, name) <= 5 and is_chosen then sentence end as text
from chosen;
