-- grain: one sentence of a list
-- reads: report_posts, report_settings
with unseen as (
  select
    nullif(count(*) filter (where emv is not null and impression_count is null), 0) as unseen,
    exact_sum(case when impression_count is null then emv end) as emv
  from report_posts
)
select
  unnest([
    case when (cpm_low is null or cpm_high is null) and exists (from report_posts)
      then 'No low and high CPM are configured (cpm_band in jobs.yaml), so only the CPM used is shown.' end,
    '{unseen:count} {unseen|post has|posts have} EMV but no impressions: {emv:money_exact} without a CPM.'
  ]) as text,
  unseen,
  emv
from unseen
cross join report_settings;
