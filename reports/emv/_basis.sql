-- grain: one section of a list: its basis
-- key: section
-- reads: report_groups
select
  unnest(
    [
      {'section': 'concentration', 'text': 'n = {posts_with_emv:count} {posts_with_emv|post|posts} with EMV'},
      {'section': 'distribution', 'text': 'n = {posts_with_emv:count} {posts_with_emv|post|posts} with EMV'},
      {'section': 'cpm_band', 'text': 'n = {posts_with_cpm:count} {posts_with_cpm|post|posts} with impressions and EMV'},
      {'section': 'cpm_source', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'posts', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'summary', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'left_out', 'text': 'n = {posts:count} {posts|post|posts}'}
    ],
    recursive := true
  ),
  nullif(columns('^posts'), 0)
from report_groups
where dimension = 'all';
