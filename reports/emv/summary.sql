-- grain: one row: all posts of the report
-- reads: emv_totals, emv_ranks, report_removed, report_settings
with shown as (
  select *
  from emv_totals
  where is_current
),
-- null where the earlier period was not read of every profile; without posts it has 0
previous as (
  select totals.*
  from (select false as is_current) as wanted
  left join emv_totals as totals using (is_current)
),
removed as (
  select
    count(*) as removed_posts,
    exact_sum(emv) as removed_emv
  from report_removed
),
largest as (
  select
    exact_sum(case when rank = 1 then emv end) as top_1,
    exact_sum(case when rank <= 5 then emv end) as top_5,
    exact_sum(case when rank <= 10 then emv end) as top_10
  from emv_ranks
  where are_parts
)
select
  shown.posts,
  shown.impressions,
  shown.emv,
  shown.effective_cpm,
  shown.posts - shown.posts_with_emv as posts_without_emv,
  removed_posts,
  removed_emv,
  shown.priced_impressions * cpm_low / 1000 as emv_low,
  shown.priced_impressions * cpm_high / 1000 as emv_high,
  shown.posts_with_emv,
  shown.emv_per_post,
  shown.median_emv,
  largest.top_1 / nullif(shown.emv, 0) as top_1_share,
  -- with five posts the first five are all
  case when shown.posts_with_emv > 5 then largest.top_5 / nullif(shown.emv, 0) end as top_5_share,
  case when shown.posts_with_emv > 10 then largest.top_10 / nullif(shown.emv, 0) end as top_10_share,
  previous.posts as previous_posts,
  previous.impressions as previous_impressions,
  previous.emv as previous_emv,
  previous.effective_cpm as previous_effective_cpm,
  previous.emv_per_post as previous_emv_per_post,
  previous.median_emv as previous_median_emv,
  (select change from like_for_like_of('report_sums', 'all') where figure = 'emv') as emv_change_like_for_like,
  (select change from like_for_like_of('report_sums', 'all') where figure = 'impressions')
    as impressions_change_like_for_like
from shown
cross join previous
cross join removed
cross join largest
cross join report_settings;
