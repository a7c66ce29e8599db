-- grain: at most one row; none where every type of the period before has posts
-- key: none
-- reads: emv_gone
-- parameters: none
select text, n, gone_emv
from emv_gone
where dimension = 'type';
