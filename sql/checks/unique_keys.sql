-- grain: a key that stands twice in its table
-- key: table_name, duplicate
-- reads: profiles, linkedin_posts, linkedin_post_snapshots, posts, post_readings, labels, post_labels, campaigns, assets, webhook_events, invites, runs, run_parts, extract_windows, window_checks, loaded_responses, rejected_records
-- parameters: none
select 'profiles' as table_name, to_json([workspace::varchar, profile_id::varchar])::varchar as duplicate
from profiles
group by workspace, profile_id
having count(*) > 1
union all
select 'linkedin_posts' as table_name, to_json([workspace::varchar, linkedin_post_id::varchar])::varchar as duplicate
from linkedin_posts
group by workspace, linkedin_post_id
having count(*) > 1
union all
select 'linkedin_post_snapshots' as table_name, to_json([workspace::varchar, linkedin_post_id::varchar, captured_on::varchar])::varchar as duplicate
from linkedin_post_snapshots
group by workspace, linkedin_post_id, captured_on
having count(*) > 1
union all
select 'posts' as table_name, to_json([workspace::varchar, post_id::varchar])::varchar as duplicate
from posts
group by workspace, post_id
having count(*) > 1
union all
select 'post_readings' as table_name, to_json([workspace::varchar, post_id::varchar, reading::varchar])::varchar as duplicate
from post_readings
group by workspace, post_id, reading
having count(*) > 1
union all
select 'labels' as table_name, to_json([workspace::varchar, label_id::varchar])::varchar as duplicate
from labels
group by workspace, label_id
having count(*) > 1
union all
select 'post_labels' as table_name, to_json([workspace::varchar, post_id::varchar, label_id::varchar])::varchar as duplicate
from post_labels
group by workspace, post_id, label_id
having count(*) > 1
union all
select 'campaigns' as table_name, to_json([workspace::varchar, campaign_id::varchar])::varchar as duplicate
from campaigns
group by workspace, campaign_id
having count(*) > 1
union all
select 'assets' as table_name, to_json([workspace::varchar, asset_id::varchar, post_id::varchar, channel::varchar])::varchar as duplicate
from assets
group by workspace, asset_id, post_id, channel
having count(*) > 1
union all
select 'webhook_events' as table_name, to_json([event_key])::varchar as duplicate
from webhook_events
group by event_key
having count(*) > 1
union all
select 'invites' as table_name, to_json([invite_id])::varchar as duplicate
from invites
group by invite_id
having count(*) > 1
union all
select 'runs' as table_name, to_json([run_id])::varchar as duplicate
from runs
group by run_id
having count(*) > 1
union all
select 'run_parts' as table_name, to_json([run_id::varchar, workspace::varchar])::varchar as duplicate
from run_parts
group by run_id, workspace
having count(*) > 1
union all
select 'extract_windows' as table_name, to_json([run_id::varchar, workspace::varchar, profile_id::varchar, start_date::varchar, end_date::varchar])::varchar as duplicate
from extract_windows
group by run_id, workspace, profile_id, start_date, end_date
having count(*) > 1
union all
select 'window_checks' as table_name, to_json([workspace::varchar, run_id::varchar, profile_id::varchar, start_date::varchar, end_date::varchar])::varchar as duplicate
from window_checks
group by workspace, run_id, profile_id, start_date, end_date
having count(*) > 1
union all
select 'loaded_responses' as table_name, to_json([workspace::varchar, run_id::varchar, seq::varchar])::varchar as duplicate
from loaded_responses
group by workspace, run_id, seq
having count(*) > 1
union all
select 'rejected_records' as table_name, to_json([source::varchar, payload_sha256::varchar])::varchar as duplicate
from rejected_records
group by source, payload_sha256
having count(*) > 1
order by all;
