-- grain: one fault, and one value where the fault is a word or a metric
-- key: fault, value
-- reads: quality_faults, report_facts
select
  fault,
  value,
  count(*) as posts,
  count(*) / any_value(report_facts.posts) as posts_share,
  min(linkedin_post_id) as example_post
from quality_faults
cross join report_facts
group by position, fault, value
order by position, posts desc, value;
