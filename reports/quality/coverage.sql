-- grain: one metric
-- key: metric
-- reads: report_posts, metrics
with named as (
  from metrics
  union all by name
  select null as position, 'published_at' as metric, 'Time of publication' as title, 'all' as scope
),
judged as (
  select
    position,
    title,
    scope,
    kind,
    value,
    case scope when 'all' then true when 'video' then type = 'Video' else coalesce(kind = scope, false) end as is_expected
  from (
    select
      kind,
      type,
      columns('^(.*_(count|seconds)|engagement|emv)$')::double as '\0',
      epoch(published_at) as published_at
    from report_posts
  )
  unpivot include nulls (value for metric in (columns(* exclude (kind, type))))
  join named using (metric)
)
select
  title as metric,
  any_value(scope) as expected_of,
  count(value) filter (where is_expected) as known,
  count(*) filter (where is_expected) as expected,
  expected - known as missing,
  known / nullif(expected, 0) as known_share,
  count(*) filter (where is_expected and kind = 'page') as page_expected,
  count(value) filter (where is_expected and kind = 'page') / nullif(page_expected, 0) as page_share,
  count(*) filter (where is_expected and kind = 'member') as member_expected,
  count(value) filter (where is_expected and kind = 'member') / nullif(member_expected, 0) as member_share,
  count(value) filter (where not is_expected) as unexpected
from judged
group by position, title
order by position nulls last;
