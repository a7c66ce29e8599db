-- grain: one post under one of its groups, of either period (label_members); one group, and one group in one month (label_sums); one period and whether with labels only (label_totals); one label, compared with the posts without it (label_lifts)
-- key: none; is_current, dimension, label, is_monthly, month; is_current, dimension; label
-- reads: report_posts, report_previous, report_settings
-- parameters: none
--
-- The sums that all sections share, so that none of them can compute its own. A post stands under 'all', under
-- 'labelled' where it has a label, and under 'label' for each of its labels, or (none). The months of
-- the period that is compared with are moved to stand beside their counterparts; null where they cannot be.
create or replace temp view label_members as
with posts as (
  select
    true as is_current,
    labels,
    published_month as month,
    impression_count,
    engagements,
    emv,
    is_young
  from report_posts
  union all
  select
    false,
    labels,
    (published_month + to_months(previous_months))::date,
    impression_count,
    engagements,
    emv,
    is_young
  from report_previous
  cross join report_settings
)
select 'all' as dimension, '' as label, posts.*
from posts
union all
select 'labelled', '', posts.*
from posts
where len(labels) > 0
union all
select 'label', unnest(case when len(labels) = 0 then ['(none)'] else labels end), posts.*
from posts;

create or replace temp table label_sums as
select
  is_current,
  dimension,
  label,
  grouping(month) = 0 as is_monthly,
  month,
  count(*) as posts,
  count(emv) as posts_with_emv,
  count(impression_count) as posts_with_impressions,
  count(*) filter (where engagements is not null and impression_count <> 0) as rated_posts,
  sum(impression_count) as impressions,
  exact_sum(engagements) as engagements,
  ratio_of_sums(engagements, impression_count) as engagement_rate,
  exact_sum(emv) as emv,
  ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
  exact_sum(emv) / nullif(count(emv), 0) as emv_per_post,
  case when count(emv) >= 10 then median(emv) end as median_emv,
  case when count(impression_count) >= 10 then median(impression_count) end as median_impressions,
  sum(case when is_young then impression_count end) as young_impressions,
  exact_sum(case when is_young then emv end) as young_emv
from label_members
group by grouping sets ((is_current, dimension, label), (is_current, dimension, label, month));

create or replace temp table label_totals as
with wanted as (
  select unnest([true, true, false, false]) as is_current,
    unnest(['all', 'labelled', 'all', 'labelled']) as dimension
),
-- a period that was not read is not one without posts
known as (
  select wanted.*
  from wanted
  cross join report_settings
  where is_current or previous_from is not null
),
sums as (
  select *
  from label_sums
  where not is_monthly
)
select
  is_current,
  dimension,
  coalesce(posts, 0) as posts,
  coalesce(posts_with_emv, 0) as posts_with_emv,
  coalesce(posts_with_impressions, 0) as posts_with_impressions,
  coalesce(rated_posts, 0) as rated_posts,
  impressions,
  engagements,
  engagement_rate,
  emv,
  effective_cpm,
  emv_per_post,
  median_emv,
  median_impressions,
  young_impressions,
  young_emv
from known
left join sums using (is_current, dimension);

-- Beside each label its posts at the figures of the others, pages and members each at those of their own kind.
create or replace temp table label_lifts as
select
  name as label,
  rates.posts_without as rated_posts_without,
  rates.ratio_without as rate_without,
  emvs.posts_without as posts_with_emv_without,
  emvs.ratio_without as emv_per_post_without,
  impressions.posts_without as posts_with_impressions_without,
  impressions.ratio_without as impressions_per_post_without
from compared('label', 'rate', 1) as rates
full join compared('label', 'emv', 1) as emvs using (name)
full join compared('label', 'impressions', 1) as impressions using (name);
