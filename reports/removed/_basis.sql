-- grain: one section: what it rests on
-- key: section
-- reads: report_removed
-- parameters: none
with counted as (
  select
    count(*) as posts,
    count(distinct (workspace, profile_id)) as profiles,
    count(distinct campaign) as campaigns,
    count(distinct removed_by) as people
  from report_removed
),
bases as (
  select 'by_month' as section, posts as n, 'removed post' as one, 'removed posts' as many
  from counted
  union all
  select 'by_profile', profiles, 'profile', 'profiles' from counted
  union all
  select 'by_campaign', campaigns, 'campaign', 'campaigns' from counted
  union all
  select 'by_person', people, 'person', 'people' from counted
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
