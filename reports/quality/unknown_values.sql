-- grain: one fault, and one value where the fault is a word or a metric
-- key: fault, value
-- reads: report_posts, quality_faults
with posts as (
  select count(*) as posts
  from report_posts
)
select
  quality_faults.fault,
  quality_faults.value,
  count(*) as posts,
  count(*) / any_value(posts.posts) as posts_share,
  min(quality_faults.linkedin_post_id) as example_post
from quality_faults
cross join posts
group by quality_faults.position, quality_faults.fault, quality_faults.value
order by quality_faults.position, posts desc, quality_faults.value;
