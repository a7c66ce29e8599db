-- grain: none
-- key: none
-- reads: none
--
-- warning_text: the sentence about a finding in loaded data that look wrong, for the report, the status and the log of a load.
-- Its placeholders are columns of the finding. other_profiles: null where they are not named. warning_days: the phrase
-- behind start_date.
create or replace temp macro warning_days(start_date, end_date) as
  case when start_date < end_date then ' to {end_date:date}' else '' end;

create or replace temp macro warning_fall(kind, before, after) as
  case when kind = 'metric_drop' then (before - after) / before end;

create or replace temp macro warning_text(kind, metric, other_profiles) as
  case kind
    when 'metric_drop'
    then '{metric_name:phrase} of {profile:text} fell by {fallen_by:share} on {end_date:date}, from {before:count} to {after:count} in {posts:count} {posts|post|posts}'
    when 'out_of_proportion'
    then case metric
      when 'emv'
      then '{posts:count} {posts|post|posts} of {profile:text} with an EMV of up to {after:money}, out of all proportion to the impressions'
      else '{posts:count} {posts|post|posts} of {profile:text} with up to {after:count} {metric_name:phrase}, out of all proportion'
    end
    when 'unlikely_date'
    then '{posts:count} {posts|post|posts} of {profile:text} dated before 2003 or more than a year ahead, in no month'
    when 'empty_window'
    then 'no posts of {profile:text} returned for {start_date:date}{until:phrase}, where {posts:count} {posts|is|are} known'
    when 'absent_posts'
    then '{posts:count} {posts|post|posts} of {profile:text} no longer in the responses for {start_date:date}{until:phrase}, counted as last read'
    when 'superseded_records'
    then '{posts:count} {posts|record|records} of {profile:text} replaced by {posts|a later record of the same post, which counts|later records of the same posts, which count} alone'
    when 'shared_posts'
    then case
      when other_profiles is null
      then '{posts:count} {posts|post|posts} in the responses for {profile:text} and for another profile, counted for the one that had {posts|it|them} first'
      else '{posts:count} {posts|post|posts} in the responses for {profile:text} and for {other_profiles:text}, counted for the one that had {posts|it|them} first'
    end
    when 'shared_address'
    then case
      when other_profiles is null
      then '{posts:count} {posts|post|posts} of {profile:text} with the {posts|address of a post|addresses of posts} of another profile, and counted for both'
      else '{posts:count} {posts|post|posts} of {profile:text} with the {posts|address of a post|addresses of posts} of {other_profiles:text}, and counted for both'
    end
    when 'other_workspace'
    then '{posts:count} {posts|post|posts} of {profile:text} counted twice, {posts|it is|they are} also read under another profile'
    when 'outside_dates'
    then '{posts:count} {posts|post|posts} of {profile:text} dated outside of {start_date:date}{until:phrase}, which was asked for'
    else 'posts of {profile:text} of {start_date:date} may be missing, the response looks truncated'
  end;
