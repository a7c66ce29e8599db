-- grain: at most one row; none with fewer than 10 posts with EMV and impressions
-- reads: quality_cpm
with profiles as (
  select
    sum(posts) as posts,
    -- within its first month a profile may have several, which is no change over time
    bool_or(has_changed and position > 1) as has_changed,
    max(low) > min(high) as has_several
  from quality_cpm
  group by workspace, profile_id
),
figures as (
  select
    count(*) as profiles,
    sum(posts)::bigint as posts,
    count(*) filter (where has_changed) as changed,
    count(*) filter (where has_several) as several
  from profiles
)
select
  case
    when several = 0 and profiles = 1 then 'One CPM explains the EMV of all {posts|# post|# posts}'
    when several = 0 then 'Each of the {profiles|# profile|# profiles} has one CPM that explains its EMV'
    when changed = profiles
      then '{profiles|The CPM changed, so EMV is|The CPM of all # profiles changed, so their EMV is} not comparable over time'
    when changed > 0
      then 'The CPM of {changed:count} of {profiles|# profile|# profiles} changed, so {changed|its|their} EMV is not comparable over time'
    when profiles = 1 then 'No single CPM explains the EMV of the {posts|# post|# posts}'
    else 'No single CPM explains the EMV of {several:count} of {profiles|# profile|# profiles}'
  end as text,
  profiles,
  posts,
  changed,
  several
from figures
where posts >= 10;
