-- grain: one sentence of a list about the posts behind the totals
-- reads: report_posts, report_settings
with posts as (
  select
    count(*) filter (where emv_source = 'api') as by_api,
    nullif(count(*) filter (where emv_source = 'profile_cpm'), 0) as by_profile_cpm
  from report_posts
)
select
  unnest([
    'Every post is priced at a CPM of {cpm:cpm}, regardless of the EMV that the service gives.',
    case
      when by_api > 0
        then 'The EMV of {by_profile_cpm:count} {by_profile_cpm|post|posts} is computed with the CPM of the profile: the service gives none.'
      when by_profile_cpm > 0 then 'EMV is computed with the CPM of the profiles: the service gives none.'
    end
  ]) as text,
  by_profile_cpm,
  cpm
from posts
cross join report_settings;
