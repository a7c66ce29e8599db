-- grain: a part of the table whose rows differ from those of the last export
-- key: export_part
-- reads: export_rows, known_parts
create or replace temp table changed_parts as
with own_parts as (
  select export_part, concat(count(*), ' ', sum(hash(export_rows)::hugeint)) as digest
  from export_rows
  group by export_part
)
select export_part, own_parts.digest
from own_parts
full join known_parts using (export_part)
where own_parts.digest is distinct from known_parts.digest;
