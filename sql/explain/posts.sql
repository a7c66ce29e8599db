-- grain: one post of either period, with the posts that the filters leave out
-- key: scope, is_current, workspace, linkedin_post_id
-- reads: explained_key_values, linkedin_posts, report_candidates, report_earlier_readings, report_settings, sums_by
-- parameters: $types, $campaigns, $labels
--
-- The figures of each post are those of a group that it is alone in, so that the sums of groups.sql are sums of these.
-- filtered_by: the filter that leaves the post out, in words; null for none.
-- sources_until: the time of the last of its readings that count.
drop table temp.report_settings;

drop view temp.report_candidates;

drop table temp.report_found_posts;

create or replace table explained_posts as
with sums as (
  select 'posts' as scope, *
  from sums_by('posts', ['post'])
  union all
  select 'videos', *
  from sums_by('videos', ['post'])
)
select
  -- without what is no sum of one post's figure
  sums.* exclude (
    dimension, part_of, profile_id, name, is_monthly, month, kind, workspace, rate_p25, rate_p50, rate_p75, page_p50,
    member_p50, median_emv, first_post, last_post, campaigns, profiles
  ),
  engagement_rate as rate,
  member_saves as saves_of_members,
  page_clicks as clicks_of_pages,
  young_views as not_final,
  posts - posts_with_emv as posts_without_emv,
  posts - posts_with_impressions as posts_without_impressions,
  posts - (members.engagements is not null)::integer as posts_without_engagement,
  members.workspace,
  members.profile_name as profile,
  members.linkedin_post_id,
  linkedin_posts.url,
  members.published_at,
  members.emv_source,
  members.is_removed,
  case
    when not members.is_current or kept.is_in_period then null
    when len($types::varchar[]) > 0 and not list_has_any($types, key_values['type']) then 'type not asked for'
    when len($campaigns::varchar[]) > 0 and not list_has_any($campaigns, key_values['campaign']) then 'campaign not asked for'
    when len($labels::varchar[]) > 0 and not list_has_any($labels, key_values['label']) then 'label not asked for'
    else 'no time of publication'
  end as filtered_by,
  filtered_by is not null
    or (
      members.is_current
      and settings.removed <> 'include'
      and members.is_removed <> (settings.removed = 'only')
    ) as is_left_out,
  case
    when not members.is_current and settings.is_equal_age and earlier.is_good_enough then earlier.captured_at
    else linkedin_posts.last_seen_at
  end as sources_until,
  members.key_values
from sums
join explained_key_values as members
  on members.is_current = sums.is_current
  and members.workspace = sums.workspace
  and members.linkedin_post_id = sums.profile_id
join linkedin_posts
  on linkedin_posts.workspace = members.workspace and linkedin_posts.linkedin_post_id = members.linkedin_post_id
left join report_candidates as kept
  on kept.workspace = members.workspace and kept.linkedin_post_id = members.linkedin_post_id
left join report_earlier_readings as earlier
  on earlier.workspace = members.workspace and earlier.linkedin_post_id = members.linkedin_post_id
cross join report_settings as settings
where not sums.is_monthly;
