-- grain: at most one row: the first sentence of the page; none without a post
-- reads: report_facts, report_posts, standing_of
with figures as (
  select
    report_facts.*,
    posts as whole,
    posts_with_emv as part,
    share_of(largest, emv, least) as share_of_largest
  from report_facts
  cross join (select max(emv) as largest, min(emv) as least from report_posts)
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
  standing.*,
  ' {largest_share:share} of it came from a single post.' as largest,
  part,
  whole,
  interactions,
  emv,
  case when part >= 5 and share_of_largest >= 0.1 and is_concentrated(share_of_largest, 1, part) then share_of_largest end as largest_share
from figures
cross join standing_of('report_sums', 'emv') as standing
where whole > 0;
