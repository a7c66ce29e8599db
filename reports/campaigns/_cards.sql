-- grain: one card, in the page's order
-- key: label
-- reads: cards_of
select *
from cards_of('campaign_sums', 'all', [
  {'label': 'EMV of campaigns', 'format': 'money', 'figure': 'emv', 'cell': 'emv', 'young': 'emv'},
  {'label': 'Campaigns', 'format': 'count', 'figure': 'campaigns', 'cell': 'campaigns', 'young': null},
  {'label': 'Posts', 'format': 'count', 'figure': 'posts', 'cell': 'posts', 'young': null},
  {'label': 'Impressions', 'format': 'count', 'figure': 'impressions', 'cell': 'impressions', 'young': 'impressions'},
  {'label': 'Engagement rate', 'format': 'rate', 'figure': 'engagement_rate', 'cell': 'engagement_rate', 'young': 'impressions'},
  {'label': 'Video views', 'format': 'count', 'figure': 'views', 'cell': 'views', 'young': 'views'}
])
order by position;
