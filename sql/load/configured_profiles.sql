-- grain: a profile that jobs.yaml has
-- key: workspace, profile_id
-- reads: none
-- parameters: $profiles (a JSON array)
create or replace temp macro profiles_of(list) as table
  from rows_of(
    list,
    '[{"workspace": "VARCHAR", "profile_id": "VARCHAR", "name": "VARCHAR", "cpm": "DOUBLE", "until": "DATE", "prices": "VARCHAR"}]'
  );

create or replace temp table configured_profiles as
from profiles_of($profiles);
