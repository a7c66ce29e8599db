-- grain: one reason why posts are missing in some figures; a post may have several
-- key: reason
-- reads: growth_posts, report_facts
select
  reason,
  count(*) as posts,
  count(*) / any_value(report_facts.posts) as posts_share,
  consequence
from growth_posts
cross join report_facts
cross join lateral (
  values
    (1, 'No readings', growth_posts.readings = 0, 'every figure of growth'),
    (2, 'Single reading', growth_posts.readings > 0 and not is_read_again, 'every increment: there is no second reading to compare with'),
    (3, 'First read more than 7 days after publication', first_age > 7, 'figures of days 1 to 7'),
    (4, 'First read 2 to 7 days after publication', first_age between 2 and 7, 'figures of day 1'),
    (5, 'No time of publication', not has_time, 'figures by age and by month of publication'),
    (6, 'Not read every day', has_gaps, 'single days: increments over several days are in columns of their own'),
    (7, 'Increments that span two age groups', has_no_age and has_time, 'figures by age'),
    (8, 'Not read in the last 7 days', last_on < last_read_on - 7, 'figures of the last 7 days')
) as reasons (position, reason, applies, consequence)
where applies
group by position, reason, consequence
order by position;
