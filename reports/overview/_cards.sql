-- grain: one figure of the scorecard, in its order
-- key: label
-- reads: cards_of
--
-- Pages show the scorecard in their place; mails, comments and corrections name these.
select *
from cards_of('report_sums', 'all', [
  {'label': 'EMV', 'format': 'money', 'figure': 'emv', 'cell': null, 'young': 'emv'},
  {'label': 'Impressions', 'format': 'count', 'figure': 'impressions', 'cell': null, 'young': 'impressions'},
  {'label': 'Engagement rate', 'format': 'rate', 'figure': 'engagement_rate', 'cell': null, 'young': 'impressions'},
  {'label': 'Interactions', 'format': 'count', 'figure': 'interactions', 'cell': null, 'young': null},
  {'label': 'Posts', 'format': 'count', 'figure': 'posts', 'cell': null, 'young': null},
  {'label': 'Video views', 'format': 'count', 'figure': 'views', 'cell': null, 'young': null},
  {'label': 'Watch time', 'format': 'duration', 'figure': 'watch_time_seconds', 'cell': null, 'young': null}
])
where value is not null
order by position;
