-- grain: the post with the most EMV of one campaign
-- key: campaign
-- reads: campaign_posts, campaign_sums
-- parameters: none
with ranked as (
  select
    *,
    row_number() over (
      partition by campaign
      order by emv desc, impression_count desc nulls last, published_at nulls last, workspace, linkedin_post_id
    ) as rank
  from campaign_posts
  where is_current and emv is not null
)
select
  ranked.campaign,
  ranked.workspace,
  ranked.profile,
  ranked.linkedin_post_id,
  ranked.url,
  ranked.title,
  ranked.commentary,
  ranked.type,
  ranked.published_at,
  ranked.is_removed,
  ranked.impression_count as impressions,
  finite(ranked.engagements / nullif(ranked.impression_count, 0)) as engagement_rate,
  ranked.emv,
  case when ranked.emv between 0 and sums.emv then ranked.emv / nullif(sums.emv, 0) end as campaign_share
from ranked
join campaign_sums as sums
  on sums.campaign = ranked.campaign
  and sums.is_current
  and sums.dimension = 'campaign'
  and not sums.is_monthly
where ranked.rank = 1
order by ranked.emv desc, ranked.campaign;
