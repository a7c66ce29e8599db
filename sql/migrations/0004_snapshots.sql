-- Readings have instants; linkedin_post_snapshots is a view of them.
drop table linkedin_post_snapshots;
