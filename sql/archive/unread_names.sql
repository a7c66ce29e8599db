-- grain: a label or a campaign of which no reading was kept, as an earlier version did not
-- key: workspace, kind, id
-- reads: labels, campaigns
-- parameters: none
select workspace, 'label' as kind, label_id as id
from labels
where reading is null
union all
select workspace, 'campaign' as kind, campaign_id as id
from campaigns
where reading is null
order by workspace, kind, id;
