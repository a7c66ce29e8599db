-- grain: a post that several profiles had, one of which jobs.yaml has begun or ceased to read since the last load
-- key: workspace, linkedin_post_id
-- reads: configured_profiles, readings, linkedin_posts
-- parameters: $profiles_before (a JSON array)
--
-- Whose post it is, and of which records it is made, may be another answer now.
create or replace temp table changed_profiles as
with before as (
  select workspace, profile_id, until is null as is_read
  from profiles_of($profiles_before)
),
now as (
  select workspace, profile_id, until is null as is_read
  from configured_profiles
),
changes as (
  (from before except from now)
  union
  (from now except from before)
)
select distinct workspace, profile_id
from changes;

create or replace temp table derived_posts as
with shared_addresses as (
  select workspace, address
  from linkedin_posts
  where address is not null
    and workspace in (select workspace from changed_profiles)
  group by workspace, address
  having count(*) > 1
)
select workspace, linkedin_post_id
from readings
left join (select *, true as has_changed from changed_profiles) as changed using (workspace, profile_id)
where workspace in (select workspace from changed_profiles)
group by workspace, linkedin_post_id
having min(profile_id) <> max(profile_id)
  and count(has_changed) > 0
union
select records.workspace, records.linkedin_post_id
from linkedin_posts as records
semi join shared_addresses using (workspace, address)
join changed_profiles as changed
  on changed.workspace = records.workspace
  and changed.profile_id in (records.profile_id, records.last_profile_id);
