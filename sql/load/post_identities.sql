-- grain: a record of a LinkedIn post that has an address or profiles in common with others
-- key: record_row, the row in read_records
-- reads: compared_records, configured_profiles, readings, shared_posts
--
-- Returns how many posts are newly shared, which causes a warning in sql/views/data_warnings.sql.
--
-- A record that several profiles had belongs to the one that had it first among those that jobs.yaml has, else to the
-- first of all. Records with one address are one post: the one that was read last has the readings of all of them, and
-- supersedes the others, which keep their own. They are several posts if two of them ever stood in one answer, if they
-- were published more than a day apart, or if they are of different profiles that are both read.
create or replace temp table record_profiles as
select
  readings.workspace,
  readings.linkedin_post_id,
  readings.profile_id,
  any_value(configured.profile_id) is not null as is_configured,
  any_value(configured.profile_id) is not null and any_value(until) is null as is_read,
  min(readings.reading_id) as first_id,
  max(fetched_at) as last_seen_at,
  -- max_by ignores nulls
  max_by(published_at, readings.reading_id) as published_at,
  max(readings.reading_id) filter (where published_at is not null) as dated_id
from readings
join compared_records as compared
  on compared.workspace = readings.workspace
  and compared.linkedin_post_id = second_key(readings.linkedin_post_id)
left join configured_profiles as configured
  on configured.workspace = readings.workspace
  and configured.profile_id = readings.profile_id
group by readings.workspace, readings.linkedin_post_id, readings.profile_id;

-- Records of one address are divided by their profiles, in the order in which these had it: one that is read takes over
-- from those before it that have ended.
create or replace temp table addressed_records as
with owned as (
  select
    workspace,
    linkedin_post_id,
    min(
      {'is_former': not is_configured, 'first_id': first_id, 'profile_id': profile_id, 'is_read': is_read}
    ) as owner,
    max(last_seen_at) as last_seen_at,
    max_by(published_at, dated_id) as published_at
  from record_profiles
  group by workspace, linkedin_post_id
),
records as (
  select compared_records.*, owner, last_seen_at, published_at
  from compared_records
  join owned using (workspace, linkedin_post_id)
),
profiles_in_order as (
  select
    workspace,
    address,
    owner.profile_id as profile_id,
    sum(any_value(owner.is_read)::integer) over (
      partition by workspace, address
      order by min(owner.first_id), owner.profile_id
      rows between unbounded preceding and 1 preceding
    ) as read_before
  from records
  where address is not null
  group by workspace, address, owner.profile_id
)
select records.*, coalesce(read_before, 0) as read_before
from records
left join profiles_in_order as ordered
  on ordered.workspace = records.workspace
  and ordered.address = records.address
  and ordered.profile_id = owner.profile_id;

insert into post_identities
with groups as (
  select workspace, address, read_before
  from addressed_records
  where address is not null
  group by workspace, address, read_before
  having count(*) > 1
    and coalesce(epoch_us(max(published_at)) - epoch_us(min(published_at)) <= 86_400_000_000, true)
),
members as (
  from addressed_records
  semi join groups using (workspace, address, read_before)
),
distinct_groups as (
  select members.workspace, address, read_before
  from readings
  join members
    on members.workspace = readings.workspace
    and members.linkedin_post_id = second_key(readings.linkedin_post_id)
  group by members.workspace, address, read_before, run_id, seq
  having count(distinct members.linkedin_post_id) > 1
),
counted as (
  select
    record_row,
    min(owner) over (partition by workspace, address, read_before) as owner,
    first_value(linkedin_post_id) over (
      partition by workspace, address, read_before
      order by reading_id desc, linkedin_post_id
    ) as counts_as
  from members
  anti join distinct_groups using (workspace, address, read_before)
)
select record_row, coalesce(counted.owner, records.owner).profile_id as profile_id, counts_as
from addressed_records as records
left join counted using (record_row);

create or replace temp table replaced_shares as
from shared_posts
semi join compared_records using (workspace, linkedin_post_id);

delete from shared_posts
using compared_records as compared
where shared_posts.workspace = compared.workspace
  and shared_posts.linkedin_post_id = compared.linkedin_post_id;

-- A post that profiles have by its id counts for one of them, one that they have by its address for each.
insert into shared_posts by name
with sharers as (
  select workspace, linkedin_post_id as identity, linkedin_post_id, profile_id, published_at, last_seen_at
  from record_profiles
  where is_read
  union all
  select workspace, address as identity, linkedin_post_id, owner.profile_id as profile_id, published_at, last_seen_at
  from addressed_records
  where owner.is_read and address is not null
)
select
  workspace,
  identity,
  sharers.linkedin_post_id,
  sharers.profile_id,
  any_value(sharers.published_at) as published_at,
  least(any_value(sharers.last_seen_at), max(others.last_seen_at)) as shared_at
from sharers
join sharers as others using (workspace, identity)
where others.profile_id <> sharers.profile_id
  and coalesce(
    abs(epoch_us(others.published_at) - epoch_us(sharers.published_at)) <= 86_400_000_000, true
  )
group by workspace, identity, sharers.linkedin_post_id, sharers.profile_id;

select count(*) as newly_shared
from (
  select workspace, identity, linkedin_post_id, profile_id
  from shared_posts
  semi join compared_records using (workspace, linkedin_post_id)
  except
  select workspace, identity, linkedin_post_id, profile_id
  from replaced_shares
);
