-- grain: a type of the load's posts that is not in the API's documentation
-- key: type
-- reads: new_responses, readings
-- parameters: $known_types
select distinct type
from readings
semi join new_responses using (workspace, run_id, seq)
where not list_contains($known_types, type)
order by type;
