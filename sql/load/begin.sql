-- grain: none; the temporary tables that a load fills, and macros for its statements
-- key: none
-- reads: none
-- parameters: none

-- The rows of a JSON array of objects that have a form such as '[{"id": "VARCHAR"}]'.
create or replace temp macro rows_of(list, form) as table
  select unnest(from_json(list::json, form), max_depth := 2);

-- The rows of a JSON array of responses. file is the response's index in the list of files that a statement reads,
-- first_row the number of records before it.
create or replace temp macro responses_of(list) as table
  from rows_of(
    list,
    '[{
      "workspace": "VARCHAR", "run_id": "VARCHAR", "seq": "BIGINT", "kind": "VARCHAR",
      "profile_id": "VARCHAR", "start_date": "DATE", "end_date": "DATE", "post_id": "VARCHAR",
      "outcome": "VARCHAR", "http_status": "INTEGER", "fetched_at": "TIMESTAMPTZ", "requests": "BIGINT",
      "error": "VARCHAR", "records": "BIGINT", "distinct_posts": "BIGINT", "first_day": "DATE", "last_day": "DATE",
      "reason": "VARCHAR", "outside": "BIGINT", "part_of": "DATE", "posts_read": "BIGINT",
      "rejected": "BIGINT", "file": "VARCHAR", "first_row": "BIGINT"
    }]'
  );

create or replace temp table new_responses as
from responses_of('[]');

-- The posts that are derived without a new reading.
create or replace temp table derived_posts (workspace varchar, linkedin_post_id varchar);
-- The profiles whose posts the load derives.
create or replace temp table derived_profiles (workspace varchar, profile_id varchar);
-- The events that are new or have a changed outcome, each with the workspace to which it belonged before.
create or replace temp table touched_events (event_key varchar, workspace_before varchar);
-- The posts that those events concern now or concerned before.
create or replace temp table removed_posts (workspace varchar, post_id varchar);

-- Wraps a text that is a join key beside `workspace`. DuckDB would otherwise search a whole large table for the key,
-- which takes ten times as long as finding the rows of a few workspaces.
create or replace temp macro second_key(text) as text || '';

-- Returns a hash of an address, which takes less memory; null without one. Two addresses may have the same hash.
create or replace temp macro address_hash(workspace, address) as
  case when address is not null then hash(workspace, address) end;

-- Parses ISO 8601 with `Z` or an offset. A time without either is UTC.
create or replace temp macro time_of(text) as
  try_cast(regexp_replace(upper(text), '^(.{10})[T ](\d{2}:\d{2})(Z|[+-].*)?$', '\1T\2:00\3') as timestamptz);

-- Returns the reading_id of the record at `row_index` of what was received at `moment`. An event may name a year
-- before 1970 or after 2109; these are moved to the limits, since a bigint has no room for more.
create or replace temp macro reading_id_of(moment, row_index) as
  greatest(0, least(epoch_ms(moment), 4398046511103)) * 2097152 + row_index;

create or replace temp macro assets_of(assets) as
  list_filter(
    list_transform(
      assets,
      lambda asset: {
        'asset_id': asset ->> '/id',
        'name': asset ->> '/name',
        'url': asset ->> '/url',
        'mimetype': asset ->> '/mimetype',
        'size': try_cast(asset ->> '/size' as bigint),
        'width': try_cast(asset ->> '/width' as bigint),
        'height': try_cast(asset ->> '/height' as bigint),
        'duration': try_cast(asset ->> '/duration' as double)
      }
    ),
    lambda asset: asset.asset_id <> ''
  );
