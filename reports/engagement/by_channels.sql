-- grain: whether posts went to other channels too
-- key: channels
select name as channels, * exclude (name)
from engagement_by_detail('channels')
order by channels desc;
