-- grain: one reason why posts are missing in some figures; a post may have several
-- key: reason
-- reads: report_read_posts, growth_posts
with newest as (
  select max(last_on) as newest_on
  from growth_posts
),
counted as (
  select
    count(*) as posts,
    count(*) filter (where growth_posts.readings is null) as unread,
    count(*) filter (where not growth_posts.is_read_again) as read_once,
    count(*) filter (where report_read_posts.published_at is null) as without_time,
    count(*) filter (where growth_posts.first_age > 7) as first_read_late,
    count(*) filter (where growth_posts.first_age between 2 and 7) as first_read_after_days,
    count(*) filter (where growth_posts.last_on < newest_on - 7) as not_read_lately,
    count(*) filter (where growth_posts.has_gaps) as with_gaps,
    count(*) filter (where growth_posts.has_no_age and report_read_posts.published_at is not null) as across_ages
  from report_read_posts
  cross join newest
  left join growth_posts using (workspace, linkedin_post_id)
)
select reason, reasons.posts, reasons.posts / nullif(counted.posts, 0) as posts_share, consequence
from counted
cross join lateral (
  values
    (1, 'No readings', unread, 'every figure of growth'),
    (2, 'Single reading', read_once, 'every increment: there is no second reading to compare with'),
    (3, 'First read more than 7 days after publication', first_read_late, 'figures of days 1 to 7'),
    (4, 'First read 2 to 7 days after publication', first_read_after_days, 'figures of day 1'),
    (5, 'No time of publication', without_time, 'figures by age and by month of publication'),
    (6, 'Not read every day', with_gaps, 'single days: increments over several days are in columns of their own'),
    (7, 'Increments that span two age groups', across_ages, 'figures by age'),
    (8, 'Not read in the last 7 days', not_read_lately, 'figures of the last 7 days')
) as reasons (position, reason, posts, consequence)
where reasons.posts > 0
order by position;
