-- grain: one fact about the basis of the figures, in the page's order
-- key: text
select *
from coverage_of('posts', 'engagements')
order by position;
