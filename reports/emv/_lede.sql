-- grain: at most one row: the first sentence of the page; none without a post
-- reads: report_posts, report_settings, emv_totals
with figures as (
  select
    shown.posts,
    shown.posts_with_emv,
    shown.posts_with_impressions,
    shown.interactions,
    shown.emv,
    (select max(emv) from report_posts) / nullif(shown.emv, 0) as largest_share,
    coalesce(case when previous.emv > 0 then shown.emv / previous.emv - 1 end, alike.change) as change
  from (from emv_totals where is_current) as shown
  left join (from emv_totals where not is_current) as previous on true
  left join (from like_for_like_of('report_sums', 'all') where figure = 'emv') as alike on true
)
select
  case
    when emv is null and posts_with_impressions = 0 and interactions is not null and posts = 1
      then 'Your post has no impressions, so its EMV is unknown; it brought **{interactions:count}** {interactions|interaction|interactions}.'
    when emv is null and posts_with_impressions = 0 and interactions is not null
      then 'None of your {posts:count} posts has impressions, so their EMV is unknown; they brought **{interactions:count}** {interactions|interaction|interactions}.'
    when emv is null and posts = 1 then 'The EMV of your post is unknown.'
    when emv is null then 'The EMV of your {posts:count} posts is unknown.'
    when emv <= 0 and posts = 1 then 'The EMV of your post is **{emv:money}**.'
    when emv <= 0 then 'The EMV of your {posts:count} posts is **{emv:money}**.'
    else '{subject:phrase} {posts|earned|earned} **{emv:money}** of media value{compared:phrase}.{largest:phrase}'
  end as text,
  case posts when 1 then 'Your post' else 'Your {posts:count} posts' end as subject,
  compared_with(change, ', as much as in {comparison:phrase}{among:phrase}') as compared,
  comparison,
  among,
  profiles_comparable,
  case
    when posts_with_emv >= 5 and largest_share between 0.1 and 1
      then ' {largest_share:share} of it came from a single post.'
    else ''
  end as largest,
  posts,
  interactions,
  emv,
  abs(change) as distance,
  largest_share
from figures
cross join report_settings
where posts > 0;
