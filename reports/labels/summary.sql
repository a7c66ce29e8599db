-- grain: one row: all posts of the report
-- reads: label_totals, report_posts, report_removed
with shown as (
  select *
  from label_totals
  where is_current and dimension = 'all'
),
labelled as (
  select *
  from label_totals
  where is_current and dimension = 'labelled'
),
-- null where the earlier period was not read of every profile; without posts it has 0
previous as (
  select totals.*
  from (select false as is_current, 'labelled' as dimension) as wanted
  left join label_totals as totals using (is_current, dimension)
),
counted as (
  select
    count(*) filter (where len(labels) > 1) as posts_with_several,
    len(list_distinct(flatten(coalesce(list(labels order by workspace, linkedin_post_id), [])))) as labels
  from report_posts
),
removed as (
  select count(*) as removed_posts, exact_sum(emv) as removed_emv, sum(impression_count) as removed_impressions
  from report_removed
)
select
  counted.labels,
  shown.posts,
  labelled.posts as labelled_posts,
  shown.posts - labelled.posts as posts_without_label,
  counted.posts_with_several,
  shown.impressions,
  shown.engagements,
  shown.engagement_rate,
  labelled.engagement_rate as labelled_engagement_rate,
  shown.emv,
  labelled.emv as labelled_emv,
  labelled.emv / nullif(shown.emv, 0) as labelled_emv_share,
  shown.effective_cpm,
  shown.emv_per_post,
  labelled.emv_per_post as labelled_emv_per_post,
  shown.median_emv,
  shown.posts_with_emv,
  labelled.impressions as labelled_impressions,
  removed_posts,
  removed_emv,
  previous.posts as previous_labelled_posts,
  previous.impressions as previous_labelled_impressions,
  previous.engagement_rate as previous_labelled_engagement_rate,
  previous.emv as previous_labelled_emv,
  previous.emv_per_post as previous_labelled_emv_per_post,
  (select change from like_for_like_of('label_sums', 'labelled') where figure = 'emv') as labelled_emv_change_like_for_like,
  labelled.impressions / nullif(labelled.posts_with_impressions, 0) as labelled_impressions_per_post,
  removed.removed_impressions,
  previous.impressions / nullif(previous.posts_with_impressions, 0) as previous_labelled_impressions_per_post
from shown
cross join labelled
cross join previous
cross join counted
cross join removed;
