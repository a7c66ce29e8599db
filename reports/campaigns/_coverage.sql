-- grain: one fact about the basis of the figures, in the page's order
-- key: text
-- reads: coverage_of, report_facts
with facts as (
  select * exclude (posts) replace (
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
select
  facts.*,
  posts,
  campaigns,
  nullif(posts_without_campaign, 0) as others,
  nullif(campaigns_without_posts, 0) as missed
from facts
cross join report_facts
order by position;
