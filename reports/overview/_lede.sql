-- grain: at most one row: the first sentence of the page; none without a post
-- reads: overview_findings, report_posts
with headline as (
  select * replace ('**' || now_text || '**' as now_text), text as finding
  from overview_findings
  order by weight desc, text
  limit 1
),
plain as (
  select count(*) as posts, exact_sum(emv) as emv, sum(interactions) as interactions from report_posts having count(*) > 0
)
select * exclude (text), '{finding:phrase}.' as text
from headline
union all by name
select
  *,
  case
    when emv is not null then '{posts|Your post|Your # posts} earned **{emv:money}** of media value.'
    when interactions is not null then '{posts|Your post|Your # posts} brought **{interactions:count}** {interactions|interaction|interactions}.'
    else '{posts|One post was|# posts were} published.'
  end as text
from plain
where not exists (from headline);
