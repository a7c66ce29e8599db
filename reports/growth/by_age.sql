-- grain: one age of posts in days, or several ages from 31 days on
-- key: age_from
-- reads: growth_ages
select * exclude (known_posts)
from growth_ages
order by age_from;
