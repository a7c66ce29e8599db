-- grain: one post behind a row of concentration
-- key: ranks, workspace, linkedin_post_id
-- reads: emv_stretches
select ranks, workspace, linkedin_post_id
from emv_stretches
order by ranks, workspace, linkedin_post_id;
