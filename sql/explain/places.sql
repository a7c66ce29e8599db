-- grain: one post of either period
-- key: is_current, workspace, linkedin_post_id
-- reads: report_members
--
-- places: the values of key columns under which the post counts, by column.
create or replace temp view explained_places as
select
  *,
  map {
    'month': [coalesce(month::varchar, '')],
    'week': [coalesce(week::varchar, '')],
    'day': [coalesce(day::varchar, '')],
    'weekday': [coalesce(isodow(published_local)::varchar, '')],
    'hour': [coalesce(hour(published_local)::varchar, '')],
    'workspace': [workspace],
    'profile_id': [profile_id],
    'type': [type],
    'campaign': [coalesce(campaign, '(none)')],
    'label': case when len(labels) = 0 then ['(none)'] else labels end,
    'kind': [kind_title(kind)],
    'format': formats_of(type, media),
    'channels': [reach_of(channels)],
    'length': [length_of(video_seconds)],
    'source': [coalesce(emv_source, '(none)')],
    'linkedin_post_id': [linkedin_post_id]
  } as places
from report_members
where dimension = 'post';
