-- grain: one sentence of a list
from campaign_chart_notes();
