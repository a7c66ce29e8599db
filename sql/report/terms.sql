-- grain: one figure of which the head of a report says what it is
-- key: figure
-- reads: profiles, report_posts, report_settings
with priced as (
  select
    count(*) filter (where emv_source = 'api') as given,
    count(*) filter (where emv_source = 'profile_cpm') as configured,
    count(*) filter (where emv_source = 'prices') as listed,
    count(report_posts.emv) as priced,
    ratio_of_sums(report_posts.emv, impression_count) * 1000 as cpm_used,
    min(cpm) filter (where emv_source = 'profile_cpm') as low,
    max(cpm) filter (where emv_source = 'profile_cpm') as high
  from report_posts
  left join profiles using (workspace, profile_id)
  having count(report_posts.emv) > 0
)
select
  'emv' as figure,
  case
    when cpm is not null then 'EMV: impressions ÷ 1,000 × a CPM of {cpm:money_exact}, as asked for in this report'
    when listed = priced then null
    when given = priced and cpm_used is not null
      then 'EMV: what the impressions would cost as advertising, as the service gives it, on average {cpm_used:money_exact} per 1,000'
    when given = priced then 'EMV: what the impressions would cost as advertising, as the service gives it'
    when configured = priced and low = high then 'EMV: impressions ÷ 1,000 × a CPM of {low:money_exact}{owner:phrase}'
    when configured = priced
      then 'EMV: impressions ÷ 1,000 × the CPM of each profile, {low:money_exact} to {high:money_exact}{owner:phrase}'
    when given > 0 and given + listed = priced
      then 'EMV: as the service gives it where it does, else at the prices of the list of the profile{owner:phrase}'
    when given > 0 and listed > 0
      then 'EMV: as the service gives it where it does, else at the CPM or the price list of the profile{owner:phrase}'
    when listed > 0 then 'EMV: at the CPM or the price list of each profile{owner:phrase}'
    else 'EMV: as the service gives it where it does, else impressions ÷ 1,000 × the CPM of the profile{owner:phrase}'
  end as text,
  ', as configured for {whose:text}' as owner,
  priced.*,
  cpm
from priced
cross join report_settings
union all by name
select 'interactions' as figure, 'Interactions: likes, comments, shares, clicks, saves and sends together' as text
union all by name
select 'engagement_rate' as figure, 'Engagement rate: engagements, which LinkedIn counts itself, ÷ impressions' as text
order by figure;
