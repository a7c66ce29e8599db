-- grain: one CPM: the low and the high of the configuration, and the one that was used between them
-- key: point
-- reads: report_posts, report_settings
-- parameters: none
with priced as (
  select
    count(*) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm
  from report_posts
  where emv is not null and impression_count is not null
),
points as (
  select 1 as position, 'low' as point, cpm_low as effective_cpm, impressions * cpm_low / 1000 as emv
  from priced
  cross join report_settings
  union all
  select 2, 'used', effective_cpm, emv
  from priced
  union all
  select 3, 'high', cpm_high, impressions * cpm_high / 1000
  from priced
  cross join report_settings
)
select
  point,
  points.effective_cpm,
  posts,
  impressions,
  points.emv,
  point = 'used' as is_used
from points
cross join priced
where posts > 0 and points.effective_cpm is not null
order by position;
