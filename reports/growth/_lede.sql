-- grain: at most one row: the first sentence of the page; none without posts
-- reads: report_facts
select
  case
    when posts_read = 0 then '{posts|Your post was|Your # posts were} not read in this period, so growth is unknown.'
    when days_known = 1 then 'How figures grow needs 28 days of readings; there is one, {known_to:date}.'
    when days_known < 28
      then 'How figures grow needs 28 days of readings; there are {days_known:count}, from {known_from:date} to {known_to:date}.'
    when posts_read_again = 0 then 'No post was read on two days by the end of this period, so growth is unknown.'
    when impressions_added is null then 'The impressions of the posts with two or more readings are unknown.'
    when impressions_added >= 0
      then '{subject:phrase} {part|gained|gained} **{moved:count}** {moved|impression|impressions} from {added_from:date} to {added_to:date}.'
    else '{subject:phrase} {part|lost|lost} **{moved:count}** {moved|impression|impressions} from {added_from:date} to {added_to:date}.'
  end as text,
  coalesce(days_known < 28, true) as is_alone,
  days_known,
  known_from,
  known_to,
  subject_of('posts', posts_read_again, posts) as subject,
  posts_read_again as part,
  posts as whole,
  posts,
  abs(impressions_added)::double as moved,
  added_from,
  added_to
from report_facts
where posts > 0;
