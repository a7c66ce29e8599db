-- grain: at most one row; none with fewer than 2 profiles with removed posts, or if none clearly had the most EMV removed without its largest post
-- reads: report_all
with profiles as (
  select
    coalesce(any_value(profile), profile_id) as profile,
    count(*) filter (where is_removed) as posts,
    exact_sum(case when is_removed then emv end) as emv,
    max(case when is_removed then emv end) as largest
  from report_all
  group by workspace, profile_id
),
ranked as (
  select
    *,
    count(*) over () as profiles,
    is_clearly_more(emv - largest, coalesce(lead(emv) over (order by emv desc nulls last), 0), 'emv') as leads
  from profiles
  where posts > 0
  qualify row_number() over (order by emv desc nulls last) = 1
)
select
  'The {posts:count} removed {posts|post|posts} of {profile:text} had earned the most EMV, {emv:money}' as text,
  profile,
  posts,
  emv
from ranked
where profiles >= 2 and leads;
