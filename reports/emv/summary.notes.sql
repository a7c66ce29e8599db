-- grain: one sentence of a list
-- reads: parts_of_change, price_part, prices_changed_on, report_facts
with parts as (
  select
    emv - previous_emv as change,
    parts_of_change(posts_with_emv, nullif(previous_posts_with_emv, 0), emv, previous_emv, price_part()) as parts
  from report_facts
)
select
  unnest([
    case when prices_changed_on() is not null then 'The prices changed on {day:date}: posts before it and from it on are not priced alike.' end,
    case when parts[2].part <> 0
      then 'EMV changed by {change:money_exact}: {of_prices:money_exact} through other prices, {of_posts:money_exact} through the number of posts, {of_each:money_exact} through the average per post.' end
  ]) as text,
  prices_changed_on() as day,
  change,
  parts[1].part as of_posts,
  parts[2].part as of_prices,
  parts[3].part as of_each
from parts;
