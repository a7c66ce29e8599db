-- grain: a part of a run of which responses were loaded, with their seqs
-- key: workspace, run_id
-- reads: loaded_responses
-- parameters: none
select workspace, run_id, string_agg(cast(seq as varchar), ',' order by seq) as seqs
from loaded_responses
group by workspace, run_id
order by workspace, run_id;
