-- grain: one row: all posts of campaigns, each once, the total of the tables
-- reads: report_facts
select * exclude (kind, first_post, last_post, interactions)
from report_facts;
