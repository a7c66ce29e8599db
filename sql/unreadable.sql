-- grain: a LinkedIn post of the source and what of it could not be read, a macro
-- key: workspace, linkedin_post_id
--
-- unreadable_of returns the columns of which the newest value that was given could not be read. source: a table of readings
-- with all of their columns. A metric that is null says nothing of itself (metrics expire), a text or a link that is null
-- does, and the parts of a linked post are given only with it.
create or replace temp macro unreadable_of(source) as table
with failed as (
  select workspace, linkedin_post_id, field, max(reading_id) as failed_id
  from (
    select workspace, linkedin_post_id, reading_id, unnest(unreadable) as field
    from query_table(source)
  )
  group by all
),
known as (
  unpivot (
    select
      workspace,
      linkedin_post_id,
      max(case when columns('^(.*_(count|seconds)|engagement|emv)$') is not null then reading_id end) as '\0',
      max(reading_id) filter (
        where not coalesce(list_contains(unreadable, alias(columns('^(url|commentary|type|published_at|post_id)$'))), false)
      ) as '\0',
      max(reading_id) filter (
        where post_id is not null
          and not coalesce(list_contains(unreadable, alias(columns('^(title|labels|campaign_id)$'))), false)
      ) as '\0'
    from query_table(source)
    group by workspace, linkedin_post_id
  )
  on columns(* exclude (workspace, linkedin_post_id))
  into name field value known_id
)
select workspace, linkedin_post_id, list(field order by field) as unreadable
from failed
left join known using (workspace, linkedin_post_id, field)
where failed_id > coalesce(known_id, 0)
group by workspace, linkedin_post_id;
