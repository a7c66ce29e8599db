-- grain: one of the 50 posts whose impressions, or else other figures, were restated most
-- key: workspace, linkedin_post_id
-- reads: report_read_posts, growth_posts, growth_restated
with sized as (
  select
    post_number,
    exact_sum(case when metric = 'impression_count' and is_decrease then change end) as impressions_fell,
    exact_sum(case when metric = 'impression_count' and not is_decrease then change end) as impressions_late,
    coalesce(impressions_late, 0) - coalesce(impressions_fell, 0) as impressions_moved,
    exact_sum(case when metric = 'engagements' and is_decrease then change end) as engagements_fell,
    exact_sum(case when metric = 'engagements' and not is_decrease then change end) as engagements_late,
    exact_sum(case when metric = 'emv' and is_decrease then change end) as emv_fell,
    exact_sum(case when metric = 'emv' and not is_decrease then change end) as emv_late,
    exact_sum(case when is_interaction and is_decrease then change end) as interactions_fell,
    exact_sum(case when is_interaction and not is_decrease then change end) as interactions_late,
    coalesce(interactions_late, 0) - coalesce(interactions_fell, 0) as interactions_moved,
    list(distinct title order by title) as metrics,
    max(captured_on) as last_on
  from growth_restated
  group by post_number
)
select
  shown.workspace,
  profile,
  shown.linkedin_post_id,
  url,
  title,
  commentary,
  type,
  published_at,
  impressions_moved,
  impressions_fell,
  impressions_late,
  engagements_fell,
  engagements_late,
  emv_fell,
  emv_late,
  interactions_fell,
  interactions_late,
  metrics,
  sized.last_on
from sized
join growth_posts using (post_number)
join report_read_posts as shown using (workspace, linkedin_post_id)
order by impressions_moved desc, interactions_moved desc, shown.workspace, shown.linkedin_post_id
limit 50;
