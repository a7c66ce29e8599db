-- grain: a table, in two warehouses
-- key: none
-- reads: none
-- parameters: $published and $rebuilt (the table in each), $key (its columns that tell rows apart)
with rows_missing as (
  from query_table($published)
  except all
  from query_table($rebuilt)
),
rows_extra as (
  from query_table($rebuilt)
  except all
  from query_table($published)
),
missing_keys as (
  select list_transform($key, lambda name: to_json(rows_missing) ->> ('/' || name)) as key
  from rows_missing
),
extra_keys as (
  select list_transform($key, lambda name: to_json(rows_extra) ->> ('/' || name)) as key
  from rows_extra
),
differing as (
  select key
  from missing_keys
  semi join extra_keys using (key)
)
select
  (select count(*) from query_table($published)) as rows,
  (select count(*) from missing_keys) - (select count(*) from differing) as missing,
  (select count(*) from extra_keys) - (select count(*) from differing) as extra,
  (select count(*) from differing) as differing,
  (
    select list(array_to_string(key, ' ') order by key)[:3]
    from (
      from missing_keys
      union
      from extra_keys
    )
  ) as examples
order by all;
