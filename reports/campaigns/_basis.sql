-- grain: one section of a list: its basis
-- key: section
-- reads: campaign_totals
select
  unnest(
    [
      {'section': 'by_campaign', 'text': '{campaigns:count} {campaigns|campaign|campaigns} with posts'},
      {'section': 'by_campaign_profile', 'text': '{profiles:count} {profiles|profile|profiles}'},
      {'section': 'best_posts', 'text': 'n = {with_emv:count} {with_emv|post|posts} with EMV'},
      {'section': 'posts', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'left_out', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'summary', 'text': 'n = {posts:count} {posts|post|posts}'}
    ],
    recursive := true
  ),
  nullif(campaigns, 0) as campaigns,
  nullif(profiles, 0) as profiles,
  nullif(posts_with_emv, 0) as with_emv,
  nullif(posts, 0) as posts
from campaign_totals
where is_current;
