-- grain: one section: what it rests on
-- key: section
-- reads: report_read_posts, growth_readings, growth_posts, growth_at_age
-- parameters: none
with bases as (
  select 'by_day' as section, count(distinct captured_on) as n, 'day read' as one, 'days read' as many
  from growth_readings
  union all
  select 'by_age', count(*), 'post read twice or more', 'posts read twice or more'
  from growth_posts
  where readings >= 2
  union all
  select 'cohorts', count(distinct (workspace, linkedin_post_id)), 'post read at day 1, 7 or 30', 'posts read at day 1, 7 or 30'
  from growth_at_age
  where age in (1, 7, 30)
  union all
  select 'restatements', count(*), 'post read twice or more', 'posts read twice or more'
  from growth_posts
  where readings >= 2
  union all
  select 'posts', count(*), 'post', 'posts'
  from report_read_posts
)
select section, '{n:count} ' || case when n = 1 then one else many end as text, n
from bases
where n > 0
order by section;
