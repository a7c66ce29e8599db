-- grain: one name of a campaign, with posts in the period or without
-- key: campaign
-- reads: campaign_list
select * exclude (campaigns)
from campaign_list
order by emv desc nulls last, interactions desc nulls last, posts desc, campaign;
