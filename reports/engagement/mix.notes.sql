-- grain: one sentence for each kind of profile, or about what is known of few posts
-- key: text
-- reads: report_posts
-- parameters: none
with kinds as (
  select
    kind,
    count(*) as posts,
    exact_sum(interactions) as interactions,
    count(interactions) as posts_known
  from report_posts
  group by kind
)
select
  case kind
    when 'page' then 'Pages: '
    when 'member' then 'Members: '
    else 'Neither clicks nor saves and sends tell whether it is a page or a member: '
  end
    || case when posts = 1 then '{posts:count} post' else '{posts:count} posts' end
    || case
      when interactions is null then ', nothing counted.'
      when posts_known = posts then ', {interactions:count} interactions.'
      else ', {interactions:count} interactions with {posts_known:count} of them; nothing is known of the others.'
    end as text,
  posts,
  coalesce(interactions, 0) as interactions,
  posts_known
from kinds
order by case kind when 'page' then 1 when 'member' then 2 else 3 end;
