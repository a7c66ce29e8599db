-- grain: a campaign that is new in this load or has a changed name or date
-- key: workspace, campaign_id
-- reads: touched_campaigns, readings, webhook_events
-- parameters: none
delete from campaigns
using touched_campaigns as touched
where campaigns.workspace = touched.workspace
  and campaigns.campaign_id = touched.campaign_id;

insert into campaigns by name
with mentioned as (
  select
    workspace,
    campaign_id,
    reading_id,
    campaign_name as name,
    null::struct(start_date varchar, end_date varchar) as dates
  from readings
  semi join touched_campaigns using (workspace, campaign_id)
  union all by name
  select
    workspace,
    post.campaign.campaign_id as campaign_id,
    reading_id,
    post.campaign.name as name,
    post.campaign.dates as dates
  from webhook_events
  semi join touched_campaigns
    on touched_campaigns.workspace = webhook_events.workspace
    and touched_campaigns.campaign_id = webhook_events.post.campaign.campaign_id
  where outcome = 'applied'
)
select
  workspace,
  campaign_id,
  max_by(name, reading_id) as name,
  try_cast(max_by(dates, reading_id).start_date as date) as start_date,
  try_cast(max_by(dates, reading_id).end_date as date) as end_date
from mentioned
group by workspace, campaign_id;
