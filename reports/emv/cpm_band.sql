-- grain: one CPM: the low and the high of the configuration, and the one that was used between them
-- key: point
-- reads: report_posts, report_settings
with priced as (
  select
    count(*) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm
  -- the band is about impressions, whatever else is priced
  from (select impression_count, case when emv_source = 'prices' then emv_impressions else emv end as emv from report_posts)
  where emv is not null and impression_count is not null
)
select
  point,
  points.effective_cpm,
  priced.posts,
  priced.impressions,
  points.emv,
  point = 'used' as is_used
from priced
cross join report_settings
cross join lateral (
  values
    (1, 'low', cpm_low, priced.impressions * cpm_low / 1000),
    (2, 'used', priced.effective_cpm, priced.emv),
    (3, 'high', cpm_high, priced.impressions * cpm_high / 1000)
) as points (position, point, effective_cpm, emv)
where priced.posts > 0 and points.effective_cpm is not null
order by position;
