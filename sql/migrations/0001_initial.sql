-- All tables of the warehouse. No keys, indexes, sequences or enums, so that the same statements hold on
-- DuckLake: the unique keys that each table's comment names are held by the loads and by
-- sql/checks/unique_keys.sql.
--
-- A `reading` names the response that a value came from and sorts as responses follow one another:
-- '2026-11-21T05:15:03.120000Z 20261121T051500Z-4f1c2a 000000012' (fetched_at, run_id, seq).
-- The later reading wins, whichever was loaded first. `runs` is made of `run_parts` and
-- `loaded_responses`; times are those of the response, never of the load.

-- key: workspace, profile_id
create table profiles (
  workspace varchar not null,
  profile_id varchar not null,
  name varchar not null,
  -- currency units per thousand impressions
  cpm double,
  -- 'config', or the newest run that told of the profile: its started_at and run_id
  told_by varchar not null
);

-- key: workspace, linkedin_post_id
create table linkedin_posts (
  workspace varchar not null,
  linkedin_post_id varchar not null,
  profile_id varchar not null,
  url varchar not null,
  commentary varchar,
  type varchar not null,
  published_at timestamptz,
  like_count bigint,
  comment_count bigint,
  share_count bigint,
  click_count bigint,
  save_count bigint,
  send_count bigint,
  impression_count bigint,
  engagement double,
  emv double,
  video_view_count bigint,
  video_viewer_count bigint,
  video_watch_time_seconds bigint,
  post_id varchar,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  extra json,
  reading varchar not null,
  -- of a value that the row's own reading did not give, the last one that did: what was once given
  -- outlives a later null
  value_readings struct(
    like_count varchar,
    comment_count varchar,
    share_count varchar,
    click_count varchar,
    save_count varchar,
    send_count varchar,
    impression_count varchar,
    engagement varchar,
    emv varchar,
    video_view_count varchar,
    video_viewer_count varchar,
    video_watch_time_seconds varchar,
    post_id varchar
  ) not null
);

-- key: workspace, linkedin_post_id, captured_on
create table linkedin_post_snapshots (
  workspace varchar not null,
  linkedin_post_id varchar not null,
  -- a day of the configured time zone
  captured_on date not null,
  captured_at timestamptz not null,
  like_count bigint,
  comment_count bigint,
  share_count bigint,
  click_count bigint,
  save_count bigint,
  send_count bigint,
  impression_count bigint,
  engagement double,
  emv double,
  video_view_count bigint,
  video_viewer_count bigint,
  video_watch_time_seconds bigint,
  reading varchar not null
);

-- key: workspace, post_id
create table posts (
  workspace varchar not null,
  post_id varchar not null,
  title varchar,
  url varchar,
  status varchar,
  channels varchar[],
  publish_date date,
  publish_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  campaign_id varchar,
  -- copy and tweets by channel, as the details give them
  content json,
  detail_fetched_at timestamptz,
  missing_since timestamptz,
  removed_at timestamptz,
  removed_by varchar,
  extra json,
  title_reading varchar,
  labels_reading varchar,
  campaign_reading varchar,
  detail_reading varchar
);

-- What each answer said of a post: `mentioned` in analytics (with a fingerprint of title, labels and
-- campaign), its details `found`, or `missing` (404). Only what can still matter is kept, see
-- sql/load/post_readings.sql.
-- key: workspace, post_id, reading
create table post_readings (
  workspace varchar not null,
  post_id varchar not null,
  reading varchar not null,
  fetched_at timestamptz not null,
  kind varchar not null,
  fingerprint varchar
);

-- key: workspace, label_id
create table labels (
  workspace varchar not null,
  label_id varchar not null,
  name varchar,
  color varchar,
  background_color varchar,
  name_reading varchar,
  color_reading varchar,
  background_color_reading varchar
);

-- key: workspace, post_id, label_id
create table post_labels (
  workspace varchar not null,
  post_id varchar not null,
  label_id varchar not null
);

-- key: workspace, campaign_id
create table campaigns (
  workspace varchar not null,
  campaign_id varchar not null,
  name varchar,
  start_date date,
  end_date date,
  name_reading varchar,
  dates_reading varchar
);

-- key: workspace, asset_id, post_id
create table assets (
  workspace varchar not null,
  asset_id varchar not null,
  post_id varchar not null,
  channel varchar not null,
  name varchar,
  url varchar,
  mimetype varchar,
  size bigint,
  width bigint,
  height bigint,
  -- seconds; null for images
  duration double
);

-- key: event_key
create table webhook_events (
  event_key varchar not null,
  type varchar not null,
  created_at timestamptz,
  received_at timestamptz not null,
  workspace_id varchar,
  payload json not null,
  outcome varchar not null,
  reason varchar
);

-- key: invite_id
create table invites (
  invite_id varchar not null,
  email varchar,
  created_at timestamptz,
  invited_by varchar,
  workspace_slug varchar,
  sent_email boolean
);

-- key: run_id
create table runs (
  run_id varchar not null,
  job varchar not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  status varchar not null,
  requests bigint not null,
  retries bigint,
  throttled bigint,
  posts_read bigint not null,
  rejected bigint not null
);

-- One workspace's share of a run.
-- key: run_id, workspace
create table run_parts (
  run_id varchar not null,
  workspace varchar not null,
  job varchar not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  status varchar not null,
  requests bigint,
  retries bigint,
  throttled bigint
);

-- key: run_id, workspace, profile_id, start_date, end_date
create table extract_windows (
  run_id varchar not null,
  workspace varchar not null,
  profile_id varchar not null,
  start_date date not null,
  end_date date not null,
  status varchar not null,
  http_status integer,
  posts_read bigint not null,
  requests bigint not null,
  fetched_at timestamptz not null,
  error varchar,
  seq bigint not null
);

-- The ledger: what is here has been loaded and is never loaded again.
-- key: workspace, run_id, seq
create table loaded_responses (
  workspace varchar not null,
  run_id varchar not null,
  seq bigint not null,
  kind varchar not null,
  outcome varchar not null,
  fetched_at timestamptz not null,
  requests bigint not null,
  posts_read bigint not null,
  rejected bigint not null
);

-- The first time that each bad record came.
-- key: source, payload_sha256
create table rejected_records (
  run_id varchar not null,
  source varchar not null,
  reason varchar not null,
  payload varchar not null,
  rejected_at timestamptz not null,
  workspace varchar not null,
  payload_sha256 varchar not null,
  reading varchar not null
);
