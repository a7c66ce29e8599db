-- grain: a LinkedIn post in a batch of this load, with what the batch did to it
-- key: none
-- reads: none
-- parameters: none
create or replace temp table touched_posts (
  workspace varchar not null,
  linkedin_post_id varchar not null,
  effect varchar not null
);
