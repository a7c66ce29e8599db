-- grain: at most one row; none under 2 profiles with removed posts, or without one that had the most EMV removed
-- key: none
-- reads: report_all
-- parameters: none
with profiles as (
  select
    coalesce(any_value(profile), profile_id) as profile,
    count(*) filter (where is_removed) as posts,
    count(*) as posts_total,
    exact_sum(case when is_removed then emv end) as emv
  from report_all
  group by workspace, profile_id
),
ranked as (
  select *, rank() over (order by emv desc nulls last) as place, count(*) over () as profiles
  from profiles
  where posts > 0
),
first as (
  select *, count(*) over () as firsts
  from ranked
  where place = 1
)
select
  '{profile:text} had the most EMV removed: {emv:money}'
    || case
      when posts_total = 1 then ', with the only post'
      when posts = posts_total then ', with all {posts:count} posts'
      else ', with {posts:count} of {posts_total:count} posts'
    end as text,
  profile,
  posts,
  posts_total,
  emv
from first
where firsts = 1 and profiles >= 2 and emv > 0;
