-- grain: at most one row: the first sentence of the page; none without a post
-- reads: leading_total, led_text, report_facts, report_posts, standing_of
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
    when emv is null then 'The EMV of {whole|your post|your # posts} is unknown.{led_text:phrase}'
    when emv <= 0 then 'The EMV of {whole|your post|your # posts} is **{emv:money}**.'
    else '{subject:phrase} {part|earned|earned} **{emv:money}** of media value{compared:phrase}{goal:phrase}.{largest:phrase}'
  end as text,
  subject_of('posts', part, whole) as subject,
  standing.*,
  ' {largest_share:share} of it came from a single post.' as largest,
  part,
  whole,
  led_text() as led_text,
  led,
  emv,
  case when part >= 5 and share_of_largest >= 0.1 and is_concentrated(share_of_largest, 1, part) then share_of_largest end as largest_share
from figures
cross join leading_total('report_sums')
cross join standing_of('report_sums', 'emv') as standing
where whole > 0;
