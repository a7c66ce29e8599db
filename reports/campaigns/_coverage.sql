-- grain: one fact about the basis of the figures, in the page's order
-- key: text
-- reads: campaign_list, campaign_totals, report_posts
with counted as (
  select
    (select campaigns from campaign_totals where is_current) as campaigns,
    (select nullif(count(*), 0) from report_posts where campaign is null) as others,
    (select nullif(count(*), 0) from campaign_list where posts = 0) as missed
),
facts as (
  select * replace (
    case position
      when 10 then '{posts:count} {posts|post|posts} in {campaigns:count} {campaigns|campaign|campaigns}'
      else text
    end as text
  )
  from coverage_of('campaign posts', 'emv')
  union all by name
  select
    unnest([60, 61]) as position,
    unnest([
      '{others:count} without a campaign excluded',
      '{missed:count} {missed|campaign|campaigns} without posts'
    ]) as text
)
select *
from facts
cross join counted
order by position;
