-- grain: one post with a long text
-- key: workspace, linkedin_post_id
-- reads: report_posts
-- parameters: $characters
select
  title,
  len(commentary) as characters,
  impression_count as impressions,
  interactions,
  workspace,
  linkedin_post_id
from report_posts
where characters >= $characters::bigint
order by characters desc, workspace, linkedin_post_id;
