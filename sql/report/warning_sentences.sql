-- grain: one sentence about loaded data that look wrong, the newest first: at most three, and the number of the others
-- key: what, text, profile, metric_name, start_date, end_date
-- reads: report_warnings
with numbered as (
  select
    *,
    row_number() over (
      order by seen_at desc, workspace, profile, profile_id, kind, metric, end_date desc, start_date desc
    ) as position
  from report_warnings
),
sentences as (
  select
    position,
    'Warning: {what:phrase}' as text,
    -- a scoped report names only its own profiles
    warning_text(kind, metric, null) as what,
    profile,
    metric_name,
    before,
    after,
    fallen_by,
    start_date,
    end_date,
    warning_days(start_date, end_date) as until,
    posts
  from numbered
  where position <= 3
  union all by name
  select
    4 as position,
    '{posts:count} more {posts|warning|warnings}, see the report quality' as text,
    count(*) as posts
  from numbered
  where position > 3
  having count(*) > 0
)
select * exclude (position)
from sentences
order by position;
