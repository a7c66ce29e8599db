-- grain: one section: what it rests on
-- key: section
-- reads: emv_groups, emv_totals, report_posts
-- parameters: none
with figures as (
  select posts, posts_with_emv
  from emv_totals
  where is_current
),
counts as (
  select
    count(*) filter (where dimension = 'profile') as profiles,
    count(*) filter (where dimension = 'profile' and kind = 'page') as pages,
    count(*) filter (where dimension = 'profile' and kind = 'member') as members,
    count(*) filter (where dimension = 'type') as types,
    count(*) filter (where dimension = 'campaign' and name <> '(none)') as campaigns,
    count(*) filter (where dimension = 'label' and name <> '(none)') as labels
  from emv_groups
),
banded as (
  select count(*) as posts
  from report_posts
  where emv is not null and impression_count is not null
),
bases as (
  select
    unnest(['by_month', 'concentration', 'distribution']) as section,
    posts_with_emv as n,
    'n = {n:count} post with EMV' as one,
    'n = {n:count} posts with EMV' as many,
    null::bigint as m
  from figures
  union all
  select 'cpm_band', posts, 'n = {n:count} post with impressions and EMV',
    'n = {n:count} posts with impressions and EMV', null
  from banded
  union all
  select unnest(['cpm_source', 'posts', 'summary', 'left_out']), posts, 'n = {n:count} post', 'n = {n:count} posts', null
  from figures
  union all
  select
    'by_profile',
    profiles,
    '{n:count} profile',
    case
      when pages + members < profiles or pages = 0 or members = 0 then '{n:count} profiles'
      else '{pages:count} ' || case when pages = 1 then 'page' else 'pages' end
        || ', {m:count} ' || case when members = 1 then 'member' else 'members' end
    end,
    members
  from counts
  union all
  select 'by_type', types, '{n:count} type', '{n:count} types', null from counts
  union all
  select 'by_campaign', campaigns, '{n:count} campaign', '{n:count} campaigns', null from counts
  union all
  select 'by_label', labels, '{n:count} label', '{n:count} labels', null from counts
)
select section, case when n = 1 then one else many end as text, n, m, n - m as pages
from bases
where n > 0
order by section;
