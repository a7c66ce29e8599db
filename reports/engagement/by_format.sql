-- grain: one format; a post with images has two of them
-- key: format
select name as format, * exclude (name)
from engagement_by_detail('format')
order by format_order(format);
