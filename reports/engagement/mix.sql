-- grain: one kind of profile and one kind of interaction
-- key: kind, part
-- reads: report_posts
with kinds as (
  select
    kind,
    count(*) as posts,
    sum(like_count) as likes,
    sum(comment_count) as comments,
    sum(share_count) as shares,
    sum(click_count) as clicks,
    sum(save_count) as saves,
    sum(send_count) as sends,
    count(like_count) as likes_known,
    count(comment_count) as comments_known,
    count(share_count) as shares_known,
    count(click_count) as clicks_known,
    count(save_count) as saves_known,
    count(send_count) as sends_known
  from report_posts
  group by kind
),
parts as (
  select kind, posts, 1 as position, 'Likes' as part, likes as value, likes_known as posts_known
  from kinds
  union all
  select kind, posts, 2, 'Comments', comments, comments_known from kinds
  union all
  select kind, posts, 3, 'Shares', shares, shares_known from kinds
  union all
  select kind, posts, 4, 'Clicks', clicks, clicks_known from kinds
  union all
  select kind, posts, 5, 'Saves', saves, saves_known from kinds
  union all
  select kind, posts, 6, 'Sends', sends, sends_known from kinds
),
-- a source that writes 0 for what a kind does not have says nothing
counted as (
  select
    kind,
    posts,
    position,
    part,
    coalesce(
      (kind = 'page' and part in ('Saves', 'Sends')) or (kind = 'member' and part = 'Clicks'),
      false
    ) as is_missing,
    case when not is_missing then value end as value,
    case when not is_missing then posts_known end as posts_known
  from parts
),
totalled as (
  select *, sum(value) over (partition by kind) as total
  from counted
)
select
  case kind when 'page' then 'Pages' when 'member' then 'Members' else 'Kind not known' end as kind,
  part,
  value,
  case when total > 0 then value / total end as share,
  posts_known,
  posts
from totalled
order by case totalled.kind when 'page' then 1 when 'member' then 2 else 3 end, position;
