-- grain: one LinkedIn post
-- key: workspace, linkedin_post_id
-- reads: linkedin_posts, profiles, posts, campaigns, post_label_names, post_media, load_settings, emv_prices
-- parameters: $interactions, $emv_parts, $emv_columns
--
-- A record that another one supersedes is not a post of its own. published_local is the wall clock of the time zone of
-- jobs.yaml, or in a report of the report's.
create or replace view post_performance as
with dated as (
  select
    linkedin_posts.*,
    profiles.name as profile,
    engagement * impression_count as engagements,
    timezone(load_settings.timezone, published_at) as published_local
  from linkedin_posts
  left join profiles using (workspace, profile_id)
  left join load_settings on true
  where linkedin_posts.superseded_by is null
),
with_prices as (
  select
    dated.* exclude (emv),
    -- prices of the report itself replace what the API gave
    case when not coalesce(replaces, false) then emv end as given_emv,
    -- an EMV that was given and could not be read is unknown
    case
      when replaces or (emv is null and not list_contains(coalesce(unreadable, []), 'emv')) then emv_prices.prices
    end as prices,
    emv_prices.source
  from dated
  left join emv_prices
    on emv_prices.workspace = dated.workspace
    and emv_prices.profile_id = dated.profile_id
    and coalesce(published_local::date, '-infinity') between first_day and last_day
),
parts as (
  -- it multiplies first: 1234 impressions at a CPM of 30 are 37.02, not 37.019999999999996
  select *, $emv_parts
  from with_prices
),
computed as (
  select
    * exclude (source),
    coalesce(given_emv, list_sum([$emv_columns])) as exact_emv,
    case when isfinite(exact_emv) then exact_emv end as emv,
    case when given_emv is not null then 'api' when exact_emv is not null then source end as emv_source,
    exact_emv * 1000 / nullif(impression_count, 0) as effective_cpm
  from parts
),
carried as (
  select
    workspace,
    profile_id,
    count(click_count) > 0 as has_clicks,
    count(save_count) > 0 or count(send_count) > 0 as has_sends,
    coalesce(bool_or(click_count <> 0), false) as has_any_click,
    coalesce(bool_or(save_count <> 0 or send_count <> 0), false) as has_any_send
  from linkedin_posts
  group by workspace, profile_id
),
-- LinkedIn counts clicks for pages only, and saves and sends for members only. A source may write 0 for a metric that
-- does not exist, so a metric that is never above 0 does not count.
profile_kinds as (
  select
    workspace,
    profile_id,
    case
      when has_clicks and not (has_sends and (has_any_send or not has_any_click)) then 'page'
      when has_sends and not (has_clicks and (has_any_click or not has_any_send)) then 'member'
    end as kind
  from carried
)
select
  computed.workspace,
  computed.profile_id,
  computed.profile,
  computed.linkedin_post_id,
  computed.url,
  computed.commentary,
  computed.type,
  computed.published_at,
  -- all metrics but emv, which prices may fill
  computed.* similar to '^(.*_(count|seconds)|engagement)$',
  -- a value too large for a double is unknown rather than infinite, so that one absurd figure does not spoil a sum
  case when isfinite(computed.engagements) then computed.engagements end as engagements,
  -- summed as a list, which ignores nulls and goes beyond 64 bits, so that no post can stop the view
  try_cast(list_sum([$interactions]) as bigint) as interactions,
  computed.emv,
  computed.emv_source,
  computed.* similar to '^emv_[a-z]+s$',
  case when isfinite(computed.effective_cpm) then computed.effective_cpm end as effective_cpm,
  computed.post_id,
  posts.title,
  posts.status,
  posts.campaign_id,
  campaigns.name as campaign,
  coalesce(post_label_names.names, []::varchar[]) as labels,
  posts.removed_at is not null as is_removed,
  posts.removed_at,
  -- null if a removed post was deleted automatically
  posts.removed_by,
  computed.last_seen_at,
  computed.unreadable,
  -- from the post's details, and null where these were not read
  posts.created_at,
  posts.publish_at,
  posts.channels,
  post_media.media,
  profile_kinds.kind,
  computed.published_local,
  isodow(computed.published_local) as weekday,
  hour(computed.published_local) as hour
from computed
left join profile_kinds using (workspace, profile_id)
left join posts using (workspace, post_id)
left join campaigns using (workspace, campaign_id)
left join post_label_names using (workspace, post_id)
left join post_media using (workspace, post_id);
