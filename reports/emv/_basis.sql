-- grain: one section: what it rests on
-- key: section
-- reads: report_posts
-- parameters: none
with counted as (
  select
    count(*) as posts,
    count(emv) as posts_with_emv,
    count(distinct (workspace, profile_id)) as profiles,
    count(distinct type) as types,
    count(distinct campaign) as campaigns
  from report_posts
),
labels as (
  select count(distinct label) as labels
  from (select unnest(labels) as label from report_posts) as labelled
),
bases as (
  select 'by_month' as section, posts_with_emv as n, 'post with EMV' as one, 'posts with EMV' as many
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
  select 'posts', posts, 'post', 'posts' from counted
)
select
  section,
  case when section = 'by_month' then 'n = ' else '' end
    || '{n:count} '
    || case when n = 1 then one else many end as text,
  n
from bases
where n > 0
order by section;
