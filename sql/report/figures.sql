-- grain: one figure (report_figures)
-- key: name
--
-- What a report ranks, draws and compares: `figure` in report.yaml names a row, and the program reads these rows too.
-- scope: the posts that it is about. dividend and divisor: the amounts (report_named) of a post that it adds up, and of
-- which it is the ratio of the sums; without a divisor it is a sum, and groups are compared by it per post. previous,
-- target and young: the columns of sums that go with it; young is the part of it that is not final, and counted the posts
-- that it is over. sum: an amount of the dividend in words. basis and sentence: what a section is based on, and what a
-- finding says of {group:phrase} and other posts: sentence of one with more, below of one with less.
create or replace temp table report_figures as
select *
from (
  values
    (
      'emv', 'EMV', 'posts', 'emv', null, 'previous_emv', 'emv_target', 'young_emv', 'posts_with_emv',
      '{amount:money} of EMV',
      'n = {n:count} {n|post|posts} with EMV',
      '{group:phrase} earned {ratio:money} on average, {factor:decimal} times as much as other posts{within:phrase}',
      '{group:phrase} earned {ratio:money} on average, {less:share} less than other posts{within:phrase}'
    ),
    (
      'engagement_rate', 'Engagement rate', 'posts', 'engagements', 'impressions', 'previous_rate', 'rate_target', null, 'rated_posts',
      '{amount:count} {amount|engagement|engagements}',
      'n = {n:count} {n|post|posts} with a rate',
      '{group:phrase} got {factor:decimal} times the engagement rate of other posts{within:phrase}',
      'The engagement rate of {group:phrase} was {less:share} below that of other posts{within:phrase}'
    ),
    (
      'impressions', 'Impressions', 'posts', 'impressions', null, 'previous_impressions', null, null, 'posts_with_impressions',
      '{amount:count} {amount|impression|impressions}',
      'n = {n:count} {n|post|posts} with impressions',
      '{group:phrase} got {ratio|# impression|# impressions} on average, {factor:decimal} times as many as other posts{within:phrase}',
      '{group:phrase} got {ratio|# impression|# impressions} on average, {less:share} fewer than other posts{within:phrase}'
    ),
    (
      'interactions', 'Interactions', 'posts', 'interactions', null, null, null, null, 'posts',
      '{amount:count} {amount|interaction|interactions}',
      'n = {n:count} {n|post|posts} with interactions',
      '{group:phrase} got {ratio|# interaction|# interactions} on average, {factor:decimal} times as many as other posts{within:phrase}',
      '{group:phrase} got {ratio|# interaction|# interactions} on average, {less:share} fewer than other posts{within:phrase}'
    ),
    (
      'views', 'Views', 'videos', 'views', null, 'previous_views', null, 'not_final', 'videos',
      '{amount:count} {amount|view|views}',
      'n = {n:count} synced {n|video|videos}',
      '{group:phrase} got {ratio|# view|# views} on average, {factor:decimal} times as many as other videos{within:phrase}',
      '{group:phrase} got {ratio|# view|# views} on average, {less:share} fewer than other videos{within:phrase}'
    ),
    (
      'share_watched', 'Share watched', 'videos', 'watch_time_seconds', 'watchable_seconds', null, null, null, 'videos',
      '{amount:duration} of watch time',
      'n = {n:count} {n|video|videos} of known length',
      '{group:phrase} are watched to {ratio:rate}, other videos to {others:rate}{within:phrase}',
      '{group:phrase} are watched to {ratio:rate}, other videos to {others:rate}{within:phrase}'
    )
) as figures (name, title, scope, dividend, divisor, previous, target, young, counted, sum, basis, sentence, below);
