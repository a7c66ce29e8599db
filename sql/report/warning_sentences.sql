-- grain: one sentence on what looks odd in what was loaded, the newest first: three at most, and how many there are beside them
-- key: text, profile, metric_name, start_date, end_date
-- reads: report_warnings
-- parameters: none
--
-- Not of answers whose halves were loaded: nothing is missing of them.
with told as (
  select
    *,
    row_number() over (
      order by seen_at desc, workspace, profile, profile_id, kind, metric, end_date desc, start_date desc
    ) as position
  from report_warnings
  where kind <> 'cut_off_answer' or before is null
),
sentences as (
  select
    position,
    case
      when kind = 'metric_drop'
      then 'Warning: {metric_name:text} of {profile:text} fell by {fallen_by:share} on {end_date:date}'
      when kind = 'unlikely_date' and posts = 1
      then 'Warning: a post of {profile:text} is dated {start_date:date}, and counts in no month'
      when kind = 'unlikely_date'
      then 'Warning: {posts:count} posts of {profile:text} are dated before 2003 or more than a year ahead, and count in no month'
      when kind = 'empty_window'
      then 'Warning: no posts of {profile:text} came for {start_date:date} to {end_date:date}, where {posts:count} are known'
      else 'Warning: posts of {profile:text} of {start_date:date} may be missing, its answer looks cut off'
    end as text,
    profile,
    metric_name,
    fallen_by,
    start_date,
    end_date,
    posts
  from told
  where position <= 3
  union all
  select
    4 as position,
    case
      when count(*) = 1 then '{posts:count} more warning, see the report quality'
      else '{posts:count} more warnings, see the report quality'
    end as text,
    null as profile,
    null as metric_name,
    null as fallen_by,
    null as start_date,
    null as end_date,
    count(*) as posts
  from told
  where position > 3
  having count(*) > 0
)
select text, profile, metric_name, fallen_by, start_date, end_date, posts
from sentences
order by position;
