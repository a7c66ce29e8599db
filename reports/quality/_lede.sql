-- grain: at most one row: what the page says first; none without profiles
-- key: none
-- reads: report_posts, report_rejects, quality_profiles, quality_open_windows, quality_faults
-- parameters: none
with figures as (
  select
    (select count(*) from quality_profiles) as profiles,
    (select count(*) from report_posts) as posts,
    (select coalesce(sum(gap_days), 0)::bigint from quality_profiles) as gap_days,
    (select count(*) from quality_profiles where newest_reading is null) as unread,
    (select count(*) from quality_open_windows) as open_windows,
    (select count(*) from report_rejects) as rejected,
    (select count(distinct (workspace, linkedin_post_id)) from quality_faults where is_odd) as odd_posts
)
select
  case when posts = 1 then '**{posts:count}** post' else '**{posts:count}** posts' end
    || case when profiles = 1 then ' of 1 profile. ' else ' of {profiles:count} profiles. ' end
    || case
      when gap_days + open_windows + rejected + unread = 0 then 'Every day was read, and nothing was rejected.'
      else 'Missing: '
        || array_to_string(
          list_filter(
            [
              case when unread > 0 then 'all of {unread:count} never read' end,
              case when gap_days = 1 then '1 day of publication' when gap_days > 1 then '{gap_days:count} days of publication' end,
              case when open_windows = 1 then '1 failed window' when open_windows > 1 then '{open_windows:count} failed windows' end,
              case when rejected = 1 then '1 rejected record' when rejected > 1 then '{rejected:count} rejected records' end
            ],
            lambda part: part is not null
          ),
          ', '
        )
        || '.'
    end as text,
  profiles,
  posts,
  gap_days,
  unread,
  open_windows,
  rejected,
  odd_posts
from figures
where profiles > 0;
