-- grain: none; stores the large tables of a shard in files by groups of workspaces, and the lease token of the last load
alter table readings set partitioned by (bucket(16, workspace));
alter table readings set sorted by (workspace, linkedin_post_id, reading_id);
alter table linkedin_posts set partitioned by (bucket(16, workspace));
alter table linkedin_posts set sorted by (workspace, linkedin_post_id);
alter table post_details set partitioned by (bucket(16, workspace));
alter table post_details set sorted by (workspace, post_id, reading_id);
create table load_fence as select 0::bigint as token;
