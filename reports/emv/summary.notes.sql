-- grain: one sentence about what the totals rest on, in the page's order
-- key: text
-- reads: report_posts, report_settings
with posts as (
  select
    count(*) filter (where emv_source = 'api') as by_api,
    count(*) filter (where emv_source = 'profile_cpm') as by_profile_cpm
  from report_posts
),
facts as (
  select unnest(
    [
      {'position': 1, 'text': 'Every post is priced at a CPM of {cpm:cpm}, regardless of the EMV that the service gives.', 'n': 0},
      {
        'position': 2,
        'text': case
          when by_api = 0 then 'EMV is computed with the CPM of the profiles: the service gives none.'
          else 'The EMV of {n:count} {n|post|posts} is computed with the CPM of the profile: the service gives none.'
        end,
        'n': nullif(by_profile_cpm, 0)
      }
    ],
    recursive := true
  ), cpm
  from posts
  cross join report_settings
)
select text, n, cpm
from facts
where n is not null
order by position;
