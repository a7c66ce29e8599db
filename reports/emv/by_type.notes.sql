-- grain: at most one row; none if every type of the comparison period has posts
select *
from gone_notes('posts', 'type', 'emv');
