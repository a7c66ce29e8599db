-- grain: one sentence about what the totals rest on, in the page's order
-- key: text
-- reads: report_posts, report_settings
-- parameters: none
with posts as (
  select
    count(*) filter (where emv_source = 'api') as by_api,
    count(*) filter (where emv_source = 'profile_cpm') as by_profile_cpm
  from report_posts
),
facts as (
  select
    1 as position,
    'Every post is priced at a CPM of {amount:cpm}, whatever the service says.' as text,
    null::bigint as n,
    cpm as amount
  from report_settings
  where cpm is not null
  union all
  select
    2,
    case
      when by_api = 0 then 'EMV is computed with the CPM of the profiles: the service gave none.'
      else case when by_profile_cpm = 1 then 'The EMV of {n:count} post is' else 'The EMV of {n:count} posts is' end
        || ' computed with the CPM of the profile: the service gave none.'
    end,
    by_profile_cpm,
    null
  from posts
  where by_profile_cpm > 0
)
select text, n, amount
from facts
order by position;
