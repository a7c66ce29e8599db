-- grain: a LinkedIn post that a part of the load touches, as in its last reading, or a record that another one supersedes
-- key: workspace, linkedin_post_id
-- reads: derived_responses, derived_posts, configured_profiles, readings, linkedin_posts, shared_posts
-- parameters: $part (from 0), $part_count (the load derives its posts in parts, by a hash of their ids)
--
-- A record that several profiles had belongs to the one that had it first among those that jobs.yaml has, else to the
-- first of all. Records with one address are one post: the one that was read last has the readings of all of them, and
-- supersedes the others, which keep their own. They are several posts if two of them ever stood in one answer, if they
-- were published more than a day apart, or if they are of different profiles that are both read.
--
-- The tables have no order. A large load that need not keep one takes a fifth less time and memory.
set preserve_insertion_order = false;

create or replace temp table read_records as
with new_readings as not materialized (
  select workspace, linkedin_post_id, profile_id, url, reading_id, readings.rowid as row
  from readings
  semi join derived_responses using (workspace, run_id, seq)
  where hash(linkedin_post_id) % $part_count::ubigint = $part::ubigint
),
touched as (
  select workspace, linkedin_post_id
  from new_readings
  union all
  select workspace, linkedin_post_id
  from derived_posts
  where hash(linkedin_post_id) % $part_count::ubigint = $part::ubigint
),
last_readings as (
  from new_readings
  union all by name
  select workspace, linkedin_post_id, profile_id, last_profile_id, url, reading_id, true as is_known,
    place_of(workspace, address) as known_place
  from linkedin_posts
  semi join touched
    on touched.workspace = linkedin_posts.workspace
    and touched.linkedin_post_id = among_own(linkedin_posts.linkedin_post_id)
)
select
  workspace,
  linkedin_post_id,
  any_value(profile_id) as profile_id,
  max_by(coalesce(last_profile_id, profile_id), reading_id) as last_profile_id,
  -- least and greatest ignore nulls
  least(min(profile_id), min(last_profile_id)) <> greatest(max(profile_id), max(last_profile_id)) as has_several_profiles,
  address_of(max_by(url, reading_id)) as address,
  max(reading_id) as reading_id,
  if(count(*) = 1, any_value(row), null) as only_row,
  any_value(known_place) as known_place,
  count(is_known) > 0 as is_known
from last_readings
group by workspace, linkedin_post_id;

-- The records that have or had an address in common with them are derived as well.
insert into read_records by name
with touched_places as (
  select unnest([place_of(workspace, address), known_place]) as place
  from read_records
)
select
  workspace,
  linkedin_post_id,
  profile_id,
  last_profile_id,
  address,
  reading_id,
  place_of(workspace, address) as known_place,
  true as is_known
from linkedin_posts
semi join touched_places on place = place_of(workspace, address)
anti join (from read_records where is_known) as known_records
  on known_records.workspace = linkedin_posts.workspace
  and known_records.linkedin_post_id = among_own(linkedin_posts.linkedin_post_id);

-- Nearly every record is of one profile and has an address of its own. The readings of the others say which post and whose
-- post they are.
create or replace temp table compared_records as
with places as (
  select place_of(workspace, address) as place
  from read_records
  union all
  select known_place
  from read_records
  where known_place is distinct from place_of(workspace, address)
),
shared_places as (
  select place
  from places
  group by place
  having count(place) > 1
)
select workspace, linkedin_post_id, address, reading_id, read_records.rowid as record_row
from read_records
where has_several_profiles
  or place_of(workspace, address) in (from shared_places)
  or known_place in (from shared_places)
  or (workspace, linkedin_post_id) in (select (workspace, linkedin_post_id) from shared_posts)
  or (workspace, linkedin_post_id) in (select (workspace, linkedin_post_id) from derived_posts);

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
  and compared.linkedin_post_id = among_own(readings.linkedin_post_id)
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

create or replace temp table touched_posts as
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
    and members.linkedin_post_id = among_own(readings.linkedin_post_id)
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
),
owned as (
  select record_row, coalesce(counted.owner, records.owner).profile_id as profile_id, counts_as
  from addressed_records as records
  left join counted using (record_row)
)
select
  workspace,
  linkedin_post_id,
  coalesce(owned.profile_id, read_records.profile_id) as profile_id,
  read_records.address,
  read_records.reading_id,
  case when counts_as <> linkedin_post_id then counts_as end as superseded_by,
  -- A post with earlier readings, or with those of other records, has no only row.
  if(counts_as is null, only_row, null) as only_row,
  is_known
from read_records
left join owned on record_row = read_records.rowid;

insert into derived_profiles
select distinct workspace, last_profile_id
from read_records;

drop table read_records;

create or replace temp table replaced_shares as
from shared_posts
semi join touched_posts using (workspace, linkedin_post_id);

delete from shared_posts
using replaced_shares as replaced
where shared_posts.workspace = replaced.workspace
  and shared_posts.linkedin_post_id = replaced.linkedin_post_id;

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

create or replace temp table replaced_posts as
from linkedin_posts
semi join (from touched_posts where is_known) as touched
  on touched.workspace = linkedin_posts.workspace
  and touched.linkedin_post_id = among_own(linkedin_posts.linkedin_post_id);

delete from linkedin_posts
using replaced_posts as replaced
where linkedin_posts.workspace = replaced.workspace
  and among_own(linkedin_posts.linkedin_post_id) = replaced.linkedin_post_id;

-- What is known of each post with more than one reading. It is a table so that DuckDB sees how few these posts are when it
-- looks up their last readings. Otherwise it would hold all readings with their texts.
create or replace temp table known_posts as
with histories as (
  select workspace, linkedin_post_id, linkedin_post_id as record_id
  from touched_posts
  where only_row is null
  union all
  select workspace, superseded_by as linkedin_post_id, linkedin_post_id as record_id
  from touched_posts
  where superseded_by is not null
),
-- max_by ignores nulls, so a metric keeps its last known value
known as (
  select
    histories.workspace,
    histories.linkedin_post_id,
    max_by(readings.rowid, reading_id) filter (where record_id = histories.linkedin_post_id) as last_row,
    min(fetched_at) as first_seen_at,
    max_by(post_id, reading_id) as post_id,
    max_by(columns('^(.*_(count|seconds)|engagement|emv)$'), reading_id) as '\0'
  from readings
  join histories
    on histories.workspace = readings.workspace
    and histories.record_id = among_own(readings.linkedin_post_id)
  group by histories.workspace, histories.linkedin_post_id
),
superseded as (
  select touched.workspace, touched.linkedin_post_id, min(readings.fetched_at) as superseded_at
  from readings
  join touched_posts as touched
    on touched.workspace = readings.workspace
    and touched.superseded_by = among_own(readings.linkedin_post_id)
    and touched.reading_id <= readings.reading_id
  group by touched.workspace, touched.linkedin_post_id
)
select known.*, touched.profile_id, touched.address, touched.superseded_by, superseded.superseded_at
from known
join touched_posts as touched using (workspace, linkedin_post_id)
left join superseded using (workspace, linkedin_post_id);

insert into linkedin_posts by name
select
  known.* exclude (last_row),
  readings.profile_id as last_profile_id,
  readings.url,
  readings.commentary,
  readings.type,
  readings.published_at,
  readings.extra,
  readings.reading_id,
  readings.fetched_at as last_seen_at
from known_posts as known
join readings on readings.rowid = known.last_row
union all by name
select
  readings.* exclude (run_id, seq, fetched_at, title, labels, campaign_id, campaign_name),
  readings.profile_id as last_profile_id,
  readings.fetched_at as first_seen_at,
  readings.fetched_at as last_seen_at,
  touched.address
from readings
join touched_posts as touched on only_row = readings.rowid;
