-- grain: at most one row; none where every label of the comparison period has posts
select *
from gone_notes('posts', 'label', 'engagements');
