-- grain: at most one row; none if no hour does better within pages and within members
-- reads: none
from best_hour('engagement_slots_over_year');
