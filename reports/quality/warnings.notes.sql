-- grain: one sentence: what to do about the warnings of a kind
-- key: text
-- reads: report_warnings
-- parameters: none
with kinds as (
  select distinct case when kind = 'cut_off_answer' and before is null then 'indivisible' else kind end as kind
  from report_warnings
),
advice as (
  select 1 as position, 'metric_drop' as kind,
    'Where counts fell: look at one of these posts in LinkedIn. If it has more, run again with the option full.' as text
  union all
  select 2, 'empty_window',
    'Where no posts came: look whether the workspace still shows them with figures, then run again with the options from and to. They keep their last figures.'
  union all
  select 3, 'cut_off_answer',
    'Where an answer was cut off: nothing. Its halves were loaded, and these days are read in halves from then on.'
  union all
  select 4, 'indivisible',
    'Where an answer of a single day was cut off: compare the posts of the day with LinkedIn. The API did not give more at once.'
)
select text
from advice
join kinds using (kind)
order by position;
