-- grain: one fact about what the figures rest on, in the page's order
-- key: text
select *
from coverage_of('posts', 'emv')
order by position;
