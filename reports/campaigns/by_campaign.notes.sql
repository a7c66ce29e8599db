-- grain: one sentence, in the page's order
-- key: text
-- reads: campaign_list, campaign_posts, campaign_totals
with counted as (
  select
    count(*) filter (where posts = 0) as without_posts,
    count(*) filter (where campaigns > 1) as shared_names,
    count(*) filter (where posts > 0 and dates_from <> 'the campaign') as dated_by_posts,
    count(*) filter (where emv is not null and first_post is not null) as drawn,
    (select posts_outside_dates from campaign_totals where is_current) as outside,
    (select count(*) from campaign_posts where published_at is null) as undated
  from campaign_list
),
facts as (
  select unnest(
    [
      {
        'position': 1,
        'text': '{n:count} {n|post was|posts were} published outside the dates of the campaign. {n|It counts|They count} all the same.',
        'n': outside
      },
      {
        'position': 2,
        'text': '{n:count} {n|campaign has|campaigns have} no posts in this report. Campaigns outside the period are not listed.',
        'n': without_posts
      },
      {
        'position': 3,
        'text': '{n:count} {n|campaign has|campaigns have} no unambiguous start or end date: the date of the first or last post is shown instead.',
        'n': dated_by_posts
      },
      {
        'position': 4,
        'text': '{n:count} {n|name is|names are} shared by several campaigns, which are shown as one.',
        'n': shared_names
      },
      {
        'position': 5,
        'text': 'The chart shows the 5 campaigns with the most EMV, and the other {n:count} as one line.',
        'n': case when drawn > 6 then drawn - 5 else 0 end
      },
      {
        'position': 6,
        'text': '{n:count} {n|post|posts} without a time of publication {n|is|are} in the table but not in the chart.',
        'n': undated
      }
    ],
    recursive := true
  )
  from counted
)
select text, n
from facts
where n > 0
order by position;
