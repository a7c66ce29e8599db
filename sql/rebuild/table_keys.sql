-- grain: a table of the warehouse, with the columns that tell its rows apart
-- key: table_name
-- reads: none
-- parameters: none
select table_name, key
from (
  values
    ('profiles', ['workspace', 'profile_id']),
    ('linkedin_posts', ['workspace', 'linkedin_post_id']),
    ('linkedin_post_snapshots', ['workspace', 'linkedin_post_id', 'captured_on']),
    ('posts', ['workspace', 'post_id']),
    ('post_readings', ['workspace', 'post_id', 'reading']),
    ('labels', ['workspace', 'label_id']),
    ('post_labels', ['workspace', 'post_id', 'label_id']),
    ('campaigns', ['workspace', 'campaign_id']),
    ('assets', ['workspace', 'asset_id', 'post_id', 'channel']),
    ('webhook_events', ['event_key']),
    ('invites', ['invite_id']),
    ('runs', ['run_id']),
    ('run_parts', ['run_id', 'workspace']),
    ('extract_windows', ['run_id', 'workspace', 'profile_id', 'start_date', 'end_date']),
    ('window_checks', ['workspace', 'run_id', 'profile_id', 'start_date', 'end_date']),
    ('loaded_responses', ['workspace', 'run_id', 'seq']),
    ('rejected_records', ['source', 'payload_sha256'])
) as keys (table_name, key)
order by table_name;
