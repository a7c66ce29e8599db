-- The review of posts before they are published: approvals, and threads of inline comments.

-- ---- facts ----

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
