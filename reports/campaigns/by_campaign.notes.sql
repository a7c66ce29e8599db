-- grain: one sentence of a list
-- reads: campaign_list, report_facts
with counted as (
  select
    (select nullif(posts_outside_dates, 0) from report_facts) as outside,
    nullif(count(*) filter (where posts = 0), 0) as without_posts,
    nullif(count(*) filter (where contains(dates_from, 'post')), 0) as dated_by_posts,
    nullif(count(*) filter (where campaigns > 1), 0) as shared_names
  from campaign_list
)
select
  unnest([
    '{outside:count} {outside|post was|posts were} published outside the dates of {outside|its campaign. It counts|their campaigns. They count} all the same.',
    '{without_posts:count} {without_posts|campaign has|campaigns have} no posts in this report.',
    '{dated_by_posts:count} {dated_by_posts|campaign has|campaigns have} no unambiguous start or end date: the date of the first or last post is shown instead.',
    '{shared_names:count} {shared_names|name is|names are} shared by several campaigns, which are shown as one.'
  ]) as text,
  *
from counted
union all by name
from campaign_chart_notes();
