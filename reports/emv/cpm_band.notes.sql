-- grain: one sentence of a list
-- reads: report_posts, report_settings
with unseen as (
  select
    nullif(count(*) filter (where emv is not null and impression_count is null), 0) as unseen,
    exact_sum(case when impression_count is null then emv end) as emv,
    nullif(exact_sum(case when emv_source = 'prices' then emv - coalesce(emv_impressions, 0) end), 0) as beside
  from report_posts
)
select
  unnest([
    case when (cpm_low is null or cpm_high is null) and exists (from report_posts)
      then 'No low and high CPM are configured (cpm_band in jobs.yaml), so only the CPM used is shown.' end,
    '{unseen:count} {unseen|post has|posts have} EMV but no impressions: {emv:money_exact} without a CPM.',
    case when round(abs(beside), 2) > 0
      then 'The band is about impressions. EMV of what else is priced stands beside it: {beside:money_exact}.' end
  ]) as text,
  unseen,
  emv,
  beside
from unseen
cross join report_settings;
