-- grain: one card, in the page's order
-- key: label
select *
from cards_of('label_sums', 'labelled', [
  {'label': 'Posts with a label', 'format': 'count', 'figure': 'posts', 'cell': 'labelled_posts', 'young': null},
  {'label': 'Their EMV', 'format': 'money', 'figure': 'emv', 'cell': 'labelled_emv', 'young': 'emv'},
  {'label': 'Their EMV per post', 'format': 'money', 'figure': 'emv_per_post', 'cell': 'labelled_emv_per_post', 'young': 'emv'},
  {'label': 'Their impressions', 'format': 'count', 'figure': 'impressions', 'cell': 'labelled_impressions', 'young': 'impressions'},
  {'label': 'Their engagement rate', 'format': 'rate', 'figure': 'engagement_rate', 'cell': 'labelled_engagement_rate', 'young': 'impressions'}
])
order by position;
