-- grain: one age of posts in days, up to 30
-- key: age
-- reads: growth_ages
select age_from as age, known_posts as posts, median_impressions
from growth_ages
where age_from <= 30 and known_posts > 0
order by age_from;
