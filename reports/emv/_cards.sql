-- grain: one card, in the page's order
-- key: label
select *
from cards_of('emv_sums', 'all', [
  {'label': 'EMV', 'format': 'money', 'figure': 'emv', 'cell': 'emv', 'young': 'emv'},
  {'label': 'Impressions', 'format': 'count', 'figure': 'impressions', 'cell': 'impressions', 'young': 'impressions'},
  {'label': 'Posts', 'format': 'count', 'figure': 'posts', 'cell': 'posts', 'young': null},
  {'label': 'EMV per post', 'format': 'money', 'figure': 'emv_per_post', 'cell': 'emv_per_post', 'young': 'emv'},
  {'label': 'Median EMV per post', 'format': 'money', 'figure': 'median_emv', 'cell': 'median_emv', 'young': 'posts'},
  {'label': 'CPM used', 'format': 'money_exact', 'figure': 'effective_cpm', 'cell': 'effective_cpm', 'young': null}
])
order by position;
