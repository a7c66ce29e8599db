-- grain: at most one row; none with fewer than 5 videos with all figures of a kind
-- reads: video_posts
with kinds as (
  select
    kind,
    count(*) as videos,
    -- several views of one impression are no part of the impressions
    case when min(video_view_count) >= 0 and bool_and(video_view_count <= impression_count)
      then sum(video_view_count) / nullif(sum(impression_count), 0) end as view_rate
  from video_posts
  where is_in_stages
  group by kind
),
pair as (
  select
    count(*) as kinds,
    any_value(view_rate) filter (where kind = 'page' and videos >= 5) as page_rate,
    any_value(view_rate) filter (where kind = 'member' and videos >= 5) as member_rate,
    any_value(view_rate) filter (where videos >= 5) as rate
  from kinds
)
select
  case
    when page_rate is not null and member_rate is not null
      then '{page_rate:rate} of impressions on pages and {member_rate:rate} on members’ posts led to a view'
    when page_rate is not null then '{page_rate:rate} of impressions on pages led to a view'
    when member_rate is not null then '{member_rate:rate} of impressions on members’ posts led to a view'
    when kinds = 1 and rate is not null then '{rate:rate} of impressions led to a view'
  end as text,
  page_rate,
  member_rate,
  rate
from pair;
