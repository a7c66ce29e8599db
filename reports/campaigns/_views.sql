-- grain: one post of a campaign (campaign_posts); one campaign with posts, and the EMV that shares of it are of (campaign_wholes); one group, and one group in one month (campaign_sums); one group of the report (campaign_groups); one campaign, with posts or without (campaign_list)
-- key: workspace, linkedin_post_id; campaign; is_current, dimension, part_of, name, workspace, profile_id, is_monthly, month; dimension, part_of, name, workspace, profile_id; campaign
-- reads: groups_of, report_campaigns, report_posts, sums_by
--
-- Views and watch time are those of videos. A campaign has its own dates if they are known, and otherwise the dates of
-- its first and last post here. part_of is the campaign that a profile's posts belong to.
create or replace temp view campaign_posts as
select
  report_posts.* replace (coalesce(profile, profile_id) as profile),
  finite(engagements / impression_count) as engagement_rate,
  case when type = 'Video' then video_view_count end as views,
  case when type = 'Video' then video_watch_time_seconds end as watch_time_seconds,
  coalesce(
    published_local::date < report_campaigns.start_date or published_local::date > report_campaigns.end_date, false
  ) as is_outside_dates,
  row_number() over (
    partition by campaign
    order by emv desc nulls last, impression_count desc nulls last, interactions desc nulls last, published_at nulls last, workspace, linkedin_post_id
  ) as rank
from report_posts
left join report_campaigns using (campaign)
where campaign is not null;

-- A share of a whole with a negative part would say nothing.
create or replace temp table campaign_wholes as
select
  campaign,
  count(*) as posts,
  exact_sum(emv) as campaign_emv,
  case when min(emv) >= 0 then nullif(campaign_emv, 0) end as shared_emv
from campaign_posts
group by campaign;

create or replace temp table campaign_sums as
select *
from sums_by('campaign posts', ['all', 'campaign', 'campaign profile']);

create or replace temp table campaign_groups as
select *
from groups_of('campaign_sums', 'emv');

create or replace temp table campaign_list as
with sums as (
  select name as campaign, * exclude (campaigns, emv_share)
  from campaign_groups
  where dimension = 'campaign'
),
-- a post beyond the one known date cannot replace the other date: the campaign would end before it starts
dated as (
  select
    campaign,
    case when end_date is null or first_post <= end_date then first_post end as first_day,
    case when start_date is null or last_post >= start_date then last_post end as last_day
  from sums
  left join report_campaigns using (campaign)
)
select
  coalesce(sums.campaign, report_campaigns.campaign) as campaign,
  coalesce(start_date, first_day) as start_date,
  coalesce(end_date, last_day) as end_date,
  case
    when start_date is not null and end_date is not null then 'the campaign'
    when start_date is not null and last_day is null then 'start: the campaign'
    when start_date is not null then 'start: the campaign, end: the last post'
    when end_date is not null and first_day is null then 'end: the campaign'
    when end_date is not null then 'start: the first post, end: the campaign'
    when first_day is not null then 'the first and the last post'
  end as dates_from,
  first_post,
  last_post,
  coalesce(sums.posts, 0) as posts,
  sums.impressions,
  sums.engagements,
  sums.engagement_rate,
  sums.emv,
  sums.emv / nullif(whole.emv, 0) as emv_share,
  sums.emv_per_post,
  sums.effective_cpm,
  coalesce(sums.videos, 0) as videos,
  sums.views,
  sums.watch_time_seconds,
  coalesce(posts_outside_dates, 0) as posts_outside_dates,
  coalesce(nullif(trim(best.title), ''), nullif(trim(left_grapheme(best.commentary, 100)), '')) as best_post,
  best.url as best_post_url,
  best.emv as best_post_emv,
  coalesce(posts_with_emv, 0) as posts_with_emv,
  trend,
  sums.interactions,
  coalesce(report_campaigns.campaigns, 1) as campaigns
from sums
cross join (select exact_sum(emv) as emv from report_posts) as whole
full join report_campaigns on report_campaigns.campaign = sums.campaign
left join dated on dated.campaign = sums.campaign
left join campaign_posts as best on best.campaign = sums.campaign and best.rank = 1
  and coalesce(best.emv, best.impression_count, best.interactions) is not null
where sums.campaign is not null or is_expected;
