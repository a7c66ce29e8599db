-- grain: at most one row: the first sentence of the page; none without a post
-- reads: report_facts, report_posts, report_targets
with figures as (
  select
    report_facts.*,
    posts as whole,
    posts_with_emv as part,
    share_of(largest, emv, least) as share_of_largest,
    coalesce(case when previous_emv > 0 then emv / previous_emv - 1 end, alike.change) as change,
    coalesce(previous_emv, alike.previous) as before
  from report_facts
  cross join (select max(emv) as largest, min(emv) as least from report_posts)
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
left join report_targets on figure = 'emv'
where whole > 0;
