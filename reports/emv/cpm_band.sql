-- grain: one CPM: the low and the high of the configuration, and the one that was used between them
-- key: point
-- reads: report_posts, report_settings
with priced as (
  select
    count(*) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm
  from report_posts
  where emv is not null and impression_count is not null
),
priceable as (
  select count(*) as posts, sum(impression_count) as impressions
  from report_posts
  where impression_count is not null
),
points as (
  select
    1 as position,
    'low' as point,
    cpm_low as effective_cpm,
    impressions * cpm_low / 1000 as emv,
    cpm_low as fixed_cpm
  from priced
  cross join report_settings
  union all
  select 2, 'used', effective_cpm, emv, null
  from priced
  union all
  select 3, 'high', cpm_high, impressions * cpm_high / 1000, cpm_high
  from priced
  cross join report_settings
)
select
  point,
  points.effective_cpm,
  priced.posts,
  priced.impressions,
  points.emv,
  point = 'used' as is_used,
  points.fixed_cpm,
  priceable.posts as posts_with_impressions,
  priceable.impressions as all_impressions
from points
cross join priced
cross join priceable
where priced.posts > 0 and points.effective_cpm is not null
order by position;
