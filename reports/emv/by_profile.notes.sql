-- grain: one sentence, in the page's order
-- key: text
-- reads: emv_groups, emv_sums, report_posts
-- parameters: none
with profiles as (
  select count(*) as n
  from emv_groups
  where dimension = 'profile'
),
months as (
  select
    workspace,
    profile_id,
    name,
    month,
    emv,
    row_number() over (order by emv desc nulls last, name, workspace, profile_id, month) as rank
  from emv_sums
  where is_current and dimension = 'profile' and is_monthly and month is not null
),
tallest as (
  select months.*, (select emv from months where rank = 2) as next_emv
  from months
  where rank = 1
),
largest as (
  select any_value(tallest.emv) as emv, any_value(name) as profile, any_value(tallest.month) as month,
    max(report_posts.emv) as post_emv
  from tallest
  join report_posts
    on report_posts.workspace = tallest.workspace
    and report_posts.profile_id = tallest.profile_id
    and report_posts.published_month = tallest.month
  where tallest.emv >= 4 * next_emv and next_emv > 0
),
facts as (
  select
    1 as position,
    'All bars share one scale. The tallest, {profile:text} in {month:month}, stands for {emv:money}'
      || case when post_emv >= emv / 2 and post_emv <= emv then '; one post made {post_emv:money} of it.' else '.' end
      as text,
    profile,
    month,
    emv,
    post_emv,
    null::bigint as n
  from largest
  where emv is not null
  union all
  select
    2,
    'The 12 profiles with the most EMV of {n:count} are drawn; the table has all.',
    null,
    null,
    null,
    null,
    n
  from profiles
  where n > 12
)
select text, profile, month, emv, post_emv, n
from facts
order by position;
