-- grain: none; empties a shard that is rebuilt, and remembers its former content
-- key: none
-- reads: loaded_responses, webhook_events
create or replace temp table known_responses as
select workspace, run_id, seq
from loaded_responses;

create or replace temp table known_events as
select event_key
from webhook_events;

delete from readings;
delete from post_details;
delete from review_readings;
delete from webhook_events;
delete from run_parts;
delete from loaded_responses;
delete from extract_windows;
delete from rejected_records;
delete from profiles;
delete from linkedin_posts;
delete from posts;
delete from labels;
delete from post_labels;
delete from campaigns;
delete from assets;
delete from approvals;
delete from inline_comments;
delete from invites;
delete from runs;
delete from load_settings;
delete from prices;
