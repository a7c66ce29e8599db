-- grain: one hour of the week and kind of profile (engagement_slots, engagement_slots_over_year); one interaction of a post (engagement_parts); one kind of profile and of interaction (engagement_mix)
-- key: name, kind; workspace, linkedin_post_id, part; kind, part
-- reads: compared_by_kind, compared_of, metrics, report_posts
create or replace temp table engagement_slots as
select *
from compared_by_kind(['slot'], 'engagement_rate');

create or replace temp table engagement_slots_over_year as
select *
from compared_by_kind(['slot'], 'engagement_rate', over_year := true);

-- The hour of the week that does best, which is an answer where it does so within pages and within members.
create or replace temp macro best_hour(source) as table
select
  '{weekday:weekday}s from {hour:hour} to {next_hour:hour}: {factor:decimal} times the engagement rate of other hours{within:phrase} ({posts|one post|# posts})' as text,
  within,
  left(name, 1)::integer as weekday,
  right(name, 2)::integer as hour,
  (right(name, 2)::integer + 1) % 24 as next_hour,
  judged_factor as factor,
  posts
from compared_of(source, 'slot', 10)
where is_finding
order by factor desc, name
limit 1;

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
