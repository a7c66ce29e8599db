-- grain: one section: what it rests on
-- key: section
-- reads: report_removed
with counted as (
  select
    count(*) as posts,
    count(distinct (workspace, profile_id)) as profiles,
    count(distinct campaign) as campaigns,
    count(distinct removed_by) as people
  from report_removed
),
bases as (
  select unnest(
    [
      {'section': 'by_month', 'n': posts, 'text': 'n = {n:count} removed {n|post|posts}'},
      {'section': 'by_profile', 'n': profiles, 'text': '{n:count} {n|profile|profiles}'},
      {'section': 'by_campaign', 'n': campaigns, 'text': '{n:count} {n|campaign|campaigns}'},
      {'section': 'by_person', 'n': people, 'text': '{n:count} {n|person|people}'},
      {'section': 'posts', 'n': posts, 'text': '{n:count} {n|post|posts}'}
    ],
    recursive := true
  )
  from counted
)
select section, text, n
from bases
where n > 0
order by section;
