-- grain: one unknown value
-- key: kind, value
-- reads: linkedin_posts, campaigns, labels
-- parameters: $workspaces, $profiles, $campaigns, $labels, $types, $excluded, $known_types, $known_workspaces, $known_profiles
--
-- The values of filters that match nothing in the report's scope, each with all that are known. If no value of a kind
-- is known at all, none is refused.
with known as (
  select 'workspace' as kind, unnest($known_workspaces::varchar[]) as value
  union
  select 'profile', unnest($known_profiles::varchar[])
  union
  select 'campaign', name from campaigns where name is not null
  union
  select 'label', name from labels where name is not null
  union
  select 'type', type from linkedin_posts where type is not null
  union
  select 'type', unnest($known_types::varchar[])
),
asked as (
  select 'workspace' as kind, unnest($workspaces::varchar[]) as value
  union
  select 'profile', unnest($profiles::varchar[])
  union
  select 'campaign', unnest($campaigns::varchar[])
  union
  select 'label', unnest($labels::varchar[])
  union
  select 'type', unnest($types::varchar[])
),
unknown as (
  select kind, value
  from asked
  anti join known using (kind, value)
  where not (kind in ('campaign', 'label') and value = '(none)')
)
select
  kind,
  unknown.value,
  -- nobody types an id
  list(known.value order by known.value) filter (where try_cast(split_part(known.value, '/', -1) as uuid) is null) as known
from unknown
join known using (kind)
group by kind, unknown.value
union all
select distinct 'exclude', value, null
from (select unnest($excluded::varchar[]) as value)
where value not in (select linkedin_post_id from linkedin_posts) and value not in (select url from linkedin_posts where url is not null)
order by kind, value;
