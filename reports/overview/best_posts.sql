-- grain: one of the three posts with the most of the figure that the document leads with, or of the three with the highest engagement rates
-- key: by, rank
-- reads: overview_figures, report_figures, report_packed, report_posts
-- parameters: $minimum_impressions
with posts as (
  select
    report_posts.*,
    finite(report_posts.engagements / impression_count) as engagement_rate,
    -- a rate has a list of its own, and posts cannot be ranked by their number
    case when figures.divisor is null and figures.name <> 'posts' then amount_of(dividend, post) end as led_by,
    count(*) over () as posts_in_all
  from report_posts
  join (select workspace, linkedin_post_id, post from report_packed where is_current) as packed using (workspace, linkedin_post_id)
  cross join (from report_figures where name = getvariable('_leading')) as figures
),
ranked as (
  select
    getvariable('_leading') as "by",
    1 as list_number,
    row_number() over (order by led_by desc, impression_count desc nulls last, workspace, linkedin_post_id) as rank,
    *
  from posts
  where led_by > 0
  union all by name
  select
    'engagement_rate' as "by",
    2 as list_number,
    row_number() over (order by engagement_rate desc, impression_count desc, workspace, linkedin_post_id) as rank,
    *
  from posts
  where engagement_rate > 0
    and impression_count >= $minimum_impressions::bigint
    -- of few posts a second list would be much the same as the first
    and (posts_in_all >= 8 or led_by is null)
)
select
  rank,
  "by",
  overview_figures.label as best_by,
  columns(post_columns()),
  emv,
  impression_count as impressions,
  engagement_rate,
  interactions,
  case when type = 'Video' then video_view_count end as views,
  is_young
from ranked
join overview_figures on figure = "by"
where rank <= 3
order by list_number, rank;
