-- grain: a profile that posts were read of
-- key: workspace, profile_id
-- reads: linkedin_posts
-- parameters: none
select
  workspace,
  profile_id,
  count(*) as posts
from linkedin_posts
group by workspace, profile_id
order by workspace, profile_id;
