-- grain: that of the table that each hides
-- key: that of the table that each hides
-- reads: posts
--
-- What was said of the posts of the scope (scope.sql) while they were made.
create or replace temp view post_details as
select details.*
from warehouse.post_details as details
semi join posts using (workspace, post_id);

create or replace temp view review_readings as
select readings.*
from warehouse.review_readings as readings
semi join posts using (workspace, post_id);

create or replace temp table approvals as
select approvals.*
from warehouse.approvals as approvals
semi join posts using (workspace, post_id);

create or replace temp table inline_comments as
select comments.*
from warehouse.inline_comments as comments
semi join posts using (workspace, post_id);
