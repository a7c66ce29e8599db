-- grain: a batch
-- key: none
-- reads: staged_records, staged_rejects
-- parameters: $known_types
select
  (select count(*) from staged_records where problem is null) as posts_read,
  (select count(*) from staged_rejects) as rejected,
  (
    select list(distinct type order by type)
    from staged_records
    where problem is null and not list_contains($known_types, type)
  ) as unknown_types
order by all;
