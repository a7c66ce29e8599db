-- grain: one section of a list: its basis
-- key: section
-- reads: campaign_totals
select
  unnest(
    [
      {'section': 'by_campaign', 'text': '{campaigns:count} {campaigns|campaign|campaigns} with posts'},
      {'section': 'by_campaign_profile', 'text': '{profiles:count} {profiles|profile|profiles}'},
      {'section': 'best_posts', 'text': 'n = {posts_with_emv:count} {posts_with_emv|post|posts} with EMV'},
      {'section': 'posts', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'left_out', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'summary', 'text': 'n = {posts:count} {posts|post|posts}'}
    ],
    recursive := true
  ),
  nullif(columns('^(posts|campaigns$|profiles$)'), 0)
from campaign_totals
where is_current;
