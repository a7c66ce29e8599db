-- grain: one card, in the page's order
-- key: label
-- reads: report_groups
--
-- LinkedIn counts saves for members and clicks for pages, so a card appears only if there are such posts.
with cards as (
  select *
  from cards_of('report_sums', 'all', [
    {'label': 'Engagement rate', 'format': 'rate', 'figure': 'engagement_rate', 'cell': 'engagement_rate', 'young': null},
    {'label': 'Engagements', 'format': 'count', 'figure': 'engagements', 'cell': 'engagements', 'young': 'engagements'},
    {'label': 'Impressions', 'format': 'count', 'figure': 'impressions', 'cell': 'impressions', 'young': 'engagements'},
    {'label': 'Comments', 'format': 'count', 'figure': 'comments', 'cell': 'comments', 'young': 'engagements'},
    {'label': 'Saves, members', 'format': 'count', 'figure': 'member_saves', 'cell': 'saves_of_members', 'young': 'engagements'},
    {'label': 'Clicks, pages', 'format': 'count', 'figure': 'page_clicks', 'cell': 'clicks_of_pages', 'young': 'engagements'},
    {'label': 'Likes', 'format': 'count', 'figure': 'likes', 'cell': 'likes', 'young': 'engagements'},
    {'label': 'Shares', 'format': 'count', 'figure': 'shares', 'cell': 'shares', 'young': 'engagements'}
  ])
),
known as (
  select any_value(member_save_posts) as members, any_value(page_click_posts) as pages
  from report_groups
  where dimension = 'all'
)
select
  cards.* replace (
    case label
      when 'Saves, members' then 'Saves, members (n = {members:count})'
      when 'Clicks, pages' then 'Clicks, pages (n = {pages:count})'
      else label
    end as label
  ),
  members,
  pages
from cards
cross join known
where (label <> 'Saves, members' or members > 0) and (label <> 'Clicks, pages' or pages > 0)
order by position
limit 6;
