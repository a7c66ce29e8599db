-- grain: one LinkedIn post that passes all filters except --removed, published up to the end of the period (report_found_posts, report_candidates)
-- key: workspace, linkedin_post_id
-- reads: emv_prices, post_performance, report_coverage, report_found_posts, report_settings
-- parameters: $timezone, $campaigns, $labels, $types, $kinds, $excluded
--
-- unreadable: what could not be read of the post; a metric even if an earlier value is known, anything else only if none is.
-- Posts of the comparison period are those of profiles that were read in both periods. Posts that were published
-- before the first day of their profile that was ever read whole (is_before_reading) are no candidates, since others of
-- their day may be missing; unread_sentences.sql counts them. An implausible time of publication is treated as unknown;
-- report_warnings counts such posts. is_shown: --removed asks for the post.
create or replace temp table report_found_posts as
with filtered as (
  select post_performance.* replace (
    case when is_plausible_time(published_at, last_seen_at) then published_at end as published_at,
    case when is_plausible_time(published_at, last_seen_at) then published_local end as published_local,
    case when is_plausible_time(published_at, last_seen_at) then weekday end as weekday,
    case when is_plausible_time(published_at, last_seen_at) then hour end as hour,
    case
      when unreadable is not null
        then lacking_of(
          list_filter(
            unreadable,
            lambda name: case name
              when 'url' then url is null
              when 'commentary' then commentary is null
              when 'type' then type is null
              when 'published_at' then published_at is null
              when 'post_id' then post_id is null
              when 'title' then title is null
              when 'labels' then len(labels) = 0
              when 'campaign_id' then campaign_id is null
              else true
            end
          ),
          emv_source,
          pricing.prices,
          pricing.replaces
        )
    end as unreadable
  )
  from post_performance
  left join emv_prices as pricing
    on unreadable is not null
    and pricing.workspace = post_performance.workspace
    and pricing.profile_id = post_performance.profile_id
    and coalesce(published_local::date, '-infinity') between first_day and last_day
  where not coalesce(list_has_any($excluded::varchar[], [linkedin_post_id, url]), false)
    and (len($types::varchar[]) = 0 or list_contains($types::varchar[], type))
    and (
      len($campaigns::varchar[]) = 0
      or list_contains($campaigns::varchar[], coalesce(campaign, '(none)'))
    )
    and (
      len($labels::varchar[]) = 0
      or list_has_any($labels::varchar[], case when len(labels) = 0 then ['(none)'] else labels end)
    )
)
-- the columns have the order of post_columns (macros.sql), with which sections that list posts begin
select
  filtered.workspace,
  filtered.profile,
  filtered.linkedin_post_id,
  filtered.url,
  filtered.title,
  filtered.commentary,
  filtered.type,
  filtered.published_at,
  filtered.campaign,
  filtered.labels,
  filtered.is_removed,
  filtered.* exclude (
    workspace, profile, linkedin_post_id, url, title, commentary, type, published_at, campaign, labels, is_removed
  ) replace (finite(emv * 1000 / impression_count) as effective_cpm),
  -- without those of videos, whose names have another word
  coalesce(least(*columns('^[a-z]+_count$')) < 0, false) as has_negative_count,
  date_diff('day', published_local::date, as_of_day)::integer as age_days,
  date_trunc('month', published_local)::date as published_month,
  case
    when is_plausible_time(removed_at, data_as_of)
      then date_trunc('month', timezone($timezone::varchar, removed_at))::date
  end as removed_month,
  coalesce(published_at > young_since, false) as is_young,
  case
    when period_from is null and period_to is null then true
    else coalesce(
      published_local::date
        between coalesce(period_from, date '-infinity') and coalesce(period_to, date 'infinity'),
      false
    )
  end as is_in_period,
  is_comparable_profile and coalesce(published_local::date between previous_from and previous_to, false) as is_in_previous,
  case
    when period_from is null and period_to is null then true
    else coalesce(published_local::date <= coalesce(period_to, date 'infinity'), false)
  end as is_published_by_end,
  report_settings.removed = 'include' or is_removed = (report_settings.removed = 'only') as is_shown,
  coalesce(published_local::date < read_from, false) as is_before_reading
from filtered
-- arithmetic with time zones is slow, and is done once
cross join (
  select *, timezone($timezone::varchar, data_as_of)::date as as_of_day, data_as_of - interval 14 days as young_since
  from report_settings
) as report_settings
join (
  select workspace, profile_id, read_from, is_comparable as is_comparable_profile
  from report_coverage
) as readings using (workspace, profile_id)
where (is_in_previous or is_published_by_end)
  and (len($kinds::varchar[]) = 0 or list_contains($kinds::varchar[], kind));

create or replace temp view report_candidates as
select * exclude (is_before_reading)
from report_found_posts
where not is_before_reading;
