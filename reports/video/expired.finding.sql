-- grain: at most one row; none if no figure expired
-- reads: video_expired
select
  case
    when min(last_known_on) = max(last_known_on)
      then 'LinkedIn no longer gives figures of {n:count} {n|video|videos}; the last known ones count ({last_on:date})'
    else 'LinkedIn no longer gives figures of {n:count} {n|video|videos}; the last known ones count ({first_on:date} to {last_on:date})'
  end as text,
  count(*) as n,
  min(last_known_on) as first_on,
  max(last_known_on) as last_on
from video_expired
having count(*) > 0;
