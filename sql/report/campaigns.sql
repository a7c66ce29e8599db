-- grain: one campaign name that passes the filters, with posts or without
-- key: campaign
-- reads: campaigns, linkedin_posts, posts, report_scope
-- parameters: $from, $to, $campaigns, $labels, $types
--
-- Campaigns with the same name are one. A date is known if all of them agree on it. is_expected: the campaign is listed
-- even without posts in the report, because its dates overlap the period (or, if it has no dates, because no post dates
-- it otherwise), and because the report covers whole workspaces rather than some profiles, labels or types.
create or replace temp table report_campaigns as
with posted as (
  select distinct posts.workspace, posts.campaign_id
  from posts
  join linkedin_posts using (workspace, post_id)
),
chosen as (
  select
    campaigns.name,
    campaigns.start_date,
    campaigns.end_date,
    posted.campaign_id is not null as is_posted,
    workspace in (select workspace from report_scope where is_whole) as is_of_whole_workspace
  from campaigns
  left join posted using (workspace, campaign_id)
  where name is not null
    and (len($campaigns::varchar[]) = 0 or list_contains($campaigns::varchar[], name))
),
named as (
  select
    name as campaign,
    case when count(start_date) = count(*) and min(start_date) = max(start_date) then min(start_date) end
      as start_date,
    case when count(end_date) = count(*) and min(end_date) = max(end_date) then min(end_date) end as end_date,
    count(*) as campaigns,
    bool_or(is_posted) as is_posted,
    bool_and(is_of_whole_workspace) as is_of_whole_workspaces
  from chosen
  group by name
)
select
  campaign,
  start_date,
  end_date,
  campaigns,
  is_of_whole_workspaces
    and len($labels::varchar[]) = 0
    and len($types::varchar[]) = 0
    and case
      when start_date is null and end_date is null
        then not is_posted or ($from::date is null and $to::date is null)
      else coalesce(start_date <= $to::date, true) and coalesce(end_date >= $from::date, true)
    end as is_expected
from named;
