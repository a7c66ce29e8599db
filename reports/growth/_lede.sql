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
    when posts_read = 0 then 'No readings are kept of the {posts:count} {posts|post|posts}, so growth is unknown.'
    when posts_read_again = 0 then 'No post has been read on two days yet, so growth is unknown.'
    when impressions is null then 'The impressions of the posts with two or more readings are unknown.'
    when impressions >= 0
      then '{subject:phrase} {posts_read_again|gained|gained} **{impressions:count}** impressions from {first_on:date} to {last_on:date}.'
    else '{subject:phrase} {posts_read_again|lost|lost} **{fell:count}** impressions from {first_on:date} to {last_on:date}.'
  end as text,
  case
    when posts = 1 then 'Your post'
    when posts_read_again = posts then 'Your {posts:count} posts'
    else '{posts_read_again:count} of your {posts:count} posts'
  end as subject,
  posts,
  posts_read_again,
  impressions,
  abs(impressions) as fell,
  first_on,
  last_on
from shown
cross join read
cross join gained
where posts > 0;
