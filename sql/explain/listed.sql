-- grain: one post behind a cell, or left out of it
-- key: workspace, linkedin_post_id
-- reads: explained_cell
select
  * exclude (emv_source, sources_until),
  case when left_out is null
    then first_amount / nullif(sum(first_amount) filter (where left_out is null) over (), 0) end as share
from explained_cell
order by left_out nulls first, first_amount desc nulls last, workspace, linkedin_post_id;
