-- grain: one sentence of a list
-- reads: campaign_list, campaign_posts, campaign_totals
with counted as (
  select
    (select nullif(posts_outside_dates, 0) from campaign_totals where is_current) as outside,
    nullif(count(*) filter (where posts = 0), 0) as without_posts,
    nullif(count(*) filter (where posts > 0 and dates_from <> 'the campaign'), 0) as dated_by_posts,
    nullif(count(*) filter (where campaigns > 1), 0) as shared_names,
    count(*) filter (where emv is not null and first_post is not null) as drawn,
    case when drawn > 6 then drawn - 5 end as others,
    (select nullif(count(*), 0) from campaign_posts where published_at is null) as undated
  from campaign_list
)
select
  unnest([
    '{outside:count} {outside|post was|posts were} published outside the dates of the campaign. {outside|It counts|They count} all the same.',
    '{without_posts:count} {without_posts|campaign has|campaigns have} no posts in this report. Campaigns outside the period are not listed.',
    '{dated_by_posts:count} {dated_by_posts|campaign has|campaigns have} no unambiguous start or end date: the date of the first or last post is shown instead.',
    '{shared_names:count} {shared_names|name is|names are} shared by several campaigns, which are shown as one.',
    'The chart shows the 5 campaigns with the most EMV, and the other {others:count} as one line.',
    '{undated:count} {undated|post|posts} without a time of publication {undated|is|are} in the table but not in the chart.'
  ]) as text,
  *
from counted;
