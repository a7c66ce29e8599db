-- grain: one figure of reports/shared.yaml
-- key: figure
-- reads: report_figures, report_packed
--
-- How many posts, and how many videos, of the period there are, and have the figure.
select
  name as figure,
  count(*) as posts,
  count(*) filter (where type = 'Video') as videos,
  count(value) as known,
  count(value) filter (where type = 'Video') as known_of_videos
from (
  select
    figures.name,
    type,
    finite(amount_of(dividend, post) / case when divisor is null then 1 else amount_of(divisor, post) end) as value
  from report_packed
  cross join report_figures as figures
  where is_current
)
group by name;
