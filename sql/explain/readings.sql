-- grain: one reading of the post; up to the day of --as-of, the last of each day
-- key: workspace, linkedin_post_id, reading_id
-- reads: explained_cell, linkedin_post_snapshots, readings, report_settings
select
  readings.workspace,
  readings.linkedin_post_id,
  readings.fetched_at,
  columns('^(.*_count|engagement|emv|video_watch_time_seconds)$'),
  readings.run_id,
  readings.seq,
  readings.reading_id % 2097152 as place
from readings
join (select workspace, linkedin_post_id from explained_cell) as post using (workspace, linkedin_post_id)
left join (select workspace, linkedin_post_id, reading_id, captured_on from linkedin_post_snapshots) as snapshots
  using (workspace, linkedin_post_id, reading_id)
cross join (select as_of from report_settings) as settings
where as_of is null or captured_on <= as_of
order by readings.reading_id;
