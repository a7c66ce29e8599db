-- grain: one sentence about weeks that are cut, empty or not final
-- key: text
-- reads: engagement_groups, report_posts, report_settings
-- parameters: none
with bounds as (
  select
    isodow(period_from) > 1 as is_cut_before,
    isodow(period_to) < 7 as is_cut_after
  from report_settings
),
young as (
  select count(distinct date_trunc('week', published_local)) as weeks
  from report_posts
  where is_young
),
untimed as (
  select count(*) as posts
  from report_posts
  where published_local is null
),
compared as (
  select count(*) as weeks
  from engagement_groups
  where dimension = 'week' and is_previous
),
facts as (
  select
    1 as position,
    case
      when is_cut_before and is_cut_after then 'The first and the last week are cut by the period.'
      when is_cut_before then 'The first week is cut by the period.'
      else 'The last week is cut by the period.'
    end as text,
    null::bigint as n
  from bounds
  where is_cut_before or is_cut_after
  union all
  select 2, 'Beside each week stands the one that lay as far into the period compared with.', null
  from compared
  where weeks > 0
  union all
  select
    3,
    case when weeks = 1 then 'One week has posts that are not final.'
      else '{n:count} weeks have posts that are not final.' end,
    weeks
  from young
  where weeks > 0
  union all
  select
    4,
    case when posts = 1 then '{n:count} post without a time is left out.'
      else '{n:count} posts without a time are left out.' end,
    posts
  from untimed
  where posts > 0
)
select text, n
from facts
order by position;
