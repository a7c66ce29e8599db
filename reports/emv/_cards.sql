-- grain: one card, in the page's order
-- key: label
-- reads: cards_of, report_facts
select *
from cards_of('report_sums', 'all', [
  {'label': 'EMV', 'format': 'money', 'figure': 'emv', 'cell': 'emv', 'young': 'emv'},
  {'label': 'Impressions', 'format': 'count', 'figure': 'impressions', 'cell': 'impressions', 'young': 'impressions'},
  {'label': 'Posts', 'format': 'count', 'figure': 'posts', 'cell': 'posts', 'young': null},
  {'label': 'EMV per post', 'format': 'money', 'figure': 'emv_per_post', 'cell': 'emv_per_post', 'young': 'emv'},
  {'label': 'Median EMV per post', 'format': 'money', 'figure': 'median_emv', 'cell': 'median_emv', 'young': 'posts'},
  {'label': cpm_title(), 'format': 'money_exact', 'figure': 'effective_cpm', 'cell': 'effective_cpm', 'young': null},
  {'label': 'Interactions', 'format': 'count', 'figure': 'interactions', 'cell': null, 'young': null},
  {'label': 'Likes', 'format': 'count', 'figure': 'likes', 'cell': null, 'young': null},
  {'label': 'Comments', 'format': 'count', 'figure': 'comments', 'cell': null, 'young': null},
  {'label': 'Shares', 'format': 'count', 'figure': 'shares', 'cell': null, 'young': null}
])
-- without EMV, what is known instead
where label = 'Posts'
  or (cell is null) = exists (from report_facts where emv is null and interactions is not null)
order by position;
