-- grain: an outcome of events
-- key: outcome
-- reads: webhook_events
-- parameters: none
select outcome, count(*) as events
from webhook_events
group by outcome
order by outcome;
