-- grain: one section: what it rests on
-- key: section
-- reads: report_posts, engagement_groups, engagement_labels
-- parameters: $minimum_impressions
with posts as (
  select
    count(*) as posts,
    count(*) filter (where impression_count <> 0 and engagements is not null) as rated,
    count(distinct (workspace, profile_id)) as profiles,
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
  where dimension = 'week'
),
bases as (
  select unnest(
    [
      {'section': 'by_month', 'n': rated, 'text': 'n = {n:count} {n|post|posts} with a rate'},
      {'section': 'weekly', 'n': weeks, 'text': '{n:count} {n|week|weeks} with posts'},
      {'section': 'by_profile', 'n': profiles, 'text': '{n:count} {n|profile|profiles}'},
      {'section': 'by_type', 'n': rated, 'text': 'n = {n:count} {n|post|posts}'},
      {'section': 'by_campaign', 'n': campaigns, 'text': '{n:count} {n|campaign|campaigns}'},
      {
        'section': 'by_label',
        'n': case when compared > 0 then compared else labels end,
        'text': '{n:count} {n|label|labels}' || case when compared > 0 then ' with 10 posts or more' else '' end
      },
      {'section': 'by_weekday_hour', 'n': timed, 'text': 'n = {n:count} {n|post|posts}'},
      {'section': 'mix', 'n': posts, 'text': 'n = {n:count} {n|post|posts}'},
      {'section': 'top_and_bottom', 'n': judged, 'text': 'out of {n:count} {n|post|posts}'},
      {'section': 'posts', 'n': posts, 'text': '{n:count} {n|post|posts}'},
      {'section': 'summary', 'n': posts, 'text': 'n = {n:count} {n|post|posts}'},
      {'section': 'left_out', 'n': posts, 'text': '{n:count} {n|post|posts} in the report'}
    ],
    recursive := true
  )
  from posts
  cross join labels
  cross join weeks
)
select section, text, n
from bases
where n > 0
order by section;
