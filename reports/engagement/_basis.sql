-- grain: one section: what it rests on
-- key: section
-- reads: report_posts
-- parameters: none
with counted as (
  select
    count(*) as posts,
    count(engagements) as posts_with_both,
    count(distinct (workspace, profile_id)) as profiles,
    count(distinct type) as types,
    count(distinct campaign) as campaigns,
    count(published_local) as posts_with_time
  from report_posts
),
labels as (
  select count(distinct label) as labels
  from (select unnest(labels) as label from report_posts) as labelled
),
bases as (
  select 'by_month' as section, posts_with_both as n, 'post with engagement' as one, 'posts with engagement' as many
  from counted
  union all
  select 'by_profile', profiles, 'profile', 'profiles' from counted
  union all
  select 'by_type', types, 'type', 'types' from counted
  union all
  select 'by_campaign', campaigns, 'campaign', 'campaigns' from counted
  union all
  select 'by_label', labels, 'label', 'labels' from labels
  union all
  select 'by_weekday_hour', posts_with_time, 'post with a time', 'posts with a time' from counted
  union all
  select 'posts', posts, 'post', 'posts' from counted
)
select
  section,
  case when section in ('by_month', 'by_weekday_hour') then 'n = ' else '' end
    || '{n:count} '
    || case when n = 1 then one else many end as text,
  n
from bases
where n > 0
order by section;
