-- grain: one post behind a row of cpm_band
-- key: point, workspace, linkedin_post_id
-- reads: report_posts
select unnest(['low', 'used', 'high']) as point, workspace, linkedin_post_id
from report_posts
where emv is not null and impression_count is not null
order by point, workspace, linkedin_post_id;
