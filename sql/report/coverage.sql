-- grain: macros return one fact about the basis of a report (coverage_of), one reason for posts left out of figures (left_out_of), or a post with such a reason (left_out_posts)
-- reads: report_all, report_campaigns, report_lacking, report_posts, report_previous, report_removed, report_settings
--
-- The posts that a report is about, among those that pass the filters. scope is the same as in groups.sql.
create or replace temp macro in_scope(scope, type, campaign) as
  case scope when 'videos' then type = 'Video' when 'campaign posts' then campaign is not null else true end;

-- The facts at the top of a page. figure: 'emv', 'engagements' or 'views' of removed posts.
create or replace temp macro coverage_of(scope, figure) as table
with posts as (
  select
    count(*) as posts,
    nullif(
      count(*) filter (
        where type = 'Video' and video_view_count is null and not list_contains(coalesce(unreadable, []), 'video_view_count')
      ),
      0
    ) as not_synced,
    nullif(count(*) filter (where impression_count is null), 0) as without_impressions,
    nullif(count(*) filter (where is_young), 0) as young
  from report_posts
  where in_scope(scope, type, campaign)
),
removed_total as (
  select
    nullif(count(*), 0) as removed_posts,
    exact_sum(case figure when 'emv' then emv when 'views' then video_view_count::double else engagements end) as amount
  from report_removed
  where in_scope(scope, type, campaign)
)
select
  unnest([10, 20, 30, 40, 50]) as position,
  unnest([
    case scope when 'videos' then '{posts:count} {posts|video|videos}' else '{posts:count} {posts|post|posts}' end,
    '{without_impressions:count} without impressions',
    '{young:count} not final (under 14 days old)',
    case scope when 'videos' then '{not_synced:count} not synced'
      else '{not_synced:count} {not_synced|video|videos} not synced' end,
    case
      when report_settings.removed <> 'exclude' then '{removed_posts:count} removed, included'
      when amount is null then '{removed_posts:count} removed, excluded'
      when figure = 'emv' then '{removed_posts:count} removed, {amount:money} excluded'
      when figure = 'views' then '{removed_posts:count} removed, {amount:count} {amount|view|views} excluded'
      else '{removed_posts:count} removed, {amount:count} {amount|engagement|engagements} excluded'
    end
  ]) as text,
  posts.*,
  removed_posts,
  amount
from posts
cross join removed_total
cross join report_settings
union all by name
select
  60 + position as position,
  '{lacking:count} without {metric:phrase}, which are priced' as text,
  metric,
  posts as lacking
from report_lacking
where figure = 'emv' and posts > 0 and price <> 'impressions';

-- The posts that totals leave out, that may still change, or that need an explanation, each once for each reason (what).
create or replace temp macro left_out_posts(scope) as table
with considered as (
  select
    report_all.*,
    report_settings.removed,
    report_settings.removed = 'include' or is_removed = (report_settings.removed = 'only') as is_shown,
    published_local::date < start_date or published_local::date > end_date as is_outside_dates,
    false as is_previous
  from report_all
  cross join report_settings
  left join report_campaigns using (campaign)
  union all by name
  select report_previous.*, report_settings.removed, false as is_shown, true as is_previous
  from report_previous
  cross join report_settings
  where is_equal_age
),
posts as (
  select *, in_scope(scope, type, campaign) as is_in_scope, is_shown and is_in_scope as is_own
  from considered
),
tagged as (
  select
    workspace,
    linkedin_post_id,
    emv,
    impression_count,
    engagements,
    case when type = 'Video' then video_view_count end as views,
    unnest(
      [
        case when is_shown and campaign is null then {
          'position': 1, 'what': 'Without a campaign', 'is_counted': false,
          'why': 'Posts that belong to no campaign. Their EMV is part of the whole that shares refer to.'
        } end,
        case when is_own and len(unreadable) > 0 then {
          'position': 2, 'what': 'Not readable', 'is_counted': true,
          'why': 'The service gives a value that cannot be read. Counted with the last known one, if there is one, and not compared.'
        } end,
        case when is_removed and not is_previous and is_in_scope then {
          'position': 3, 'what': 'Removed posts', 'is_counted': removed <> 'exclude',
          'why': case removed
            when 'exclude' then 'Deleted in the workspace. Excluded from every figure.'
            when 'include' then 'Deleted in the workspace. Included on request.'
            else 'Deleted in the workspace. This report covers removed posts only.'
          end
        } end,
        case when removed = 'only' and not is_removed and not is_previous and is_in_scope then {
          'position': 4, 'what': 'Posts not removed', 'is_counted': false,
          'why': 'This report covers removed posts only.'
        } end,
        case when is_shown and is_outside_dates then {
          'position': 5, 'what': 'Outside the dates', 'is_counted': true,
          'why': 'Published before the start or after the end of the campaign. They count all the same.'
        } end,
        case when is_own and emv is not null and impression_count is null then {
          'position': 6, 'what': 'EMV without impressions', 'is_counted': true,
          'why': case
            when emv_source = 'prices' then 'Only other figures that are priced are known. Included in EMV, not in that of 1,000 impressions.'
            else 'The service gives EMV but no impressions. Included in EMV, not in the CPM.'
          end
        } end,
        case when is_shown and (engagements is null or impression_count is null) then {
          'position': 7, 'what': 'Without an engagement rate', 'is_counted': false,
          'why': 'Engagements or impressions are unknown. Excluded from rate, lift and factor.'
        } end,
        case when is_shown and engagements is not null and impression_count = 0 then {
          'position': 8, 'what': 'With 0 impressions', 'is_counted': true,
          'why': 'No rate of their own. Not counted among the posts that a comparison needs.'
        } end,
        case when is_own and emv is null and not list_contains(coalesce(unreadable, []), 'emv') then {
          'position': 9, 'what': 'Without EMV', 'is_counted': false,
          'why': case
            when len(getvariable('_listed_prices')) > 0
              then 'The service gives no EMV, and nothing that has a price on the day of the post is known. They count as posts, not as 0.'
            else 'The service gives no EMV, and no CPM or impressions to compute it from. They count as posts, not as 0.'
          end
        } end,
        case when is_own and type = 'Video' and video_view_count is null and not list_contains(coalesce(unreadable, []), 'video_view_count') then {
          'position': 10, 'what': 'Videos not synced', 'is_counted': true,
          'why': 'The service gives no views yet. They count as videos, not as 0 views.'
        } end,
        case when is_own and has_negative_count then {
          'position': 11, 'what': 'Negative count', 'is_counted': true,
          'why': 'A count below 0, for example after a reaction was withdrawn. Kept as the service gives it.'
        } end,
        case when is_own and engagements > impression_count and impression_count > 0 then {
          'position': 12, 'what': 'Engagement above 100%', 'is_counted': true,
          'why': 'LinkedIn counts reactions for life and impressions for 12 months. Kept as the service gives it.'
        } end,
        case when is_own and video_view_count > impression_count then {
          'position': 13, 'what': 'More views than impressions', 'is_counted': true,
          'why': 'LinkedIn counts each start of a video, also several on one impression. Kept as the service gives it.'
        } end,
        case when is_own and is_young then {
          'position': 14, 'what': 'Not final', 'is_counted': true,
          'why': 'Less than 14 days old at the last reading. LinkedIn still adds to their figures.'
        } end,
        case when is_own and published_at is null then {
          'position': 15, 'what': 'Without a time', 'is_counted': true,
          'why': 'The time of publication is unknown. Included in totals, in no month.'
        } end,
        case when is_previous and is_in_scope then {
          'position': 16, 'what': 'Compared at equal age', 'is_counted': false,
          'why': 'Posts of the comparison period, with the figures they had at the age that these posts have now.'
        } end,
        case when is_own and kind is null then {
          'position': 17, 'what': 'Neither page nor member', 'is_counted': true,
          'why': 'The posts of the profile carry neither clicks nor saves and sends, so it is shown apart from pages and members.'
        } end,
        case when is_own and impression_count is null and video_view_count is not null then {
          'position': 18, 'what': 'Views without impressions', 'is_counted': true,
          'why': 'Excluded from the view rate. Their views are included in totals.'
        } end,
        case when is_own and video_viewer_count is null and video_view_count is not null then {
          'position': 19, 'what': 'Views without viewers', 'is_counted': true,
          'why': 'Excluded from figures per viewer. Their views are included in totals.'
        } end,
        case when is_own and video_watch_time_seconds is null and video_view_count is not null then {
          'position': 20, 'what': 'Views without watch time', 'is_counted': true,
          'why': 'Excluded from time per view. Their views are included in totals.'
        } end
      ],
      recursive := true
    )
  from posts
)
select *
from tagged
where what is not null;

-- The same by reason, for each of `reasons`. If there are none, one row has the reason `complete`.
create or replace temp macro left_out_of(scope, reasons, complete) as table
with found as (
  select
    position,
    what,
    count(*) as posts,
    exact_sum(emv) as emv,
    any_value(is_counted) as is_counted,
    any_value(why) as why,
    sum(case when what <> 'Without EMV' then impression_count end) as impressions,
    exact_sum(engagements) as engagements,
    sum(views) as views
  from left_out_posts(scope)
  where list_contains(reasons, what)
  group by position, what
)
select *
from found
union all
select 21, 'Nothing', 0, null, null, complete, null, null, null
from (select count(*) as posts from report_posts where in_scope(scope, type, campaign)) as shown
where shown.posts > 0 and not exists (from found);
