-- grain: one sentence of a list about the posts behind the totals
-- reads: report_posts, report_settings
with posts as (
  select
    nullif(count(*) filter (where emv_source = 'profile_cpm'), 0) as by_profile_cpm
  from report_posts
)
select
  unnest([
    'Every post with impressions is priced at a CPM of {cpm:cpm}, regardless of the EMV that the service gives.',
    'The EMV of {by_profile_cpm:count} {by_profile_cpm|post|posts} is computed with the CPM of {by_profile_cpm|its profile|their profiles}: the service gives none.'
  ]) as text,
  by_profile_cpm,
  cpm
from posts
cross join report_settings;
