-- grain: the whole warehouse
-- key: none
-- reads: linkedin_posts, runs, loaded_responses, webhook_events
-- parameters: none
select
  (select count(*) from runs) as runs,
  (select count(*) from loaded_responses) as responses,
  (select count(*) from linkedin_posts) as posts,
  count(*) filter (where outcome = 'applied') as applied,
  count(*) filter (where outcome = 'kept') as kept,
  count(*) filter (where outcome = 'rejected') as rejected
from webhook_events
order by all;
