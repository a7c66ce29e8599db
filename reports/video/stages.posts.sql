-- grain: one post behind a row of stages
-- key: kind, stage, workspace, linkedin_post_id
-- reads: video_posts
select
  kind_title(kind) as kind,
  unnest(['Impressions', 'Views', 'Viewers']) as stage,
  workspace,
  linkedin_post_id,
  unnest([impression_count, video_view_count, video_viewer_count]) as value
from video_posts
where is_in_stages
order by kind, stage, workspace, linkedin_post_id;
