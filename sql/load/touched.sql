-- grain: a table that the load derives again for rows that it touches
-- key: table_name
-- reads: new_responses, removed_posts, touched_events, readings, post_details, review_readings, webhook_events, labels, campaigns
-- parameters: none
create or replace temp table touched_details as
select workspace, post_id
from readings
semi join new_responses using (workspace, run_id, seq)
where post_id is not null
union
select workspace, post_id
from post_details
semi join new_responses using (workspace, run_id, seq)
union
select workspace, post_id
from removed_posts;

create or replace temp table touched_reviews as
select distinct workspace, post_id, source
from review_readings
semi join new_responses using (workspace, run_id, seq);

-- Those that are new or have a changed name or colour.
create or replace temp table touched_labels as
with given as (
  select workspace, unnest(labels) as label
  from readings
  semi join new_responses using (workspace, run_id, seq)
  union all
  select workspace, unnest(labels) as label
  from post_details
  semi join new_responses using (workspace, run_id, seq)
  union all
  select workspace, unnest(post.labels) as label
  from webhook_events
  semi join touched_events using (event_key)
  where outcome = 'applied'
)
select distinct given.workspace, given.label.label_id as label_id
from given
left join labels as known
  on known.workspace = given.workspace
  and known.label_id = given.label.label_id
where known.label_id is null
  or given.label.name <> coalesce(known.name, '')
  or given.label.color <> coalesce(known.color, '')
  or given.label.background_color <> coalesce(known.background_color, '')
union
-- an event no longer gives them where it does not belong any more
select workspace_before, unnest(post.labels).label_id
from webhook_events
join touched_events using (event_key)
where workspace_before is not null;

-- Those that are new or have a changed name or date.
create or replace temp table touched_campaigns as
with given as (
  select workspace, campaign_id, campaign_name as name, null::struct(start_date varchar, end_date varchar) as dates
  from readings
  semi join new_responses using (workspace, run_id, seq)
  union all
  select workspace, post.campaign.campaign_id as campaign_id, post.campaign.name as name, post.campaign.dates as dates
  from webhook_events
  semi join touched_events using (event_key)
  where outcome = 'applied'
)
select given.workspace, given.campaign_id
from given
left join campaigns as known using (workspace, campaign_id)
where given.campaign_id is not null
  and (known.campaign_id is null or given.name <> coalesce(known.name, '') or given.dates is not null)
union
select workspace_before, post.campaign.campaign_id
from webhook_events
join touched_events using (event_key)
where workspace_before is not null and post.campaign.campaign_id is not null;

select 'posts' as table_name
where exists (from touched_details)
union all
select 'reviews'
where exists (from touched_reviews)
union all
select 'labels'
where exists (from touched_labels)
union all
select 'campaigns'
where exists (from touched_campaigns);
