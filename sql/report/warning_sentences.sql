-- grain: one sentence about loaded data that look wrong, the newest first: at most three, and the number of the others
-- key: text, profile, metric_name, start_date, end_date
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
    case kind
      when 'metric_drop' then 'Warning: {metric_name:phrase} of {profile:text} fell by {fallen_by:share} on {end_date:date}'
      when 'out_of_proportion'
      then case metric
        when 'emv'
        then 'Warning: {posts:count} {posts|post|posts} of {profile:text} with an EMV of up to {after:money}, out of all proportion to the impressions'
        else 'Warning: {posts:count} {posts|post|posts} of {profile:text} with up to {after:count} {metric_name:phrase}, out of all proportion'
      end
      when 'unlikely_date'
      then 'Warning: {posts:count} {posts|post|posts} of {profile:text} dated before 2003 or more than a year ahead, in no month'
      when 'empty_window'
      then 'Warning: no posts of {profile:text} returned for {start_date:date}{until:phrase}, where {posts:count} {posts|is|are} known'
      when 'absent_posts'
      then 'Warning: {posts:count} {posts|post|posts} of {profile:text} no longer in the responses for {posts|its day|their days}'
      when 'superseded_records'
      then 'Warning: {posts:count} {posts|record|records} of {profile:text} replaced by {posts|a later record of the same post, which counts|later records of the same posts, which count} alone'
      when 'shared_posts'
      then 'Warning: {posts:count} {posts|post|posts} in the responses for {profile:text} and for another profile, counted for the one that had {posts|it|them} first'
      when 'shared_address'
      then 'Warning: {posts:count} {posts|post|posts} of {profile:text} with the {posts|address of a post|addresses of posts} of another profile, and counted for both'
      when 'other_workspace'
      then 'Warning: {posts:count} {posts|post|posts} of {profile:text} counted twice, {posts|it is|they are} also read under another profile'
      when 'outside_dates'
      then 'Warning: {posts:count} {posts|post|posts} of {profile:text} dated outside of {start_date:date}{until:phrase}, which was asked for'
      else 'Warning: posts of {profile:text} of {start_date:date} may be missing, the response looks truncated'
    end as text,
    profile,
    metric_name,
    after,
    fallen_by,
    start_date,
    end_date,
    case when start_date < end_date then ' to {end_date:date}' else '' end as until,
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
