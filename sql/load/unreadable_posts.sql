-- grain: a LinkedIn post that a part of the load touches, with a reading of it that has a value that could not be read
-- key: workspace, linkedin_post_id, record_id
-- reads: touched_posts, readings
-- parameters: none
--
-- Returns how many records there are, which are none as long as the service is right.
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

select count(*) as records
from unreadable_records;
