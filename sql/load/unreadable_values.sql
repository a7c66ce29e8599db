-- grain: a LinkedIn post that a part of the load touches and of which a value could not be read in some reading
-- key: workspace, linkedin_post_id
-- reads: touched_posts, readings
-- parameters: none
--
-- What could not be read keeps its last known value, as a metric does that is null.
create or replace temp table unreadable_records as
with histories as (
  select workspace, linkedin_post_id, linkedin_post_id as record_id
  from touched_posts
  union all
  select workspace, superseded_by as linkedin_post_id, linkedin_post_id as record_id
  from touched_posts
  where superseded_by is not null
),
found as (
  select distinct workspace, linkedin_post_id as record_id
  from readings
  where unreadable is not null
),
posts as (
  select distinct workspace, linkedin_post_id
  from histories
  semi join found using (workspace, record_id)
)
select *
from histories
semi join posts using (workspace, linkedin_post_id);

create or replace temp table unreadable_histories as
select readings.* replace (records.linkedin_post_id as linkedin_post_id)
from readings
join unreadable_records as records
  on records.workspace = readings.workspace
  and records.record_id = second_key(readings.linkedin_post_id);

create or replace temp table readable_values as
select
  workspace,
  linkedin_post_id,
  arg_max_null(columns('^(url|commentary|type|published_at)$'), reading_id) filter (
    where not coalesce(list_contains(unreadable, alias(columns('^(url|commentary|type|published_at)$'))), false)
  ) as '\0'
from unreadable_histories
group by workspace, linkedin_post_id;

create or replace temp table readable_posts as
select readable_values.*, unreadable
from readable_values
left join unreadable_of('unreadable_histories') using (workspace, linkedin_post_id);

update linkedin_posts
set
  url = readable.url,
  commentary = readable.commentary,
  type = readable.type,
  published_at = readable.published_at,
  unreadable = readable.unreadable
from readable_posts as readable
where linkedin_posts.workspace = readable.workspace
  and second_key(linkedin_posts.linkedin_post_id) = readable.linkedin_post_id;
