-- grain: one post of a campaign, of either period (campaign_posts), under one of its groups (campaign_members); one group, and one group in one month (campaign_sums); all posts of campaigns of one period (campaign_totals); one campaign, with posts or missing them (campaign_list)
-- key: is_current, workspace, linkedin_post_id; none; is_current, dimension, campaign, workspace, profile_id, is_monthly, month; is_current; campaign
-- reads: report_campaigns, report_posts, report_previous, report_settings
-- parameters: none
--
-- The sums that all sections share, so that none of them can compute its own. Views and watch time are those
-- of videos. Dates of a campaign are its own where they are known, else those of its first and last post here.
create or replace temp table campaign_posts as
with paired as (
  select true as is_current, *
  from report_posts
  where campaign is not null
  union all by name
  select false as is_current, *
  from report_previous
  where campaign is not null
)
select
  paired.is_current,
  paired.workspace,
  paired.profile_id,
  coalesce(paired.profile, paired.profile_id) as profile,
  paired.linkedin_post_id,
  paired.url,
  paired.title,
  paired.commentary,
  paired.type,
  paired.published_at,
  paired.published_local::date as day,
  paired.published_month as month,
  paired.campaign,
  paired.labels,
  paired.is_removed,
  paired.is_young,
  paired.like_count,
  paired.comment_count,
  paired.share_count,
  paired.click_count,
  paired.save_count,
  paired.send_count,
  paired.impression_count,
  paired.engagements,
  paired.engagement,
  paired.emv,
  paired.effective_cpm,
  case when paired.type = 'Video' then paired.video_view_count end as views,
  case when paired.type = 'Video' then paired.video_watch_time_seconds end as watch_time_seconds,
  coalesce(
    paired.published_local::date < report_campaigns.start_date
      or paired.published_local::date > report_campaigns.end_date,
    false
  ) as is_outside_dates
from paired
left join report_campaigns using (campaign);

create or replace temp view campaign_members as
select
  'all' as dimension,
  '' as group_campaign,
  '' as group_workspace,
  '' as group_profile_id,
  '' as group_profile,
  campaign_posts.*
from campaign_posts
union all
select 'campaign', campaign, '', '', '', campaign_posts.*
from campaign_posts
union all
select 'profile', campaign, workspace, profile_id, profile, campaign_posts.*
from campaign_posts;

create or replace temp table campaign_sums as
select
  is_current,
  dimension,
  group_campaign as campaign,
  group_workspace as workspace,
  group_profile_id as profile_id,
  group_profile as profile,
  grouping(month) = 0 as is_monthly,
  month,
  count(*) as posts,
  count(emv) as posts_with_emv,
  count(impression_count) as posts_with_impressions,
  sum(impression_count) as impressions,
  exact_sum(engagements) as engagements,
  ratio_of_sums(engagements, impression_count) as engagement_rate,
  exact_sum(emv) as emv,
  ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
  exact_sum(emv) / nullif(count(emv), 0) as emv_per_post,
  count(*) filter (where type = 'Video') as videos,
  sum(views) as views,
  sum(watch_time_seconds) as watch_time_seconds,
  min(day) as first_post,
  max(day) as last_post,
  count(*) filter (where is_outside_dates) as posts_outside_dates,
  count(distinct campaign) as campaigns,
  count(distinct (workspace, profile_id)) as profiles,
  count(*) filter (where is_young) as young_posts,
  sum(case when is_young then impression_count end) as young_impressions,
  exact_sum(case when is_young then emv end) as young_emv,
  sum(case when is_young then views end) as young_views
from campaign_members
group by grouping sets (
  (is_current, dimension, group_campaign, group_workspace, group_profile_id, group_profile),
  (is_current, dimension, group_campaign, group_workspace, group_profile_id, group_profile, month)
);

create or replace temp table campaign_totals as
with periods as (
  select true as is_current
  union all
  -- a period that was not read is not one without posts
  select false
  from report_settings
  where previous_from is not null
)
select
  is_current,
  coalesce(posts, 0) as posts,
  coalesce(posts_with_emv, 0) as posts_with_emv,
  coalesce(posts_with_impressions, 0) as posts_with_impressions,
  impressions,
  engagements,
  engagement_rate,
  emv,
  effective_cpm,
  emv_per_post,
  coalesce(videos, 0) as videos,
  views,
  watch_time_seconds,
  coalesce(posts_outside_dates, 0) as posts_outside_dates,
  coalesce(campaigns, 0) as campaigns,
  coalesce(profiles, 0) as profiles,
  coalesce(young_posts, 0) as young_posts,
  young_impressions,
  young_emv,
  young_views
from periods
left join (
  select *
  from campaign_sums
  where dimension = 'all' and not is_monthly
) as sums using (is_current);

create or replace temp table campaign_list as
with sums as (
  select *
  from campaign_sums
  where is_current and dimension = 'campaign' and not is_monthly
),
-- a post beyond the one known date does not stand for the other: the campaign would end before it starts
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
    when start_date is not null then 'start: the campaign' || case when last_day is null then '' else ', end: the last post' end
    when end_date is not null then case when first_day is null then '' else 'start: the first post, ' end || 'end: the campaign'
    when first_day is not null then 'the first and the last post'
  end as dates_from,
  first_post,
  last_post,
  coalesce(posts, 0) as posts,
  coalesce(posts_with_emv, 0) as posts_with_emv,
  coalesce(posts_with_impressions, 0) as posts_with_impressions,
  impressions,
  engagements,
  engagement_rate,
  emv,
  effective_cpm,
  emv_per_post,
  coalesce(videos, 0) as videos,
  views,
  watch_time_seconds,
  coalesce(posts_outside_dates, 0) as posts_outside_dates,
  coalesce(report_campaigns.campaigns, 1) as campaigns
from sums
full join report_campaigns on report_campaigns.campaign = sums.campaign
left join dated on dated.campaign = sums.campaign
where sums.campaign is not null or is_expected;
