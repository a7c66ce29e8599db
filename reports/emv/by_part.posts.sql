-- grain: one post behind a row of by_part
-- key: part, workspace, linkedin_post_id
-- reads: report_counts, report_posts
select part, workspace, linkedin_post_id, count, price * count / per as emv
from report_counts
where is_current and price is not null
union all
select 'api', workspace, linkedin_post_id, 1, emv
from report_posts
where emv_source = 'api'
order by part, workspace, linkedin_post_id;
