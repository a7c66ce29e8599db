-- grain: at most one row: the first sentence of the page; none without a post
-- reads: report_facts
--
-- It is about the posts that were created before they were published, or else about those that were created after it.
with total as (
  select *, posts as whole, case timed_posts when 0 then late else timed_posts end as part
  from report_facts
  where posts > 0
)
select
  case
    when part = 0 then 'The time from creation to publication of {whole|your post|your # posts} is not known.'
    when timed_posts = 0 then '{subject:phrase} {part|was|were} created after publication.{missed:phrase}'
    when lead_days_p50 is null
      then '{subject:phrase} {part|was|were} published **{mean:phrase}** after being created{part||, on average}.{missed:phrase}'
    else 'Half of {part|# post|# posts} with a known time went out within **{median:phrase}** of being created.{missed:phrase}'
  end as text,
  ' {unapproved|# post|# posts} went out without an approval that was asked for.' as missed,
  subject_of('posts', part, whole) as subject,
  nullif(posts_unapproved, 0) as unapproved,
  total.*
from total;
