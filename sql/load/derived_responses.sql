-- grain: a response whose posts the load derives
-- key: workspace, run_id, seq
-- reads: new_responses, loaded_responses, readings, derived_posts
-- parameters: $all_readings (true if all posts are derived)
--
-- Returns how many readings these and the other derived posts have, about, and whether any reading has a value that could
-- not be read.
create or replace temp table derived_responses as
select workspace, run_id, seq
from new_responses
union
select workspace, run_id, seq
from loaded_responses
where $all_readings;

select
  count(*) + (select count(*) from derived_posts) as readings,
  (select count(unreadable) > 0 from readings) as has_unreadable
from readings
semi join derived_responses using (workspace, run_id, seq);
