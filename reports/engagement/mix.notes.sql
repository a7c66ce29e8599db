-- grain: one sentence for each kind of profile, or about what is known of few posts
-- key: text
-- reads: report_posts
with kinds as (
  select
    kind,
    count(*) as posts,
    coalesce(exact_sum(interactions), 0) as interactions,
    count(interactions) as posts_known
  from report_posts
  group by kind
)
select
  case
    when posts_known = 0 then '{kind_name:phrase}: {posts:count} {posts|post|posts}, no interactions known.'
    when posts_known < posts
      then '{kind_name:phrase}: {posts:count} {posts|post|posts}, {interactions:count} {interactions|interaction|interactions} known of {posts_known:count}.'
    else '{kind_name:phrase}: {posts:count} {posts|post|posts}, {interactions:count} {interactions|interaction|interactions}.'
  end as text,
  case when kind is null then 'Neither page nor member' else kind_title(kind) end as kind_name,
  posts,
  interactions,
  posts_known
from kinds
order by kind_order(kind);
