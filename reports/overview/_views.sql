-- grain: one figure (overview_figures); one span of days and one figure (overview_sums); one figure (overview_scorecard)
-- key: figure; span, start, figure; figure
-- reads: changes_of, compared_pairs, findings_of, goal_of, ranked_sums, report_earlier, report_figures, report_packed, report_posts, report_settings, report_targets, report_thirteen_months, report_unreadable_figures, totals_of, unread_days
--
-- The figures of the scorecard, over the period, the same days a year before, the 12 months before the period ('average')
-- and the 13 months that end with its last one ('month'). is_read: all days of the span that are over were read of every
-- profile; a period that is open at its beginning has no earlier ones.
create or replace temp table overview_figures as
select *
from (
  values
    (1, 'emv', 'EMV', 'money'),
    (2, 'impressions', 'Impressions', 'count'),
    (3, 'engagement_rate', 'Engagement rate', 'rate'),
    (4, 'interactions', 'Interactions', 'count'),
    (5, 'posts', 'Posts', 'count'),
    (6, 'views', 'Video views', 'count'),
    (7, 'watch_time_seconds', 'Watch time', 'duration')
) as figures (position, figure, label, format);

create or replace temp table overview_sums as
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
),
posts as (
  from report_posts
  union all by name
  from report_earlier
),
sums as (
  select
    span,
    start,
    count(linkedin_post_id) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    ratio_to_count(engagements, impression_count) as engagement_rate,
    sum(interactions) as interactions,
    sum(video_view_count) filter (where type = 'Video') as views,
    sum(video_watch_time_seconds) filter (where type = 'Video') as watch_time_seconds,
    flatten(list(unreadable) filter (where unreadable is not null)) as lacking
  from spans
  left join posts on published_local::date between start and last_day
  group by span, start
),
unread as (
  select distinct spans.span, start
  from spans
  join unread_days on unread_days.first_day <= spans.last_day and unread_days.last_day >= spans.start
  where unread_days.span in ('period', 'before', 'earlier')
)
select sums.*, unread.span is null and coalesce(is_read, span = 'month' or latest_beginning is null) as is_read
from sums
cross join report_settings
left join unread using (span, start)
left join report_thirteen_months on sums.span = 'month' and month = start
where start is not null;

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
),
totals as (
  select
    figure,
    any_value(known) filter (where span = 'period') as value,
    any_value(known) filter (where span = 'previous') as previous,
    any_value(known) filter (where span = 'year_before' and is_read and not is_spoiled(figure, lacking)) as year_before,
    any_value(known) filter (where span = 'average' and is_read and not is_spoiled(figure, lacking)) as earlier,
    list(case when is_read and not is_spoiled(figure, lacking) then known end order by start) filter (where span = 'month') as trend
  from spans
  group by figure
)
select
  figures.* exclude (format),
  value,
  target,
  case when elapsed < 1 then case when figure = 'engagement_rate' then target else target * elapsed end end as pace,
  totals.previous,
  case when totals.previous > 0 then value / totals.previous - 1 end as change,
  -- a sum over 12 months, as much of it as falls into a period of this length
  case
    when figure = 'engagement_rate' then earlier
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

-- What the scorecard's main figures did since the comparison period (span: 'before'), or, where that or the period has too few
-- posts, beside the 12 months before ('year'), of a sum as much as falls into a period of this length. Posts that still
-- grow make no fall beside older ones. rises and falls: clearly, whichever single post of either side is left out. hangs:
-- clearly, but not at all without the best post of the higher side.
create or replace temp table overview_changes as
with posts as (
  select
    case is_current when true then 'own' when false then 'before' else 'year' end as span,
    is_young,
    figures.name as figure,
    amount_of(dividend, post)
      * case
        when is_current is not null or divisor is not null then 1
        when period_months is not null then period_months / 12
        else (period_to - period_from + 1) / (period_from - (period_from - interval 12 months)::date)
      end as a,
    case when divisor is null then 0 else amount_of(divisor, post) end as b,
    divisor is null as is_sum
  from report_packed
  cross join (from report_figures where name in ('emv', 'engagement_rate', 'views')) as figures
  cross join report_settings
  anti join report_unreadable_figures as unreadable
    on unreadable.figure = figures.name
    and unreadable.span in ('period', case is_current when true then 'period' when false then 'previous' else 'earlier' end)
  where a is not null
    and b is not null
    and case
      when is_current is null then day >= (period_from - interval 12 months)::date and is_year_read
      else is_current or is_comparable
    end
),
sums as (
  select span, figure, is_sum, count(*) as posts, bool_or(is_young) as has_young, exact_sum(a) as a, exact_sum(b) as b
  from posts
  group by span, figure, is_sum
),
spans as (
  select
    span,
    figure,
    any_value(is_sum) as is_sum,
    any_value(sums.posts) as posts,
    any_value(has_young) as has_young,
    any_value(sums.a / case when is_sum then 1 else nullif(sums.b, 0) end) as total,
    min((sums.a - posts.a) / case when is_sum then 1 else nullif(sums.b - posts.b, 0) end) as without_best,
    -- a sum is largest with all of its posts
    greatest(total, max((sums.a - posts.a) / case when is_sum then 1 else nullif(sums.b - posts.b, 0) end)) as without_worst
  from posts
  join sums using (span, figure, is_sum)
  group by span, figure
)
select
  figure,
  earlier.span,
  own.total as now,
  earlier.total as before,
  is_clearly_more(now, before, figure) as is_more,
  is_clearly_more(before, now, figure) and not (own.has_young and earlier.span = 'year') as is_less,
  is_clearly_more(own.without_best, earlier.without_worst, figure) as rises,
  is_less and is_clearly_more(earlier.without_best, own.without_worst, figure) as falls,
  (is_more and own.without_best <= before) or (is_less and earlier.without_best <= now) as hangs
from spans as own
join spans as earlier using (figure)
where own.span = 'own'
  and earlier.posts >= 10
  and earlier.span <> 'own'
  -- the rate of few posts says less than their sum
  and own.posts >= case when own.is_sum then 1 when earlier.span = 'year' then 5 else 10 end
  and before > 0
  and now > 0
qualify earlier.span = min(earlier.span) over (partition by figure);

create or replace temp table overview_compared as
from compared_pairs([
  {'dimension': 'type', 'figure': 'emv'},
  {'dimension': 'label', 'figure': 'emv'},
  {'dimension': 'type', 'figure': 'engagement_rate'},
  {'dimension': 'label', 'figure': 'engagement_rate'},
  {'dimension': 'weekday', 'figure': 'engagement_rate'},
  {'dimension': 'label', 'figure': 'views'}
]);

-- What stands out, each with a weight, by which the first five are kept. Their order is what the weights are for: a clear
-- change of EMV or of the rate (0.6 and more), a target (0.3 and more, by how far it was passed or missed), views (0.3 to
-- 0.45), and at most 0.3 for groups, campaigns and a single post. text is a sentence with placeholders for the other columns.
create or replace temp table overview_findings as
with figures as (
  select
    *,
    case
      when figure in ('emv', 'impressions') then 'emv'
      when figure in ('views', 'watch_time_seconds') then 'video'
      else 'engagement'
    end as report,
    case figure when 'engagement_rate' then 'The engagement rate' else label end as subject,
    case format when 'money' then '{now:money}' when 'rate' then '{now:rate}' else '{now:count}' end as now_text,
    value / nullif(target, 0) as reached,
    goal_of(figure, target, elapsed) as goal
  from overview_scorecard
  left join (select figure, elapsed from report_targets) using (figure)
),
changes as (
  select
    report,
    replace(now_text, 'now', 'before') as before_text,
    case
      when not hangs then ''
      when now > before then ', because of one post alone'
      else ', because of one post of that time alone'
    end as reason,
    figure = 'engagement_rate' or is_from_little(now / before - 1) as is_from_to,
    case
      when is_from_to and now > before
        then '{subject:phrase} rose from {before_text:phrase} in {comparison:phrase} to {now_text:phrase}{reason:phrase}{goal:phrase}'
      when is_from_to
        then '{subject:phrase} fell from {before_text:phrase} in {comparison:phrase} to {now_text:phrase}{reason:phrase}{goal:phrase}'
      when now > before
        then '{subject:phrase} rose by {distance:share} from {comparison:phrase}, to {now_text:phrase}{reason:phrase}{goal:phrase}'
      else '{subject:phrase} fell by {distance:share} from {comparison:phrase}, to {now_text:phrase}{reason:phrase}{goal:phrase}'
    end as text,
    -- beyond 4.5 times as much, or as little, one change weighs as much as another
    least(abs(ln(now / before)), 1.5) as steps,
    -- views are of videos alone: they come before groups, and after every change of another figure
    case when figure = 'views' then 0.3 + 0.1 * steps else 0.5 + steps end as weight,
    figures.* exclude (report),
    now,
    before,
    abs(now / before - 1) as distance,
    hangs,
    case
      when span = 'before' then comparison
      when figure = 'engagement_rate' then 'the 12 months before'
      else 'the average of the 12 months before'
    end as comparison
  from overview_changes
  join figures using (figure)
  cross join report_settings
  where rises or falls or hangs
),
targets as (
  select
    report,
    '{subject:phrase} reached {now_text:phrase}{goal:phrase}' as text,
    -- a target that was just met comes where the groups begin, one that was missed or passed by far among the changes
    0.3 + least(abs(reached - 1), 1) as weight,
    figures.* exclude (report),
    value as now
  from figures
  where target is not null
    and figure not in (select figure from changes)
    and figure not in (select figure from report_unreadable_figures where span = 'period')
),
groups as (
  select
    case figure when 'emv' then 'emv' when 'views' then 'video' else 'engagement' end as report,
    * exclude (figure, dimension, is_finding),
    -- a group explains a figure, so it never comes before one; 2.7 times as much as others is the most that counts
    0.3 * least(abs(ln(factor)), 1) as weight
  from findings_of('overview_compared')
  -- of each report and dimension what differs most
  qualify row_number() over (partition by figure, dimension order by weight desc, name) = 1
),
largest as (
  select max(emv) as largest, median(emv) as middle, exact_sum(emv) as emv, count(emv) as posts, min(emv) as least
  from report_posts
),
outliers as (
  select
    'emv' as report,
    'One post earned {largest:money}, {times:decimal} times as much as the median post and {emv_share:share} of the EMV' as text,
    -- a post of a tenth of all EMV weighs 0.12, and one that earned all of it as much as the clearest group
    0.1 + 0.2 * largest / emv as weight,
    largest,
    largest / middle as times,
    largest / emv as emv_share
  from largest
  where posts >= 10 and least >= 0 and middle > 0 and largest >= 3 * middle and largest >= 0.1 * emv
    and 'emv' not in (select figure from report_unreadable_figures where span = 'period')
),
campaigns as (
  select
    'campaigns' as report,
    '{campaign:text} leads the campaigns with {emv:money}, {emv_share:share} of the EMV of all posts' as text,
    -- a campaign that earned all EMV weighs as much as the clearest group
    0.3 * share as weight,
    name as campaign,
    total as emv,
    share as emv_share
  from ranked_sums('campaign', 'emv')
  where rank = 1 and groups > 1 and leads and share >= 0.1
)
from changes
union all by name
from targets
union all by name
from groups
union all by name
from outliers
union all by name
from campaigns
order by weight desc, text
limit 5;
