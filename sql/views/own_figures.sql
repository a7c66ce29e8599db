-- grain: one value of a figure that the API does not give
-- key: client, job, figure, workspace, profile_id, day, month
-- reads: load_settings
--
-- The rows of the files that `figures` of clients and jobs name. In a report these are the rows of its own scope, and client
-- and job are null. line: the line in the file.
create or replace view own_figures as
with given as (
  select
    unnest(
      from_json(
        figures,
        '[{
          "client": "VARCHAR", "job": "VARCHAR", "line": "BIGINT", "workspace": "VARCHAR", "profile_id": "VARCHAR", "profile": "VARCHAR",
          "first_day": "DATE", "grain": "VARCHAR", "figure": "VARCHAR", "value": "DOUBLE", "kind": "VARCHAR", "format": "VARCHAR"
        }]'
      ),
      recursive := true
    )
  from load_settings
)
select
  client,
  job,
  line,
  workspace,
  profile_id,
  profile,
  case when grain = 'day' then first_day end as day,
  date_trunc('month', first_day)::date as month,
  figure,
  value,
  kind,
  format
from given;
