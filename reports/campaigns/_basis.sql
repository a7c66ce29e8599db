-- grain: one section of a list: its basis
-- key: section
-- reads: campaign_totals
select * replace (nullif(n, 0) as n)
from (
  select unnest([
    {'section': 'by_campaign', 'text': '{n:count} {n|campaign|campaigns} with posts', 'n': campaigns},
    {'section': 'by_campaign_profile', 'text': '{n:count} {n|profile|profiles}', 'n': profiles},
    {'section': 'best_posts', 'text': 'n = {n:count} {n|post|posts} with EMV', 'n': posts_with_emv},
    {'section': 'posts', 'text': 'n = {n:count} {n|post|posts}', 'n': posts},
    {'section': 'left_out', 'text': 'n = {n:count} {n|post|posts}', 'n': posts},
    {'section': 'summary', 'text': 'n = {n:count} {n|post|posts}', 'n': posts}
  ], recursive := true)
  from campaign_totals
  where is_current
);
