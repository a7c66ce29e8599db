-- grain: one fact about what the figures rest on, in the page's order
-- key: text
-- reads: campaign_list, campaign_totals, report_posts
with counted as (
  select
    (select campaigns from campaign_totals where is_current) as m,
    (select count(*) from report_posts where campaign is null) as others,
    (select count(*) from campaign_list where posts = 0) as missed
),
facts as (
  select * replace (
    case when position = 10 then text || ' in {m:count} {m|campaign|campaigns}' else text end as text
  )
  from coverage_of('campaign posts', 'emv')
  union all by name
  select unnest(
    [
      {'position': 15, 'text': '{n:count} without a campaign excluded', 'n': nullif(others, 0)},
      {'position': 16, 'text': '{n:count} {n|campaign|campaigns} without posts', 'n': nullif(missed, 0)}
    ],
    recursive := true
  )
  from counted
)
select text, n, amount, m
from facts
cross join counted
order by position;
