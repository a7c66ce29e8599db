-- grain: at most one row; none under 10 posts with EMV and impressions
-- key: none
-- reads: report_posts
-- parameters: none
with profiles as (
  select
    count(*) as posts,
    max((emv - 0.005) * 1000 / impression_count) > min((emv + 0.005) * 1000 / impression_count) as has_changed,
    min(effective_cpm) as min_cpm,
    max(effective_cpm) as max_cpm
  from report_posts
  where emv is not null and impression_count > 0
  group by workspace, profile_id
),
figures as (
  select
    count(*) as profiles,
    sum(posts) as posts,
    count(*) filter (where has_changed) as changed
  from profiles
)
select
  case
    when changed = 0 and profiles = 1 then 'One CPM explains the EMV of all {posts:count} posts'
    when changed = 0 then 'Each of the {profiles:count} profiles has one CPM that explains its EMV'
    when changed = profiles and profiles = 1 then 'No single CPM explains the EMV: it changed'
    else 'The CPM changed in {changed:count} of {profiles:count} profiles: EMV of different posts is not of one price'
  end as text,
  profiles,
  posts,
  changed
from figures
where posts >= 10;
