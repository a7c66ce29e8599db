const cutOffMs = 12 * 3_600_000;

/** Requests whose answers were not stored: sent by a process that was killed before. */
export function asksInFlight(requests, stored) {
  const bought = stored.reduce((sum, { manifest }) => sum + manifest.requests, 0);
  return requests.length - bought;
}

/**
 * Windows that were asked for though a run that was cut off had stored them less than twelve hours before, and no
 * run has ended since. @param fullRuns run folders of runs that were told to ask for everything
 */
export function askedAgain(disk, stored, fullRuns) {
  const problems = [];
  const cutOff = [...disk.parts].filter(([, { finish }]) => finish === null);
  const own = new Set(stored.map(({ partKey }) => partKey));
  for (const key of own) {
    if (fullRuns.has(key)) continue;
    const { record } = disk.parts.get(key);
    const asked = new Set(windowsOf(disk, key).map(({ window }) => window));
    for (const [earlierKey, earlier] of cutOff) {
      if (earlierKey === key || !goesOnIn(disk, earlier.record, record)) continue;
      for (const { window, at, isGood } of windowsOf(disk, earlierKey)) {
        const isRecent = Date.parse(record.started_at) - Date.parse(at) < cutOffMs;
        if (isGood && isRecent && asked.has(window))
          problems.push(`${key} asked again for ${window}, which ${earlierKey} had stored`);
      }
    }
  }
  return problems;
}

/** Whether no run that came after `earlier` had ended when `later` began. */
function goesOnIn(disk, earlier, later) {
  if (earlier.started_at >= later.started_at) return false;
  return ![...disk.parts.values()].some(
    ({ record, finish }) =>
      finish !== null &&
      record.started_at > earlier.started_at &&
      record.started_at < later.started_at,
  );
}

function windowsOf(disk, partKey) {
  const windows = [];
  for (const { manifest, partKey: own } of disk.responses.values()) {
    const { request, outcome, fetched_at: at } = manifest;
    if (own !== partKey || request.kind !== 'analytics') continue;
    const window = `${request.profile_id} ${request.start_date} ${request.end_date}`;
    windows.push({ window, at, isGood: outcome === 'succeeded' });
  }
  return windows;
}
