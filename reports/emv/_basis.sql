-- grain: one section of a list: its basis
-- key: section
-- reads: report_posts
with posts as (
  select
    nullif(count(*), 0) as posts,
    nullif(count(emv), 0) as with_emv,
    nullif(count(emv) filter (where impression_count is not null), 0) as banded
  from report_posts
)
select
  unnest(
    [
      {'section': 'concentration', 'text': 'n = {with_emv:count} {with_emv|post|posts} with EMV'},
      {'section': 'distribution', 'text': 'n = {with_emv:count} {with_emv|post|posts} with EMV'},
      {'section': 'cpm_band', 'text': 'n = {banded:count} {banded|post|posts} with impressions and EMV'},
      {'section': 'cpm_source', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'posts', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'summary', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'left_out', 'text': 'n = {posts:count} {posts|post|posts}'}
    ],
    recursive := true
  ),
  *
from posts;
