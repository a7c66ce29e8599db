-- grain: at most one row
-- reads: video_mixture
from video_mixture;
