-- grain: one row: all posts of the report
-- key: none
-- reads: report_posts, report_removed, report_settings
-- parameters: none
with shown as (
  select
    count(*) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
    count(*) filter (where emv is null) as posts_without_emv,
    sum(impression_count) filter (where emv is not null) as priced_impressions
  from report_posts
),
removed as (
  select
    count(*) as removed_posts,
    exact_sum(emv) as removed_emv
  from report_removed
)
select
  posts,
  impressions,
  emv,
  effective_cpm,
  posts_without_emv,
  removed_posts,
  removed_emv,
  priced_impressions * cpm_low / 1000 as emv_low,
  priced_impressions * cpm_high / 1000 as emv_high
from shown
cross join removed
cross join report_settings;
