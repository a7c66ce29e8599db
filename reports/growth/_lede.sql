-- grain: at most one row: the first sentence of the page; none without posts
-- reads: report_read_posts, growth_posts, growth_days
with shown as (
  select count(*) as posts
  from report_read_posts
),
read as (
  select count(*) as posts_read, count(*) filter (where is_read_again) as posts_read_again
  from growth_posts
),
gained as (
  select
    sum(impressions)::double as impressions,
    min(since) as first_on,
    max(captured_on) as last_on
  from growth_days
)
select
  case
    when posts_read = 0 then 'No readings are kept of {posts|your post|your # posts}, so growth is unknown.'
    when posts_read_again = 0 then 'No post has been read on two days yet, so growth is unknown.'
    when impressions is null then 'The impressions of the posts with two or more readings are unknown.'
    when impressions >= 0
      then '{subject:phrase} {part|gained|gained} **{impressions:count}** {impressions|impression|impressions} from {first_on:date} to {last_on:date}.'
    else '{subject:phrase} {part|lost|lost} **{fell:count}** {fell|impression|impressions} from {first_on:date} to {last_on:date}.'
  end as text,
  subject_of('posts', posts_read_again, posts) as subject,
  posts_read_again as part,
  posts as whole,
  posts,
  impressions,
  abs(impressions) as fell,
  first_on,
  last_on
from shown
cross join read
cross join gained
where posts > 0;
