-- grain: one post behind a row of by_part
-- key: part, workspace, linkedin_post_id
-- reads: report_posts
select part, workspace, linkedin_post_id
from (
  unpivot (
    select
      workspace,
      linkedin_post_id,
      case when emv_source = 'api' then emv end as api,
      columns('^emv_([a-z]+s)$') as '\1'
    from report_posts
  )
  on columns(* exclude (workspace, linkedin_post_id)) into name part value amount
)
order by part, workspace, linkedin_post_id;
