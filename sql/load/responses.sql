-- grain: a response of the batch
-- key: workspace, run_id, seq
-- reads: none
-- parameters: $responses (a JSON array)
insert into new_responses by name
from responses_of($responses);
