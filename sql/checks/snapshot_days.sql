-- grain: a snapshot whose times do not fit one another, or those of its post
-- key: workspace, linkedin_post_id, captured_on
-- reads: linkedin_post_snapshots, linkedin_posts
-- parameters: none
--
-- captured_on is a day of the time zone that was configured at the time, from 12 hours behind UTC to 14 hours
-- ahead: captured_at lies between 14 hours before that day begins in UTC and 12 hours after it ends.
select snapshots.workspace, snapshots.linkedin_post_id, snapshots.captured_on
from linkedin_post_snapshots as snapshots
join linkedin_posts as known using (workspace, linkedin_post_id)
where snapshots.captured_at < known.first_seen_at
  or snapshots.captured_at > known.last_seen_at
  or epoch_us(snapshots.captured_at) - epoch_us(snapshots.captured_on::timestamp)
    not between -14 * 3600000000 and 36 * 3600000000
order by all;
