-- grain: one LinkedIn post
-- key: workspace, linkedin_post_id
-- reads: linkedin_posts, profiles, posts, campaigns, post_labels, labels
-- parameters: none
create or replace view post_performance as
with label_names as (
  select
    post_labels.workspace,
    post_labels.post_id,
    list(distinct labels.name order by labels.name) as names
  from post_labels
  join labels using (workspace, label_id)
  where labels.name is not null
  group by all
),
priced as (
  select
    linkedin_posts.*,
    profiles.name as profile,
    profiles.cpm as profile_cpm,
    -- multiplied first: 1234 impressions at a CPM of 30 are 37.02, not 37.019999999999996
    linkedin_posts.impression_count * profiles.cpm / 1000 as emv_by_profile_cpm
  from linkedin_posts
  left join profiles using (workspace, profile_id)
)
select
  priced.workspace,
  priced.profile_id,
  priced.profile,
  priced.linkedin_post_id,
  priced.url,
  priced.commentary,
  priced.type,
  priced.published_at,
  priced.like_count,
  priced.comment_count,
  priced.share_count,
  priced.click_count,
  priced.save_count,
  priced.send_count,
  priced.impression_count,
  priced.engagement,
  priced.video_view_count,
  priced.video_viewer_count,
  priced.video_watch_time_seconds,
  priced.engagement * priced.impression_count as engagements,
  -- summed as a list, so that nulls are left out, and beyond 64 bits, so that no post can stop the view
  try_cast(
    list_sum([
      priced.like_count,
      priced.comment_count,
      priced.share_count,
      priced.click_count,
      priced.save_count,
      priced.send_count
    ]) as bigint
  ) as interactions,
  coalesce(priced.emv, priced.emv_by_profile_cpm) as emv,
  case
    when priced.emv is not null then 'api'
    when priced.emv_by_profile_cpm is not null then 'profile_cpm'
  end as emv_source,
  coalesce(priced.emv, priced.emv_by_profile_cpm) * 1000
    / nullif(priced.impression_count, 0) as effective_cpm,
  priced.post_id,
  posts.title,
  posts.status,
  posts.campaign_id,
  campaigns.name as campaign,
  coalesce(label_names.names, []::varchar[]) as labels,
  posts.removed_at is not null as is_removed,
  posts.removed_at
from priced
left join posts using (workspace, post_id)
left join campaigns using (workspace, campaign_id)
left join label_names using (workspace, post_id);
