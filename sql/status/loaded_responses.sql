-- grain: a loaded response, as <workspace>/<run_id>/<seq>
-- key: key
-- reads: loaded_responses
-- parameters: none
select workspace || '/' || run_id || '/' || seq as key
from loaded_responses
order by key;
