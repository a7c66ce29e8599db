-- grain: one label; one type; one format, or one answer to whether posts went to other channels (engagement_details); one interaction of a post (engagement_parts); one kind of profile and of interaction (engagement_mix)
-- key: label; type; dimension, name; workspace, linkedin_post_id, part; kind, part
-- reads: metrics, report_posts
--
-- engagement_labels and engagement_types: a group of at least 10 posts against at least 10 others (compared,
-- sql/report/comparisons.sql).
-- The columns that the sections by profile and campaign share.
create or replace temp macro engagement_by(which) as table
select
  name,
  posts,
  impressions,
  engagements,
  engagement_rate,
  interactions,
  likes,
  comments,
  shares,
  clicks,
  saves,
  sends,
  rate_p25,
  rate_p50,
  rate_p75,
  previous_rate,
  rate_change,
  trend,
  page_p50,
  member_p50,
  rated_posts,
  workspace,
  profile_id,
  kind
from engagement_groups
where dimension = which;

create or replace temp table engagement_labels as
select
  name as label,
  posts_without,
  is_compared,
  ratio_without as rate_without,
  lift,
  factor as lift_factor,
  is_finding,
  is_clear,
  among
from compared_of('engagement_kinds', 'label', 10);

create or replace temp table engagement_types as
select
  name as type,
  case when name ilike '%post' then name || 's' else name || ' posts' end as posts_of_type,
  posts_without,
  least(posts, posts_without) as posts_compared,
  is_compared,
  ratio_without as rate_rest,
  lift,
  factor as lift_factor,
  is_finding,
  is_clear,
  among
from compared_of('engagement_kinds', 'type', 10);

-- What is known from the posts' details: their formats and channels.
create or replace temp table engagement_details as
select 'format' as dimension, *
from compared_of('engagement_kinds', 'format', 10)
union all
select 'channels' as dimension, *
from compared_of('engagement_kinds', 'channels', 10);

create or replace temp macro engagement_by_detail(which) as table
select
  groups.name,
  groups.posts,
  impressions,
  engagements,
  engagement_rate,
  interactions,
  rate_p25,
  rate_p50,
  rate_p75,
  ratio_without as rate_rest,
  lift,
  previous_rate,
  rate_change,
  coalesce(is_clear, false) as is_clear
from engagement_groups as groups
left join engagement_details using (dimension, name)
where groups.dimension = which;

-- One kind of profile and one kind of interaction. LinkedIn counts clicks for pages only, saves and sends for members
-- only: a source that writes 0 for what a kind does not have says nothing.
create or replace temp table engagement_parts as
select workspace, linkedin_post_id, kind, position, title as part, noun, scope, amount
from (select workspace, linkedin_post_id, kind, columns('^.*_count$') from report_posts)
unpivot include nulls (amount for metric in (columns('^.*_count$')))
join metrics using (metric)
where is_interaction;

create or replace temp table engagement_mix as
select
  kind,
  position,
  part,
  any_value(noun) as noun,
  coalesce(any_value(scope) in ('all', kind), true) as is_reported,
  case when is_reported then sum(amount) end as value,
  case when is_reported then max(amount) end as largest,
  case when is_reported then count(amount) end as posts_known,
  count(*) as posts
from engagement_parts
group by kind, position, part;
