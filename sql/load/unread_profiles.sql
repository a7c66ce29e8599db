-- grain: a profile that the config had once, and that no run ever had
-- key: workspace, profile_id
-- reads: profiles, linkedin_posts, extract_windows
-- parameters: $profiles (a JSON array of the configured ones)
delete from profiles as known
where told_by = 'config'
  and last_run is null
  and not exists (
    from (
      select unnest(
        from_json($profiles::json, '[{"workspace": "VARCHAR", "profile_id": "VARCHAR"}]')
      ) as profile
    ) as configured
    where configured.profile.workspace = known.workspace
      and configured.profile.profile_id = known.profile_id
  )
  -- of runs that an earlier version loaded, it did not note what they said of profiles
  and not exists (
    from linkedin_posts
    where linkedin_posts.workspace = known.workspace
      and linkedin_posts.profile_id = known.profile_id
  )
  and not exists (
    from extract_windows
    where extract_windows.workspace = known.workspace
      and extract_windows.profile_id = known.profile_id
  );
