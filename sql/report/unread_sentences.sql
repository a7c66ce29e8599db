-- grain: one sentence about what was not read, or could not be read: for the headline, the comparison, or the coverage; and the clause that says from which day the period was read (beginning)
-- key: kind, text, first_day, last_day, since_day
-- reads: unread_days, asked_days, metrics, report_found_posts, report_coverage, report_settings, report_posts, unplaced_posts, report_unreadable, linkedin_posts
--
-- All sentences of a report about what was not read are written here, for every format. The coverage names at most five
-- ranges of days, and counts the others. It counts the posts that later answers for their days lack.
with stretches as (
  select
    span,
    workspace,
    profile_id,
    profile,
    first_day,
    last_day,
    begun_days = last_day - first_day + 1 as is_begun
  from unread_days
  join report_coverage using (workspace, profile_id)
),
-- the days of the headline, and those that prevent a comparison
subjects as (
  select 'headline' as kind, *
  from stretches
  where span = 'period'
  union all
  select 'comparison', *
  from stretches
  where span in ('period', 'before', 'previous')
),
profiles as (
  select
    kind,
    profile,
    min(first_day) as first_day,
    max(last_day) as last_day,
    count(*) as stretches,
    bool_and(is_begun) as is_begun
  from subjects
  group by kind, workspace, profile_id, profile
),
summaries as (
  select
    kind,
    count(*) as n,
    array_to_string(list(profile order by profile)[1:3], ', ') as profiles,
    nullif(greatest(count(*) - 3, 0), 0) as more,
    min(first_day) as first_day,
    max(last_day) as last_day,
    max(stretches) = 1 and min(first_day) = max(first_day) and min(last_day) = max(last_day) as is_one,
    bool_and(is_begun) as is_begun
  from profiles
  group by kind
  union all
  select
    'beginning',
    count(*),
    array_to_string(list(profile order by profile)[1:3], ', '),
    nullif(greatest(count(*) - 3, 0), 0),
    max(begins_on),
    null,
    min(begins_on) = max(begins_on),
    null
  from report_coverage
  where begins_on is not null
),
-- if no day of the previous period was read, there was nothing to compare with from the start
compared as (
  select
    not any_value(is_comparable)
      and coalesce((select sum(last_day - first_day + 1) from unread_days where span = 'previous'), 0)
        < sum(last_day - first_day + 1) as is_withheld,
    any_value(profiles_comparable) > 0 as is_partial
  from asked_days
  cross join report_settings
  where span = 'previous'
),
said as (
  select
    1 as position,
    'headline' as kind,
    case when is_begun then 'Incomplete: {who:phrase} {n|was|were} not read {when:phrase}.'
      else 'Nothing has been read for this period yet.' end as text
  from report_settings
  where not is_complete
  union all
  select
    2,
    'comparison',
    case when is_partial then 'Totals are not compared: {who:phrase} {n|was|were} not read {when:phrase}'
      else 'Not compared: {who:phrase} {n|was|were} not read {when:phrase}' end
  from compared
  where is_withheld
  union all
  select 3, 'beginning', case when count(*) = count(begins_on) then '{when:phrase}' else 'for {who:phrase} {when:phrase}' end
  from report_coverage
  having count(begins_on) > 0
),
-- the profiles that were read at all
scope as (
  select count(*) as profiles
  from report_coverage
  where read_at is not null
),
unread_profiles as (
  select timezone(timezone, read_at)::date as since_day, string_agg(profile, ', ' order by profile) as profiles
  from report_coverage
  cross join report_settings
  where read_at is null or has_failed
  group by since_day
),
days as (
  select
    first_day,
    last_day,
    string_agg(stretches.profile, ', ' order by stretches.profile) as profiles,
    bool_and(stretches.is_begun) as is_begun,
    count(*) = any_value(scope.profiles) as is_all,
    row_number() over (order by first_day, last_day) as range_number
  from stretches
  join report_coverage using (workspace, profile_id)
  cross join scope
  where span in ('period', 'before') and read_at is not null
  group by first_day, last_day
),
-- what is made of others is not named
unreadable as (
  select
    is_current,
    case field
      when 'url' then 'the address'
      when 'commentary' then 'the text'
      when 'type' then 'the type'
      when 'published_at' then 'the time'
      when 'post_id' then 'the linked post'
      when 'title' then 'the title'
      when 'labels' then 'the labels'
      when 'campaign_id' then 'the campaign'
      else noun
    end as what,
    coalesce(metrics.position, 100) as metric_position,
    posts
  from report_unreadable
  left join metrics on metric = field
  where field not in ('engagements', 'interactions')
),
sentences as (
  select
    position,
    kind,
    text,
    profiles,
    first_day,
    last_day,
    null::date as since_day,
    n,
    more,
    case when more is null then '{profiles:text}' else '{profiles:text} and {more:count} more' end as who,
    case
      when kind = 'beginning' and is_one then 'from {first_day:date}'
      when kind = 'beginning' then 'from {first_day:date} at the latest'
      when is_begun and first_day = last_day then 'on {first_day:date} after the day was over'
      when first_day = last_day then 'on {first_day:date}'
      when is_one then 'from {first_day:date} to {last_day:date}'
      else 'on some days from {first_day:date} to {last_day:date}'
    end as "when"
  from said
  left join summaries using (kind)
  union all by name
  select
    4 as position,
    'coverage' as kind,
    case when since_day is null then 'Never read: {profiles:text}' else 'Not read since {since_day:date}: {profiles:text}' end
      as text,
    profiles,
    since_day
  from unread_profiles
  union all by name
  select
    5 as position,
    'coverage' as kind,
    case
      when is_begun and first_day = last_day and is_all then 'Not read after the day was over: {first_day:date}'
      when is_begun and first_day = last_day then 'Not read after the day was over: {first_day:date} of {profiles:text}'
      when first_day = last_day and is_all then 'Not read: {first_day:date}'
      when first_day = last_day then 'Not read: {first_day:date} of {profiles:text}'
      when is_all then 'Not read: {first_day:date} to {last_day:date}'
      else 'Not read: {first_day:date} to {last_day:date} of {profiles:text}'
    end as text,
    profiles,
    first_day,
    last_day
  from days
  where range_number <= 5
  union all by name
  select
    6 as position,
    'coverage' as kind,
    '{n:count} more date {n|range|ranges} not read' as text,
    count(*) as n
  from days
  where range_number > 5
  having count(*) > 0
  union all by name
  select
    7 as position,
    'coverage' as kind,
    'No longer in the responses, counted as last read: {n:count} {n|post|posts}' as text,
    count(*) as n
  from report_posts
  semi join (from linkedin_posts where absent_since is not null) as absent using (workspace, linkedin_post_id)
  where not is_removed
  having count(*) > 0
  union all by name
  select
    7 as position,
    'coverage' as kind,
    'Could not be read: {what:phrase} of {posts:count} {posts|post|posts}' as text,
    what,
    metric_position,
    posts
  from unreadable
  where is_current
  union all by name
  select
    8 as position,
    'coverage' as kind,
    case what
      when 'undated' then 'Could not be read: the time of {posts:count} {posts|post|posts}, which {posts|is|are} in no period'
      else 'Could not be read: whether {posts:count} {posts|post has|posts have} what the filters ask for'
    end as text,
    posts
  from unplaced_posts
  where what in ('undated', 'filtered')
  union all by name
  select
    9 as position,
    'comparison' as kind,
    'Not compared: {what:phrase} of {posts:count} {posts|post|posts} of {comparison:phrase} could not be read' as text,
    what,
    metric_position,
    posts,
    comparison
  from unreadable
  cross join report_settings
  where not is_current
  union all by name
  select
    10 as position,
    'coverage' as kind,
    case
      when min(read_from) = max(read_from)
        then '{n:count} {n|post|posts} from before {first_day:date}, the first day that was read, {n|is|are} left out'
      else '{n:count} {n|post|posts} from before the first day that was read of {n|its profile|their profiles} {n|is|are} left out'
    end as text,
    count(*) as n,
    min(read_from) as first_day
  from report_found_posts
  join report_coverage using (workspace, profile_id)
  cross join report_settings
  where is_before_reading
    and is_shown
    -- no report is about earlier days
    and published_local::date >= coalesce(date_trunc('month', period_from) - interval 12 months, date '-infinity')
  having count(*) > 0
)
select * exclude (position, metric_position)
from sentences
order by position, metric_position, since_day nulls first, first_day, last_day;
