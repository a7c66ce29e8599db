-- grain: one sentence: how to deal with the warnings of a kind
-- key: text
-- reads: report_warnings
with kinds as (
  select distinct case when kind = 'cut_off_answer' and before is null then 'indivisible' else kind end as kind
  from report_warnings
),
advice as (
  select 1 as position, 'metric_drop' as kind,
    'Counts fell: check one of the posts on LinkedIn. If it has more, run again with --full.' as text
  union all
  select 2, 'empty_window',
    'No posts: check whether the workspace still shows them with figures, then run again with --from and --to. They keep their last figures.'
  union all
  select 3, 'cut_off_answer',
    'Truncated response: no action needed. The days were read again in halves, and will be from now on.'
  union all
  select 4, 'indivisible',
    'Truncated response for a single day: compare the posts of the day with LinkedIn. The API gives no more at once.'
)
select text
from advice
join kinds using (kind)
order by position;
