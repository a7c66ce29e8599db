-- grain: at most one row; none with fewer than 20 posts with engagement, or if the top posts have little more than others
-- reads: report_posts
with ranked as (
  select engagements, row_number() over (order by engagements desc) as rank
  from report_posts
  where engagements is not null
),
figures as (
  select
    count(*) as posts,
    exact_sum(case when rank <= 10 then engagements end) / nullif(exact_sum(engagements), 0) as top_share,
    min(engagements) as least
  from ranked
)
select
  '10 of {posts|# post|# posts} account for {top_share:share} of the engagements' as text,
  posts,
  top_share
from figures
where posts >= 20 and least >= 0 and is_concentrated(top_share, 10, posts);
