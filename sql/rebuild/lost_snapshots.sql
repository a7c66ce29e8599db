-- grain: a day of snapshots that the published warehouse has from responses whose bodies were pruned, and the rebuilt one has not
-- key: captured_on
-- reads: published.linkedin_post_snapshots, rebuilt.linkedin_post_snapshots
-- parameters: $pruned_file (a line of JSON for each pruned response)
select
  captured_on,
  count(*) as snapshots
from published.linkedin_post_snapshots as known
semi join (
  select workspace, run_id || ' ' || format('{:09d}', seq) as response
  from read_json(
    $pruned_file,
    format = 'newline_delimited',
    columns = {'workspace': 'VARCHAR', 'run_id': 'VARCHAR', 'seq': 'BIGINT'}
  )
) as pruned
  on pruned.workspace = known.workspace
  and pruned.response = substr(known.reading, 29)
anti join rebuilt.linkedin_post_snapshots as made
  on made.workspace = known.workspace
  and made.linkedin_post_id = known.linkedin_post_id
  and made.reading = known.reading
group by captured_on
order by captured_on;
