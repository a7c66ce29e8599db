-- grain: one section: what it rests on
-- key: section
-- reads: emv_groups, report_posts
with posts as (
  select
    count(*) as posts,
    count(emv) as with_emv,
    count(*) filter (where emv is not null and impression_count is not null) as banded
  from report_posts
),
groups as (
  select
    count(*) filter (where dimension = 'profile') as profiles,
    count(*) filter (where dimension = 'profile' and kind = 'page') as pages,
    count(*) filter (where dimension = 'profile' and kind = 'member') as members,
    count(*) filter (where dimension = 'type') as types,
    count(*) filter (where dimension = 'campaign' and name <> '(none)') as campaigns,
    count(*) filter (where dimension = 'label' and name <> '(none)') as labels
  from emv_groups
),
bases as (
  select
    pages,
    members,
    unnest(
      [
        {'section': 'by_month', 'n': with_emv, 'text': 'n = {n:count} {n|post|posts} with EMV'},
        {'section': 'concentration', 'n': with_emv, 'text': 'n = {n:count} {n|post|posts} with EMV'},
        {'section': 'distribution', 'n': with_emv, 'text': 'n = {n:count} {n|post|posts} with EMV'},
        {'section': 'cpm_band', 'n': banded, 'text': 'n = {n:count} {n|post|posts} with impressions and EMV'},
        {'section': 'cpm_source', 'n': posts, 'text': 'n = {n:count} {n|post|posts}'},
        {'section': 'posts', 'n': posts, 'text': 'n = {n:count} {n|post|posts}'},
        {'section': 'summary', 'n': posts, 'text': 'n = {n:count} {n|post|posts}'},
        {'section': 'left_out', 'n': posts, 'text': 'n = {n:count} {n|post|posts}'},
        {
          'section': 'by_profile',
          'n': profiles,
          'text': case
            when pages + members = profiles and least(pages, members) > 0
              then '{pages:count} {pages|page|pages}, {members:count} {members|member|members}'
            else '{n:count} {n|profile|profiles}'
          end
        },
        {'section': 'by_type', 'n': types, 'text': '{n:count} {n|type|types}'},
        {'section': 'by_campaign', 'n': campaigns, 'text': '{n:count} {n|campaign|campaigns}'},
        {'section': 'by_label', 'n': labels, 'text': '{n:count} {n|label|labels}'}
      ],
      recursive := true
    )
  from posts
  cross join groups
)
select section, text, n, pages, members
from bases
where n > 0
order by section;
