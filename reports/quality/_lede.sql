-- grain: at most one row: what the page says first; none without profiles
-- key: none
-- reads: report_posts, report_rejects, quality_profiles, quality_open_windows
-- parameters: none
with figures as (
  select
    (select count(*) from quality_profiles) as profiles,
    (select count(*) from report_posts) as posts,
    (select sum(gap_days)::bigint from quality_profiles) as gap_days,
    (select count(*) from quality_profiles where newest_reading is null) as unread,
    (select count(*) from quality_open_windows) as open_windows,
    (select count(*) from report_rejects) as rejected
),
sentences as (
  select
    *,
    list_filter(
      [
        case
          when unread = 1 then '1 profile was never read'
          when unread > 1 then '{unread:count} profiles were never read'
        end,
        case
          when gap_days = 1 then '1 day of publication was not read'
          when gap_days > 1 then '{gap_days:count} days of publication were not read'
        end,
        case
          when open_windows = 1 then '1 failed window is open'
          when open_windows > 1 then '{open_windows:count} failed windows are open'
        end,
        case
          when rejected = 1 then '1 record was rejected'
          when rejected > 1 then '{rejected:count} records were rejected'
        end
      ],
      lambda sentence: sentence is not null
    ) as faults
  from figures
)
select
  case when posts = 1 then '**{posts:count}** post' else '**{posts:count}** posts' end
    || case when profiles = 1 then ' of 1 profile' else ' of {profiles:count} profiles' end
    || case
      when len(faults) > 0 then ': ' || array_to_string(faults, ', ') || '.'
      when gap_days is null then '. Which days were read is not known: no window is kept.'
      else '. Every day was read, and nothing was rejected.'
    end as text,
  profiles,
  posts,
  coalesce(gap_days, 0) as gap_days,
  unread,
  open_windows,
  rejected
from sentences
where profiles > 0;
