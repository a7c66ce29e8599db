-- grain: at most one row: the first sentence of the page; none without a post
-- reads: report_posts, report_settings, report_targets, emv_totals
with figures as (
  select
    shown.posts as whole,
    shown.posts_with_emv as part,
    shown.posts_with_impressions,
    shown.interactions,
    shown.emv,
    share_of(largest, shown.emv, least) as share_of_largest,
    coalesce(case when previous.emv > 0 then shown.emv / previous.emv - 1 end, alike.change) as change,
    coalesce(previous.emv, alike.previous) as before
  from (from emv_totals where is_current) as shown
  cross join (select max(emv) as largest, min(emv) as least from report_posts)
  left join (from emv_totals where not is_current) as previous on true
  left join (from like_for_like_of('report_sums', 'all') where figure = 'emv') as alike on true
)
select
  case
    when emv is null and posts_with_impressions = 0 and interactions is not null
      then '{whole|Your post has no impressions, so its|None of your # posts has impressions, so their} EMV is unknown; {whole|it|they} brought **{interactions:count}** {interactions|interaction|interactions}.'
    when emv is null then 'The EMV of {whole|your post|your # posts} is unknown.'
    when emv <= 0 then 'The EMV of {whole|your post|your # posts} is **{emv:money}**.'
    else '{subject:phrase} {part|earned|earned} **{emv:money}** of media value{compared:phrase}{goal:phrase}.{largest:phrase}'
  end as text,
  subject_of('posts', part, whole) as subject,
  compared_with(
    change,
    ', as much as in {comparison:phrase}{among:phrase}',
    ', from {before:money} in {comparison:phrase}{among:phrase}'
  ) as compared,
  before,
  goal_of('emv', target, elapsed) as goal,
  target,
  elapsed,
  emv / nullif(target, 0) as reached,
  comparison,
  among,
  profiles_comparable,
  ' {largest_share:share} of it came from a single post.' as largest,
  part,
  whole,
  interactions,
  emv,
  abs(change) as distance,
  case when part >= 5 and share_of_largest >= 0.1 and is_concentrated(share_of_largest, 1, part) then share_of_largest end as largest_share
from figures
cross join report_settings
left join report_targets on figure = 'emv'
where whole > 0;
