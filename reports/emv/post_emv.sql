-- grain: one post with EMV
-- key: workspace, linkedin_post_id
-- reads: emv_ranks
select
  rank,
  emv,
  workspace,
  linkedin_post_id
from emv_ranks
order by rank;
