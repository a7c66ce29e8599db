-- grain: one of the 50 posts whose impressions, or else other figures, were restated most
-- key: workspace, linkedin_post_id
-- reads: report_read_posts, growth_restated
-- parameters: $since
with changes as (
  select *
  from growth_restated
  where captured_on >= coalesce($since::date, date '-infinity')
),
-- sums of counts do not depend on their order; exact sums are computed for the chosen posts alone
most as (
  select post_number
  from changes
  group by post_number
  order by
    sum(abs(change)) filter (where metric = 'impression_count') desc nulls last,
    sum(abs(change)) filter (where is_interaction) desc nulls last,
    any_value(workspace),
    any_value(linkedin_post_id)
  limit 50
),
posts as (
  select
    workspace,
    linkedin_post_id,
    exact_sum(case when metric = 'impression_count' and is_decrease then change end) as impressions_fell,
    exact_sum(case when metric = 'impression_count' and not is_decrease then change end) as impressions_late,
    exact_sum(case when metric = 'engagements' and is_decrease then change end) as engagements_fell,
    exact_sum(case when metric = 'engagements' and not is_decrease then change end) as engagements_late,
    exact_sum(case when metric = 'emv' and is_decrease then change end) as emv_fell,
    exact_sum(case when metric = 'emv' and not is_decrease then change end) as emv_late,
    exact_sum(case when is_interaction and is_decrease then change end) as interactions_fell,
    exact_sum(case when is_interaction and not is_decrease then change end) as interactions_late,
    list(distinct title order by title) as metrics,
    max(captured_on) as last_on
  from changes
  semi join most using (post_number)
  group by workspace, linkedin_post_id
),
sized as (
  select
    *,
    coalesce(impressions_late, 0) - coalesce(impressions_fell, 0) as impressions_moved,
    coalesce(interactions_late, 0) - coalesce(interactions_fell, 0) as interactions_moved
  from posts
)
select
  report_read_posts.workspace,
  report_read_posts.profile,
  report_read_posts.linkedin_post_id,
  report_read_posts.url,
  report_read_posts.title,
  report_read_posts.commentary,
  report_read_posts.type,
  report_read_posts.published_at,
  sized.impressions_moved,
  sized.impressions_fell,
  sized.impressions_late,
  sized.engagements_fell,
  sized.engagements_late,
  sized.emv_fell,
  sized.emv_late,
  sized.interactions_fell,
  sized.interactions_late,
  sized.metrics,
  sized.last_on
from sized
join report_read_posts using (workspace, linkedin_post_id)
order by impressions_moved desc, interactions_moved desc, workspace, linkedin_post_id;
