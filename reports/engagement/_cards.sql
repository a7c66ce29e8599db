-- grain: one card, in the page's order
-- key: label
-- reads: cards_of, report_facts
--
-- LinkedIn counts saves for members and clicks for pages, so a card appears only if there are such posts.
select cards.*, member_save_posts as members, page_click_posts as pages
from cards_of('report_sums', 'all', [
  {'label': 'Engagement rate', 'format': 'rate', 'figure': 'engagement_rate', 'cell': 'engagement_rate', 'young': null},
  {'label': 'Engagements', 'format': 'count', 'figure': 'engagements', 'cell': 'engagements', 'young': 'engagements'},
  {'label': 'Impressions', 'format': 'count', 'figure': 'impressions', 'cell': 'impressions', 'young': 'engagements'},
  {'label': 'Comments', 'format': 'count', 'figure': 'comments', 'cell': 'comments', 'young': 'engagements'},
  {'label': 'Saves, members (n = {members:count})', 'format': 'count', 'figure': 'member_saves', 'cell': 'saves_of_members', 'young': 'engagements'},
  {'label': 'Clicks, pages (n = {pages:count})', 'format': 'count', 'figure': 'page_clicks', 'cell': 'clicks_of_pages', 'young': 'engagements'},
  {'label': 'Likes', 'format': 'count', 'figure': 'likes', 'cell': 'likes', 'young': 'engagements'},
  {'label': 'Shares', 'format': 'count', 'figure': 'shares', 'cell': 'shares', 'young': 'engagements'}
]) as cards
cross join report_facts
where (not contains(label, 'members') or members > 0) and (not contains(label, 'pages') or pages > 0)
order by position
limit 6;
