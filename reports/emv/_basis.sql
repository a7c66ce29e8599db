-- grain: one section of a list: its basis
-- key: section
-- reads: report_groups
select * replace (nullif(n, 0) as n)
from (
  select unnest([
    {'section': 'concentration', 'text': 'n = {n:count} {n|post|posts} with EMV', 'n': posts_with_emv},
    {'section': 'distribution', 'text': 'n = {n:count} {n|post|posts} with EMV', 'n': posts_with_emv},
    {'section': 'cpm_band', 'text': 'n = {n:count} {n|post|posts} with impressions and EMV', 'n': posts_with_cpm},
    {'section': 'cpm_source', 'text': 'n = {n:count} {n|post|posts}', 'n': posts},
    {'section': 'posts', 'text': 'n = {n:count} {n|post|posts}', 'n': posts},
    {'section': 'summary', 'text': 'n = {n:count} {n|post|posts}', 'n': posts},
    {'section': 'left_out', 'text': 'n = {n:count} {n|post|posts}', 'n': posts}
  ], recursive := true)
  from report_groups
  where dimension = 'all'
);
