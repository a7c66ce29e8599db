-- grain: one section: what it rests on
-- key: section
-- reads: campaign_totals
-- parameters: none
with bases as (
  select 'by_campaign' as section, campaigns as n, '{n:count} campaign with posts' as one,
    '{n:count} campaigns with posts' as many
  from campaign_totals
  where is_current
  union all
  select 'by_campaign_profile', profiles, '{n:count} profile', '{n:count} profiles'
  from campaign_totals
  where is_current
  union all
  select 'best_posts', posts_with_emv, 'n = {n:count} post with EMV', 'n = {n:count} posts with EMV'
  from campaign_totals
  where is_current
  union all
  select unnest(['posts', 'left_out', 'summary']), posts, 'n = {n:count} post', 'n = {n:count} posts'
  from campaign_totals
  where is_current
)
select section, case when n = 1 then one else many end as text, n
from bases
where n > 0
order by section;
