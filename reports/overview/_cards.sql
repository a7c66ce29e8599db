-- grain: one figure of the scorecard, in its order
-- key: figure
-- reads: aim_of, cards_of, overview_scorecard, report_targets
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
union all by name
-- those that jobs.yaml names a file for
select
  position,
  '{name:text}' as label,
  figure as name,
  figure,
  card.format,
  value,
  previous,
  case when target is not null then case card.format when 'money' then '{target:money}' else '{target:count}' end end as goal,
  case when goal is not null then aim_of(card.is_level, elapsed) end as aim,
  aim as basis,
  target,
  elapsed,
  value / nullif(target, 0) as reached,
  true as is_final
from overview_scorecard as card
left join (select figure, elapsed from report_targets) as goals using (figure)
where is_own
order by position;
