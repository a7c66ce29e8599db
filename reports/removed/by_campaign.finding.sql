-- grain: at most one row; none without a campaign that had EMV removed, or if none clearly had the most without its largest post
-- reads: report_all
with campaigns as (
  select
    campaign,
    count(*) filter (where is_removed) as posts,
    exact_sum(case when is_removed then emv end) as emv,
    max(case when is_removed then emv end) as largest
  from report_all
  where campaign is not null
  group by campaign
),
ranked as (
  select
    *,
    count(*) over () as campaigns,
    is_clearly_more(emv - largest, lead(emv) over (order by emv desc), 'emv') as leads
  from campaigns
  where emv > 0
  qualify row_number() over (order by emv desc) = 1
)
select
  case
    when campaigns = 1
      then 'The {posts:count} removed {posts|post|posts} of {campaign:text} had earned {emv:money} of EMV'
    else 'The {posts:count} removed {posts|post|posts} of {campaign:text} had earned the most EMV, {emv:money}'
  end as text,
  campaign,
  posts,
  emv
from ranked
where campaigns = 1 or leads;
