-- grain: one sentence of the first of the page: what the posts earned, and the weightiest finding; none without a post
-- reads: overview_findings, report_posts, standing_of
with headline as (
  select
    *,
    -- it says by itself what the posts earned
    figure is not distinct from 'emv' as is_earned
  from overview_findings
  -- a comparison over the year is no headline of a period
  where coalesce(over, '') = ''
  order by weight desc, text
  limit 1
),
earned as (
  select
    count(*) as whole,
    count(report_posts.emv) as part,
    exact_sum(report_posts.emv) as emv,
    sum(interactions) as interactions
  from report_posts
  having count(*) > 0 and not exists (from headline where is_earned)
)
select
  1 as place,
  case
    when emv > 0
      then '{subject:phrase} {part|earned|earned} **{emv:money}** of media value{compared:phrase}{goal:phrase}.{largest:phrase}'
    when emv is not null then 'The EMV of {whole|your post|your # posts} is **{emv:money}**.'
    when interactions is not null then '{whole|Your post|Your # posts} brought **{interactions:count}** {interactions|interaction|interactions}.'
    else '{whole|One post was|# posts were} published.'
  end as text,
  earned.*,
  subject_of('posts', part, whole) as subject,
  standing.*,
  '' as largest
from earned
cross join standing_of('report_sums', 'emv') as standing
union all by name
select
  * replace (case when is_earned then '**' || now_text || '**' else now_text end as now_text, '{finding:phrase}.' as text),
  text as finding,
  2 as place
from headline
order by place;
