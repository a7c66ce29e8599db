-- grain: at most one row; none if every post has a time of publication
-- reads: report_posts
select
  '{untimed:count} {untimed|post|posts} without a time of publication {untimed|is|are} excluded.' as text,
  count(*) as untimed
from report_posts
where published_local is null
having untimed > 0;
