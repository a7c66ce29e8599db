-- grain: at most one row; none without a campaign that had the most EMV removed
-- key: none
-- reads: report_all
-- parameters: none
with campaigns as (
  select
    campaign,
    count(*) filter (where is_removed) as posts,
    count(*) as posts_total,
    exact_sum(case when is_removed then emv end) as emv
  from report_all
  where campaign is not null
  group by campaign
),
ranked as (
  select *, rank() over (order by emv desc) as place, count(*) over () as campaigns
  from campaigns
  where posts > 0 and emv > 0
),
first as (
  select *, count(*) over () as firsts
  from ranked
  where place = 1
)
select
  case
    when campaigns = 1 then '{campaign:text} had {emv:money} of EMV removed'
    else '{campaign:text} had the most EMV removed: {emv:money}'
  end
    || case
      when posts_total = 1 then ', with the only post'
      when posts = posts_total then ', with all {posts:count} posts'
      else ', with {posts:count} of {posts_total:count} posts'
    end as text,
  campaign,
  posts,
  posts_total,
  emv
from first
where firsts = 1;
