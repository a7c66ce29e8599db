-- grain: one reason for which removed posts are missing in some figures; a post may have several
-- key: reason
-- reads: report_removed, report_unlinked_removals
with removed as (
  select
    count(*) filter (where emv is null) as without_emv,
    count(*) filter (where impression_count is null) as without_impressions,
    count(*) filter (where engagements is null) as without_engagements,
    count(*) filter (where published_at is null) as without_time
  from report_removed
),
unlinked as (
  select count(*) as posts
  from report_unlinked_removals
),
reasons as (
  select 1 as position, 'No EMV is known' as reason, without_emv as posts,
    'EMV, its share and the CPM' as consequence
  from removed
  union all
  select 2, 'No impressions are known', without_impressions, 'impressions and the CPM'
  from removed
  union all
  select 3, 'No engagement is known', without_engagements, 'engagements and their rate'
  from removed
  union all
  select 4, 'No time of publication', without_time, 'every period'
  from removed
  union all
  select 5, 'Deleted without a LinkedIn post in the data', posts,
    'everything but this count: drafts and posts for other channels have no figures'
  from unlinked
)
select reason, posts, consequence
from reasons
where posts > 0
order by position;
