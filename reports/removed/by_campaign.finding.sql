-- grain: at most one row; none without a campaign that had EMV removed, or if none clearly had the most without its largest post
-- reads: removed_groups
with ranked as (
  select
    *,
    count(*) over () as campaigns,
    is_clearly_more(emv - largest_emv, lead(emv) over (order by emv desc), 'emv') as leads
  from removed_groups
  where dimension = 'campaign' and name <> '(none)' and emv > 0
  qualify row_number() over (order by emv desc) = 1
)
select
  case
    when campaigns = 1
      then 'The {posts:count} removed {posts|post|posts} of {name:text} had earned {emv:money} of EMV'
    else 'The {posts:count} removed {posts|post|posts} of {name:text} had earned the most EMV, {emv:money}'
  end as text,
  name,
  posts,
  emv
from ranked
where campaigns = 1 or leads;
