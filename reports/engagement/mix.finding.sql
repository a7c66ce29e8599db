-- grain: at most one row; none unless pages and members have 10 posts each, and a part that leads without its largest post
-- reads: report_posts
with parts as (
  select
    kind,
    unnest([
      {'position': 1, 'verb': 'liked', 'part': 'likes', 'value': like_count},
      {'position': 2, 'verb': 'commented on', 'part': 'comments', 'value': comment_count},
      {'position': 3, 'verb': 'shared', 'part': 'shares', 'value': share_count},
      {'position': 4, 'verb': 'clicked', 'part': 'clicks', 'value': case when kind = 'page' then click_count end},
      {'position': 5, 'verb': 'saved', 'part': 'saves', 'value': case when kind = 'member' then save_count end},
      {'position': 6, 'verb': 'sent on', 'part': 'sends', 'value': case when kind = 'member' then send_count end}
    ], recursive := true)
  from report_posts
  where kind is not null
),
sums as (
  select
    kind,
    verb,
    part,
    count(*) as posts,
    coalesce(sum(value), 0) as total,
    total - coalesce(max(value), 0) as without_largest
  from parts
  group by kind, position, verb, part
),
foremost as (
  select
    *,
    total / nullif(sum(total) over (partition by kind), 0) as share,
    min(total) over (partition by kind) as least,
    lead(total) over (partition by kind order by total desc) as second
  from sums
  qualify row_number() over (partition by kind order by total desc) = 1
),
pair as (
  select
    any_value(verb) filter (where kind = 'member') as member_verb,
    any_value(share) filter (where kind = 'member') as member_share,
    any_value(part) filter (where kind = 'member') as member_part,
    any_value(verb) filter (where kind = 'page') as page_verb,
    any_value(share) filter (where kind = 'page') as page_share
  from foremost
  where posts >= 10 and least >= 0 and without_largest > second
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
