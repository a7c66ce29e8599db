-- grain: one profile, with the days that were not read (quality_profiles); one profile, month of publication and where its EMV came from (quality_cpm); one fault of one post (quality_faults)
-- key: workspace, profile_id; workspace, profile_id, month, emv_source; fault, value, workspace, linkedin_post_id
-- reads: asked_days, report_coverage, report_posts, report_profiles, report_windows, report_missing_posts, report_settings, unread_days, metrics
--
-- quality_cpm goes through a profile's months, separately for each source of EMV, and keeps the range of single CPMs
-- that are possible since the last change. The CPM has changed where this range becomes empty.
create or replace temp table quality_profiles as
with gaps as (
  select
    workspace,
    profile_id,
    sum(last_day - first_day + 1)::bigint as gap_days,
    list(
      case when first_day = last_day then first_day::varchar else first_day::varchar || ' to ' || last_day::varchar end
      order by first_day
    ) as gaps
  from unread_days
  where span = 'period'
  group by workspace, profile_id
),
attempts as (
  select
    workspace,
    profile_id,
    count(*) filter (where is_read) as windows_read
  from report_windows
  group by workspace, profile_id
),
posts as (
  select workspace, profile_id, count(*) as posts
  from report_posts
  group by workspace, profile_id
)
select
  report_profiles.profile,
  workspace,
  read_at as newest_reading,
  (
    case
      when asked_until is null then today
      else least(today, greatest(asked_until + 1, timezone(timezone, read_at)::date))
    end - timezone(timezone, read_at)::date
  )::bigint as days_behind,
  coalesce(posts.posts, 0) as posts,
  coalesce(windows_read, 0) as windows_read,
  asked_days.first_day as asked_from,
  coalesce(gap_days, 0) as gap_days,
  coalesce(gaps, []::varchar[]) as gaps,
  profile_id
from report_profiles
cross join report_settings
join report_coverage using (workspace, profile_id)
left join attempts using (workspace, profile_id)
left join posts using (workspace, profile_id)
left join (from asked_days where span = 'period') as asked_days using (workspace, profile_id)
left join gaps using (workspace, profile_id);

create or replace temp table quality_cpm as
with recursive priced as (
  select
    *,
    -- the range of the CPM if EMV is given to the cent
    (emv - 0.005) * 1000 / impression_count as least_cpm,
    (emv + 0.005) * 1000 / impression_count as most_cpm
  from report_posts
  -- a price list says itself what its prices are
  where emv is not null and impression_count > 0 and emv_source <> 'prices'
),
ordered as (
  select
    workspace,
    profile_id,
    published_month as month,
    emv_source,
    any_value(profile) as profile,
    count(*) as posts,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
    min(effective_cpm) as min_cpm,
    max(effective_cpm) as max_cpm,
    max(least_cpm) as low,
    min(most_cpm) as high,
    row_number() over (partition by workspace, profile_id, emv_source order by published_month nulls last) as position
  from priced
  group by workspace, profile_id, published_month, emv_source
),
followed as (
  select
    workspace,
    profile_id,
    emv_source,
    0::bigint as position,
    '-infinity'::double as low,
    'infinity'::double as high,
    false as has_changed
  from ordered
  where position = 1
  union all
  select
    workspace,
    profile_id,
    emv_source,
    ordered.position,
    case
      when ordered.low > ordered.high then '-infinity'::double
      when greatest(followed.low, ordered.low) > least(followed.high, ordered.high) then ordered.low
      else greatest(followed.low, ordered.low)
    end,
    case
      when ordered.low > ordered.high then 'infinity'::double
      when greatest(followed.low, ordered.low) > least(followed.high, ordered.high) then ordered.high
      else least(followed.high, ordered.high)
    end,
    greatest(followed.low, ordered.low) > least(followed.high, ordered.high)
  from followed
  join ordered using (workspace, profile_id, emv_source)
  where ordered.position = followed.position + 1
)
select ordered.*, followed.has_changed
from ordered
join followed using (workspace, profile_id, emv_source, position);

create or replace temp view quality_faults as
with counts as (
  select workspace, linkedin_post_id, metric, amount
  from (select workspace, linkedin_post_id, columns('^.*_(count|seconds)$') from report_posts)
  unpivot (amount for metric in (columns('^.*_(count|seconds)$')))
)
select position, fault, value, workspace, linkedin_post_id
from report_posts
left join report_missing_posts as missing using (workspace, post_id)
cross join lateral (
  values
    (
      1, 'Unknown type', type,
      type not in (
        'Text', 'Article', 'Image', 'Video', 'Poll', 'Celebration', 'Job', 'Event', 'Document', 'Repost', 'QuotePost',
        'MultiImage'
      )
    ),
    (
      2, 'Unknown status in the workspace', status,
      status not in ('Tentative', 'ToDo', 'InProgress', 'ForReview', 'Blocked', 'Finalized', 'Scheduled', 'Posted')
    ),
    (4, 'Engagement above 1', null, engagement > 1),
    (5, 'Impressions 0 with interactions', null, impression_count = 0 and interactions > 0),
    (6, 'No time of publication', null, published_at is null),
    (7, 'Published after the newest reading', null, published_at > last_seen_at),
    (8, 'No post of the workspace is linked', null, post_id is null),
    (9, 'Linked post not found in the workspace', null, missing.post_id is not null)
) as faults (position, fault, value, is_found)
where is_found
union all
select 3, 'Negative count', noun, workspace, linkedin_post_id
from counts
join metrics using (metric)
where amount < 0;
