-- grain: one sentence of a list
-- reads: campaign_chart_notes
from campaign_chart_notes();
