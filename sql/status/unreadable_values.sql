-- grain: a field that could not be read of posts of a profile, and how many these are
-- key: workspace, profile_id, field
-- reads: linkedin_posts, posts, post_labels, metrics
--
-- A metric counts whether or not an earlier value is known, anything else only where none is.
with found as (
  select
    known.workspace,
    known.profile_id,
    known.url,
    known.commentary,
    known.type,
    known.published_at,
    known.post_id,
    posts.title,
    posts.campaign_id,
    labelled.post_id is not null as has_labels,
    unnest(known.unreadable) as field
  from linkedin_posts as known
  left join posts using (workspace, post_id)
  left join (select distinct workspace, post_id from post_labels) as labelled using (workspace, post_id)
  where known.unreadable is not null
    and known.superseded_by is null
)
select
  workspace,
  profile_id,
  field,
  coalesce(any_value(noun), replace(field, '_', ' ')) as noun,
  coalesce(any_value(position), 100) as place,
  count(*) as posts
from found
left join metrics on metric = field
where case field
  when 'url' then url is null
  when 'commentary' then commentary is null
  when 'type' then type is null
  when 'published_at' then published_at is null
  when 'post_id' then found.post_id is null
  when 'title' then found.title is null
  when 'labels' then not has_labels
  when 'campaign_id' then campaign_id is null
  else true
end
group by workspace, profile_id, field
order by workspace, profile_id, place, field;
