-- grain: at most one row; none unless pages and members have 10 posts and an interaction each
-- key: none
-- reads: report_posts
-- parameters: none
with kinds as (
  select
    kind,
    count(*) as posts,
    coalesce(sum(like_count), 0) as liked,
    coalesce(sum(comment_count), 0) as commented,
    coalesce(sum(share_count), 0) as shared,
    case when kind = 'page' then coalesce(sum(click_count), 0) else 0 end as clicked,
    case when kind = 'member' then coalesce(sum(save_count), 0) else 0 end as saved,
    case when kind = 'member' then coalesce(sum(send_count), 0) else 0 end as sent
  from report_posts
  where kind is not null
  group by kind
),
parts as (
  select kind, posts, 1 as position, 'liked' as verb, 'likes' as part, liked as value
  from kinds
  union all
  select kind, posts, 2, 'commented on', 'comments', commented from kinds
  union all
  select kind, posts, 3, 'shared', 'shares', shared from kinds
  union all
  select kind, posts, 4, 'clicked', 'clicks', clicked from kinds
  union all
  select kind, posts, 5, 'saved', 'saves', saved from kinds
  union all
  select kind, posts, 6, 'sent on', 'sends', sent from kinds
),
foremost as (
  select
    *,
    value / nullif(sum(value) over (partition by kind), 0) as share,
    min(value) over (partition by kind) as least
  from parts
  qualify row_number() over (partition by kind order by value desc, position) = 1
),
pair as (
  select
    any_value(verb) filter (where kind = 'member') as member_verb,
    any_value(share) filter (where kind = 'member') as member_share,
    any_value(part) filter (where kind = 'member') as member_part,
    any_value(verb) filter (where kind = 'page') as page_verb,
    any_value(share) filter (where kind = 'page') as page_share
  from foremost
  where posts >= 10 and share > 0 and least >= 0
  having count(*) = 2
)
select
  case
    when member_verb <> page_verb
      then 'Members’ posts are ' || member_verb || ', pages’ posts are ' || page_verb
    else upper(member_part[1]) || member_part[2:]
      || ' are {member_share:share} of what members’ posts got and {page_share:share} of what pages’ posts got'
  end as text,
  member_share,
  page_share
from pair;
