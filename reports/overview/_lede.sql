-- grain: at most one row: the first sentence of the page; none without a post
-- reads: overview_findings, overview_scorecard, report_posts, report_settings
with headline as (
  select * replace ('**' || now_text || '**' as now_text), text as finding
  from overview_findings
  order by weight desc, text
  limit 1
),
plain as (
  select
    count(*) as whole,
    count(report_posts.emv) as part,
    exact_sum(report_posts.emv) as emv,
    sum(interactions) as interactions
  from report_posts
  having count(*) > 0
)
select * exclude (text), '{finding:phrase}.' as text
from headline
union all by name
select
  plain.*,
  case
    when emv > 0
      then '{subject:phrase} {part|earned|earned} **{emv:money}** of media value{compared:phrase}{goal:phrase}.{largest:phrase}'
    when emv is not null then 'The EMV of {whole|your post|your # posts} is **{emv:money}**.'
    when interactions is not null then '{whole|Your post|Your # posts} brought **{interactions:count}** {interactions|interaction|interactions}.'
    else '{whole|One post was|# posts were} published.'
  end as text,
  subject_of('posts', part, whole) as subject,
  compared_with(
    change,
    ', as much as in {comparison:phrase}{among:phrase}',
    ', from {before:money} in {comparison:phrase}{among:phrase}'
  ) as compared,
  abs(change) as distance,
  previous as before,
  comparison,
  '' as among,
  '' as goal,
  '' as largest
from plain
cross join report_settings
left join (from overview_scorecard where figure = 'emv') on true
where not exists (from headline);
