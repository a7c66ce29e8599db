-- grain: at most one row; none where every type of the comparison period has posts
-- key: none
-- reads: none
-- parameters: none
select *
from gone_notes('posts', 'type', 'emv');
