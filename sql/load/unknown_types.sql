-- grain: a type of the load's posts that the API's documentation does not have
-- key: type
-- reads: new_responses, readings
-- parameters: $known_types
select distinct type
from readings
semi join new_responses using (workspace, run_id, seq)
where not list_contains($known_types, type)
order by type;
