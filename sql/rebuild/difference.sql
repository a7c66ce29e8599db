-- grain: a table, in two warehouses
-- key: none
-- reads: none
-- parameters: $published and $rebuilt (the table in each)
select
  (select count(*) from query_table($published)) as rows,
  (
    select count(*)
    from (
      from query_table($published)
      except all
      from query_table($rebuilt)
    )
  ) as missing,
  (
    select count(*)
    from (
      from query_table($rebuilt)
      except all
      from query_table($published)
    )
  ) as extra;
