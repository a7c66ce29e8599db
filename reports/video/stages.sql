-- grain: one stage of one kind of profile
-- key: kind, stage
-- reads: video_posts
with kinds as (
  select
    kind,
    count(*) as videos,
    sum(impression_count) as impressions,
    sum(video_view_count) as views,
    sum(video_viewer_count) as viewers,
    count(*) over () as kinds
  from video_posts
  where is_in_stages
  group by kind
)
select
  kind_title(kind) as kind,
  stage,
  case
    when kinds = 1 then stage
    else case kinds.kind when 'page' then 'Pages’ ' when 'member' then 'Members’ ' else 'Others’ ' end || lower(stage)
  end as label,
  value,
  value / nullif(before, 0) as rate,
  videos
from kinds
cross join lateral (
  values (1, 'Impressions', impressions, null), (2, 'Views', views, impressions), (3, 'Viewers', viewers, views)
) as stages (position, stage, value, before)
order by kind_order(kinds.kind), position;
