-- grain: one section of a list: its basis
-- key: section
-- reads: report_posts, engagement_groups, engagement_labels
-- parameters: $minimum_impressions
with posts as (
  select
    nullif(count(*), 0) as posts,
    nullif(count(rate), 0) as rated,
    nullif(count(distinct (workspace, profile_id)), 0) as profiles,
    nullif(count(distinct campaign), 0) as campaigns,
    nullif(count(published_local) filter (where rate is not null), 0) as timed,
    nullif(count(rate) filter (where media is not null), 0) as with_files,
    nullif(count(rate) filter (where len(channels) > 0), 0) as with_channels,
    nullif(count(rate) filter (where impression_count >= $minimum_impressions::bigint), 0) as judged
  from (select *, engagements / nullif(impression_count, 0) as rate from report_posts)
),
labels as (
  select nullif(count(*) filter (where is_compared), 0) as compared, nullif(count(*), 0) as labels
  from engagement_labels
  where label <> '(none)'
),
weeks as (
  select nullif(count(*), 0) as weeks
  from engagement_groups
  where dimension = 'weekly'
)
select
  unnest(
    [
      {'section': 'by_month', 'text': 'n = {rated:count} {rated|post|posts} with a rate'},
      {'section': 'weekly', 'text': '{weeks:count} {weeks|week|weeks} with posts'},
      {'section': 'by_profile', 'text': '{profiles:count} {profiles|profile|profiles}'},
      {'section': 'by_type', 'text': 'n = {rated:count} {rated|post|posts}'},
      {'section': 'by_campaign', 'text': '{campaigns:count} {campaigns|campaign|campaigns}'},
      {
        'section': 'by_label',
        'text': case
          when compared > 0 then '{compared:count} {compared|label|labels} with 10 posts or more'
          else '{labels:count} {labels|label|labels}'
        end
      },
      {'section': 'by_weekday_hour', 'text': 'n = {timed:count} {timed|post|posts}'},
      {'section': 'mix', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'top_and_bottom', 'text': 'out of {judged:count} {judged|post|posts}'},
      {'section': 'by_format', 'text': 'n = {with_files:count} {with_files|post|posts} with details'},
      {'section': 'by_channels', 'text': 'n = {with_channels:count} {with_channels|post|posts} with details'},
      {'section': 'posts', 'text': '{posts:count} {posts|post|posts}'},
      {'section': 'summary', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'left_out', 'text': '{posts:count} {posts|post|posts} in the report'}
    ],
    recursive := true
  ),
  *
from posts
cross join labels
cross join weeks;
