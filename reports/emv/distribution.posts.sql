-- grain: one post behind the row of distribution
-- key: workspace, linkedin_post_id
-- reads: emv_ranks
select workspace, linkedin_post_id
from emv_ranks
order by workspace, linkedin_post_id;
