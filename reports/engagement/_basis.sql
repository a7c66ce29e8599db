-- grain: one section: what it rests on
-- key: section
-- reads: report_posts, engagement_groups, engagement_labels
-- parameters: $minimum_impressions
with counted as (
  select
    count(*) as posts,
    count(*) filter (where impression_count <> 0 and engagements is not null) as rated,
    count(distinct (workspace, profile_id)) as profiles,
    count(distinct type) as types,
    count(distinct campaign) as campaigns,
    count(published_local) filter (where impression_count <> 0 and engagements is not null) as timed,
    count(*) filter (
      where impression_count >= $minimum_impressions::bigint and impression_count <> 0 and engagements is not null
    ) as judged
  from report_posts
),
labels as (
  select count(*) filter (where is_compared) as compared, count(*) as labels
  from engagement_labels
  where label <> '(none)'
),
weeks as (
  select count(*) as weeks
  from engagement_groups
  where dimension = 'week' and not is_previous
),
bases as (
  select 'by_month' as section, rated as n, 'n = {n:count} post with a rate' as one,
    'n = {n:count} posts with a rate' as many
  from counted
  union all
  select 'weekly', weeks, '{n:count} week with posts', '{n:count} weeks with posts' from weeks
  union all
  select 'by_profile', profiles, '{n:count} profile', '{n:count} profiles' from counted
  union all
  select 'by_type', rated, 'n = {n:count} post', 'n = {n:count} posts' from counted
  union all
  select 'by_campaign', campaigns, '{n:count} campaign', '{n:count} campaigns' from counted
  union all
  select
    'by_label',
    case when compared > 0 then compared else labels end,
    case when compared > 0 then '{n:count} label with 10 posts or more' else '{n:count} label' end,
    case when compared > 0 then '{n:count} labels with 10 posts or more' else '{n:count} labels' end
  from labels
  union all
  select
    'by_weekday_hour',
    timed,
    'n = {n:count} post, hour of publication',
    'n = {n:count} posts, hour of publication'
  from counted
  union all
  select 'mix', posts, 'n = {n:count} post, pages and members apart',
    'n = {n:count} posts, pages and members apart'
  from counted
  union all
  select 'top_and_bottom', judged, 'of {n:count} post', 'of {n:count} posts' from counted
  union all
  select 'posts', posts, '{n:count} post', '{n:count} posts' from counted
  union all
  select 'summary', posts, 'n = {n:count} post', 'n = {n:count} posts' from counted
  union all
  select 'left_out', posts, 'beside {n:count} post', 'beside {n:count} posts' from counted
)
select section, case when n = 1 then one else many end as text, n
from bases
where n > 0
order by section;
