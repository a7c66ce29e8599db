-- All tables of the warehouse. No keys, indexes, sequences or enums, so that the same statements run on
-- DuckLake: loads keep the keys in the comments unique, and sql/checks tests that.
--
-- Facts are appended once. Derived tables are a function of the facts, recomputed for the posts that a load
-- touches, so that the order in which things arrive cannot matter.
--
-- `reading_id` orders everything that was received for a workspace: milliseconds since 1970 × 2^21, plus the position
-- of a record in its response. Of two values the one with the larger reading_id wins.

-- ---- facts ----

-- A record of an analytics response.
-- key: workspace, linkedin_post_id, reading_id
create table readings (
  workspace varchar not null,
  linkedin_post_id varchar not null,
  reading_id bigint not null,
  run_id varchar not null,
  seq bigint not null,
  fetched_at timestamptz not null,
  profile_id varchar not null,
  url varchar,
  commentary varchar,
  type varchar,
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
  -- of the linked post of the workspace; all null where there is none
  post_id varchar,
  title varchar,
  labels struct(label_id varchar, name varchar, color varchar, background_color varchar)[],
  campaign_id varchar,
  campaign_name varchar,
  extra json,
  -- the columns whose values were given and could not be read
  unreadable varchar[]
);

-- A response about a post's details: `found`, or `missing` (404).
-- key: workspace, post_id, reading_id
create table post_details (
  workspace varchar not null,
  post_id varchar not null,
  reading_id bigint not null,
  run_id varchar not null,
  seq bigint not null,
  fetched_at timestamptz not null,
  kind varchar not null,
  title varchar,
  url varchar,
  status varchar,
  channels varchar[],
  publish_date date,
  publish_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  labels struct(label_id varchar, name varchar, color varchar, background_color varchar)[],
  -- the post's content in each channel
  linkedin json,
  x json,
  extra json
);

-- key: event_key
create table webhook_events (
  event_key varchar not null,
  type varchar not null,
  created_at timestamptz,
  received_at timestamptz not null,
  reading_id bigint not null,
  workspace_id varchar,
  workspace_slug varchar,
  payload json not null,
  -- the event's content, if its type is known and it fits that type
  post struct(
    post_id varchar, title varchar, url varchar, status varchar, channels varchar[],
    labels struct(label_id varchar, name varchar, color varchar, background_color varchar)[],
    campaign struct(
      campaign_id varchar, name varchar, dates struct(start_date varchar, end_date varchar)
    ),
    removed_at varchar, removed_by varchar, linkedin varchar, x varchar, extra varchar
  ),
  invite struct(
    invite_id varchar, email varchar, created_at varchar, invited_by varchar,
    workspace_slug varchar, sent_email boolean
  ),
  -- why it does not fit its type
  problem varchar,
  -- derived from the above and today's slugs: the workspace's key in jobs.yaml, and what became of the event
  workspace varchar,
  outcome varchar not null,
  reason varchar
);

-- One workspace's part of a run.
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
  throttled bigint,
  profiles struct(profile_id varchar, name varchar, cpm double)[],
  -- whether the run has ended and all of it is loaded
  is_complete boolean not null
);

-- Responses that have been loaded, and are never loaded again.
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
  seq bigint not null,
  -- as the API gave them: all members of the array, and the posts among them, each once
  records bigint,
  distinct_posts bigint,
  -- what the answer proves: all posts of these days, or none with the reason
  first_day date,
  last_day date,
  reason varchar,
  -- records dated more than a day outside of what was asked
  outside bigint,
  -- the first day of the window of which this one was asked for as a part
  part_of date
);

-- Records and values that could not be loaded, each as it first came.
-- key: source, field, payload_sha256
create table rejected_records (
  run_id varchar not null,
  source varchar not null,
  reason varchar not null,
  payload varchar not null,
  rejected_at timestamptz not null,
  workspace varchar not null,
  payload_sha256 varchar not null,
  seq bigint not null,
  -- as the API names it; null where the whole record was rejected
  field varchar
);

-- A response with all approvals of a post, or with all threads of comments on it (source: `approvals` or `comments`):
-- `found`, or `missing` (404).
-- key: workspace, post_id, source, reading_id
create table review_readings (
  workspace varchar not null,
  post_id varchar not null,
  source varchar not null,
  reading_id bigint not null,
  run_id varchar not null,
  seq bigint not null,
  fetched_at timestamptz not null,
  kind varchar not null,
  approvals struct(
    approval_id varchar, status varchar, is_blocking boolean, message varchar, due_date timestamptz,
    approved_at timestamptz, created_at timestamptz, user_id varchar, user_name varchar,
    requested_by_id varchar, requested_by_name varchar, extra varchar
  )[],
  threads struct(
    thread_id varchar, resolved boolean, channel varchar, highlighted_text varchar,
    created_at timestamptz, updated_at timestamptz,
    replies struct(
      reply_id varchar, user_id varchar, user_name varchar, message varchar, created_at timestamptz,
      reactions struct(emoji varchar, users bigint)[]
    )[],
    extra varchar
  )[]
);

-- ---- derived tables ----

-- From jobs.yaml; profiles that are no longer there, as in their newest run.
-- key: workspace, profile_id
create table profiles (
  workspace varchar not null,
  profile_id varchar not null,
  name varchar not null,
  -- currency units per thousand impressions
  cpm double,
  -- the last day that counts, of a profile that has ended
  until date,
  -- the name of the list that prices its posts
  prices varchar
);

-- One price of a list of jobs.yaml, from a day on.
-- key: list, from_date, metric
create table prices (
  list varchar not null,
  -- null: from ever
  from_date date,
  -- impressions, likes, comments, shares, clicks, saves, sends or views
  metric varchar not null,
  -- currency units for each, or for a thousand impressions
  price double not null
);

-- The last reading of each post; a metric that is null there has the last value that it had.
-- key: workspace, linkedin_post_id
create table linkedin_posts (
  workspace varchar not null,
  linkedin_post_id varchar not null,
  profile_id varchar not null,
  url varchar,
  commentary varchar,
  type varchar,
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
  reading_id bigint not null,
  -- where it has the number of an activity, share or ugcPost
  address varchar,
  superseded_by varchar,
  superseded_at timestamptz,
  absent_since timestamptz,
  -- the columns whose values were given and could not be read
  unreadable varchar[],
  last_profile_id varchar
);

-- A post that several of the profiles that are read have, and one of these.
-- key: workspace, identity, linkedin_post_id, profile_id
create table shared_posts (
  workspace varchar not null,
  -- what the profiles have in common: the post's id, or the address of several records
  identity varchar not null,
  linkedin_post_id varchar not null,
  profile_id varchar not null,
  published_at timestamptz,
  shared_at timestamptz not null
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
  -- the post's content in each channel: {"linkedIn": …, "x": …}
  content json,
  detail_fetched_at timestamptz,
  missing_since timestamptz,
  removed_at timestamptz,
  removed_by varchar,
  extra json,
  -- whether analytics have given another title, labels or campaign since the details were last asked for
  has_changed boolean
);

-- key: workspace, label_id
create table labels (
  workspace varchar not null,
  label_id varchar not null,
  name varchar,
  color varchar,
  background_color varchar
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
  end_date date
);

-- key: workspace, asset_id, post_id, channel
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

-- The approvals of each post in the last response that had them.
-- key: workspace, post_id, approval_id
create table approvals (
  workspace varchar not null,
  post_id varchar not null,
  approval_id varchar not null,
  status varchar,
  is_blocking boolean,
  message varchar,
  due_date timestamptz,
  approved_at timestamptz,
  created_at timestamptz,
  -- the person asked, and the person who asked
  user_id varchar,
  user_name varchar,
  requested_by_id varchar,
  requested_by_name varchar,
  extra json,
  fetched_at timestamptz not null
);

-- The threads of comments on each post in the last response that had them.
-- key: workspace, post_id, thread_id
create table inline_comments (
  workspace varchar not null,
  post_id varchar not null,
  thread_id varchar not null,
  resolved boolean,
  channel varchar,
  highlighted_text varchar,
  created_at timestamptz,
  updated_at timestamptz,
  -- in the order of the response; users is the number of people with the reaction
  replies struct(
    reply_id varchar, user_id varchar, user_name varchar, message varchar, created_at timestamptz,
    reactions struct(emoji varchar, users bigint)[]
  )[],
  extra json,
  fetched_at timestamptz not null
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

-- The settings that the derived tables depend on: one row.
create table load_settings (
  timezone varchar not null,
  profiles json not null,
  slugs json not null,
  prices json not null,
  figures json not null
);
