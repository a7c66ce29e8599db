-- grain: none; the tables that a batch's answers and events fill
-- key: none
-- reads: none
-- parameters: none

-- What is said of posts, in analytics, details and events.
create or replace temp table staged_mentions (
  workspace varchar,
  reading varchar,
  fetched_at timestamptz,
  -- of two mentions in the batch the later one has the larger ordinal
  ordinal bigint,
  -- 'mentioned' in analytics, details 'found' or 'missing', 'removed' by an event
  kind varchar,
  post_id varchar,
  title varchar,
  labels struct(label_id varchar, name varchar, color varchar, background_color varchar)[],
  campaign_id varchar,
  campaign_name varchar,
  -- null where nothing is said of dates
  campaign_dates struct(start_date date, end_date date)
);

-- What details and events say of posts beyond that.
create or replace temp table staged_details (
  workspace varchar,
  reading varchar,
  ordinal bigint,
  kind varchar,
  post_id varchar,
  url varchar,
  status varchar,
  channels varchar[],
  publish_date date,
  publish_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  -- JSON of what the post says in each channel; null where details have nothing, or an event does not tell
  linkedin varchar,
  x varchar,
  -- null where nothing is said of them
  linkedin_assets struct(
    asset_id varchar,
    channel varchar,
    name varchar,
    url varchar,
    mimetype varchar,
    size bigint,
    width bigint,
    height bigint,
    duration double
  )[],
  x_assets struct(
    asset_id varchar,
    channel varchar,
    name varchar,
    url varchar,
    mimetype varchar,
    size bigint,
    width bigint,
    height bigint,
    duration double
  )[],
  extra json,
  removed_at timestamptz,
  removed_by varchar
);
