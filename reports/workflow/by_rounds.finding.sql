-- grain: at most one row; none with fewer than 10 posts whose comments were read
-- reads: workflow_rounds
select
  '{commented:share} of the posts with comments read were commented on before publication{later:phrase}' as text,
  ', {several:share} on several days' as later,
  count(*) filter (where rounds > 0) / count(*) as commented,
  nullif(count(*) filter (where rounds > 1) / count(*), 0) as several
from workflow_rounds
having count(*) >= 10 and commented > 0;
