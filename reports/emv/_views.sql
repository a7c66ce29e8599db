-- grain: one post with EMV (emv_ranks, emv_stretches)
-- key: workspace, linkedin_post_id
-- reads: report_posts
create or replace temp table emv_ranks as
select
  workspace,
  linkedin_post_id,
  emv,
  row_number() over (
    order by emv desc, impression_count desc nulls last, published_at nulls last, workspace, linkedin_post_id
  ) as rank,
  -- if an EMV is negative, parts can exceed the whole
  min(emv) over () >= 0 as are_parts
from report_posts
where emv is not null;

-- The stretches of the ranks, and what they are called.
create or replace temp table emv_stretches as
with placed as (
  select *, case when rank = 1 then 1 when rank <= 10 then 2 when rank <= 50 then 3 else 4 end as position
  from emv_ranks
)
select
  *,
  case
    when position = 1 then 'top 1'
    when position = 4 then 'others'
    when count(*) over stretch = 1 then rank::varchar
    else min(rank) over stretch || '–' || max(rank) over stretch
  end as ranks
from placed
window stretch as (partition by position);
