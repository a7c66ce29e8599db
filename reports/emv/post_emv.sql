-- grain: one post with EMV
-- key: workspace, linkedin_post_id
-- reads: emv_impression_ranks, emv_ranks
select
  emv_ranks.rank,
  emv_ranks.emv,
  workspace,
  linkedin_post_id,
  emv_impression_ranks.impression_count as impressions,
  emv_impression_ranks.rank as rank_by_impressions
from emv_ranks
left join emv_impression_ranks using (workspace, linkedin_post_id)
order by emv_ranks.rank;
