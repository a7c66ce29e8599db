-- grain: one section: what it rests on
-- key: section
-- reads: campaign_totals
with bases as (
  select unnest(
    [
      {'section': 'by_campaign', 'n': campaigns, 'text': '{n:count} {n|campaign|campaigns} with posts'},
      {'section': 'by_campaign_profile', 'n': profiles, 'text': '{n:count} {n|profile|profiles}'},
      {'section': 'best_posts', 'n': posts_with_emv, 'text': 'n = {n:count} {n|post|posts} with EMV'},
      {'section': 'posts', 'n': posts, 'text': 'n = {n:count} {n|post|posts}'},
      {'section': 'left_out', 'n': posts, 'text': 'n = {n:count} {n|post|posts}'},
      {'section': 'summary', 'n': posts, 'text': 'n = {n:count} {n|post|posts}'}
    ],
    recursive := true
  )
  from campaign_totals
  where is_current
)
select section, text, n
from bases
where n > 0
order by section;
