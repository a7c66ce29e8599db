-- grain: one reading of the post
-- key: workspace, linkedin_post_id, reading_id
-- reads: explained_cell, readings
select
  readings.workspace,
  readings.linkedin_post_id,
  readings.fetched_at,
  columns('^(.*_(count|seconds)|engagement|emv)$'),
  readings.run_id,
  readings.seq,
  readings.reading_id % 2097152 as place
from readings
join (select workspace, linkedin_post_id from explained_cell) as post using (workspace, linkedin_post_id)
order by readings.reading_id;
