-- grain: one section of a list: its basis
-- key: section
-- reads: emv_groups, report_posts
with posts as (
  select
    nullif(count(*), 0) as posts,
    nullif(count(emv), 0) as with_emv,
    nullif(count(emv) filter (where impression_count is not null), 0) as banded
  from report_posts
),
groups as (
  select
    nullif(count(*) filter (where dimension = 'profile'), 0) as profiles,
    count(*) filter (where dimension = 'profile' and kind = 'page') as pages,
    count(*) filter (where dimension = 'profile' and kind = 'member') as members,
    nullif(count(*) filter (where dimension = 'type'), 0) as types,
    nullif(count(*) filter (where dimension = 'campaign' and name <> '(none)'), 0) as campaigns,
    nullif(count(*) filter (where dimension = 'label' and name <> '(none)'), 0) as labels
  from emv_groups
)
select
  unnest(
    [
      {'section': 'by_month', 'text': 'n = {with_emv:count} {with_emv|post|posts} with EMV'},
      {'section': 'concentration', 'text': 'n = {with_emv:count} {with_emv|post|posts} with EMV'},
      {'section': 'distribution', 'text': 'n = {with_emv:count} {with_emv|post|posts} with EMV'},
      {'section': 'cpm_band', 'text': 'n = {banded:count} {banded|post|posts} with impressions and EMV'},
      {'section': 'cpm_source', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'posts', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'summary', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'left_out', 'text': 'n = {posts:count} {posts|post|posts}'},
      {
        'section': 'by_profile',
        'text': case
          when pages + members = profiles and least(pages, members) > 0
            then '{pages:count} {pages|page|pages}, {members:count} {members|member|members}'
          else '{profiles:count} {profiles|profile|profiles}'
        end
      },
      {'section': 'by_type', 'text': '{types:count} {types|type|types}'},
      {'section': 'by_campaign', 'text': '{campaigns:count} {campaigns|campaign|campaigns}'},
      {'section': 'by_label', 'text': '{labels:count} {labels|label|labels}'}
    ],
    recursive := true
  ),
  *
from posts
cross join groups;
