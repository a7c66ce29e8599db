-- grain: one row: all posts of the report
-- reads: report_sums, report_posts, report_removed, report_settings
with lacking as (
  select count(*) filter (where engagements is null) as posts_without_engagement
  from report_posts
),
removed as (
  select
    count(*) as removed_posts,
    sum(impression_count) as removed_impressions,
    exact_sum(engagements) as removed_engagements,
    exact_sum(emv) as removed_emv
  from report_removed
)
select
  coalesce(shown.posts, 0) as posts,
  shown.impressions,
  shown.engagements,
  shown.engagement_rate,
  shown.interactions,
  shown.likes,
  shown.comments,
  shown.shares,
  shown.clicks,
  shown.saves,
  shown.sends,
  removed_posts,
  posts_without_engagement,
  removed_emv,
  removed_impressions,
  removed_engagements,
  shown.member_saves as saves_of_members,
  shown.page_clicks as clicks_of_pages,
  -- null where the earlier period was not read of every profile; without posts it has 0
  case when is_comparable then coalesce(previous.posts, 0) end as previous_posts,
  previous.engagement_rate as previous_engagement_rate,
  previous.engagements as previous_engagements,
  previous.impressions as previous_impressions,
  previous.likes as previous_likes,
  previous.comments as previous_comments,
  previous.shares as previous_shares,
  previous.member_saves as previous_saves_of_members,
  previous.page_clicks as previous_clicks_of_pages,
  (select change from like_for_like_of('report_sums', 'all') where figure = 'engagement_rate')
    as engagement_rate_change_like_for_like,
  (select change from like_for_like_of('report_sums', 'all') where figure = 'engagements')
    as engagements_change_like_for_like
from report_settings
cross join lacking
cross join removed
left join (
  from report_sums where is_current and dimension = 'all' and not is_monthly
) as shown on true
left join (
  from report_sums where not is_current and dimension = 'all' and not is_monthly
) as previous on true;
