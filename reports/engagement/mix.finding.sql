-- grain: at most one row; none unless pages and members have 10 posts each, and a part that clearly leads without its largest post
-- reads: engagement_mix
with ranked as (
  select
    *,
    coalesce(value, 0) - coalesce(largest, 0) as without_largest,
    value / nullif(sum(value) over (partition by kind), 0) as share,
    min(coalesce(value, 0)) over (partition by kind) as smallest,
    lead(coalesce(value, 0)) over (partition by kind order by coalesce(value, 0) desc) as second
  from engagement_mix
  where kind is not null and is_reported
  qualify row_number() over (partition by kind order by coalesce(value, 0) desc) = 1
),
pair as (
  select
    any_value(part) filter (where kind = 'member') as member_part,
    any_value(share) filter (where kind = 'member') as member_share,
    any_value(part) filter (where kind = 'page') as page_part,
    any_value(noun) filter (where kind = 'page') as page_noun,
    any_value(share) filter (where kind = 'page') as page_share
  from ranked
  where posts >= 10 and smallest >= 0 and is_clearly_more(without_largest, second, 'interactions')
  having count(*) = 2
)
select
  case
    when member_part = page_part
      then '{member_part:phrase} are {member_share:share} of what members’ posts got and {page_share:share} of what pages’ posts got'
    else '{member_part:phrase} lead on members’ posts ({member_share:share}), {page_noun:phrase} on pages’ posts ({page_share:share})'
  end as text,
  member_part,
  member_share,
  page_noun,
  page_share
from pair;
