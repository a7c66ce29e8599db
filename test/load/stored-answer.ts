import type { Config } from '../../src/config/config.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import {
  analyticsRecord,
  finishOf,
  profileId,
  recordOf,
  storeAnalytics,
} from '../support/stored-run.ts';

/** Posts by id, with what their records have of their own. */
export type Posts = Readonly<Record<string, object>>;

export const january = { start_date: '2026-01-01', end_date: '2026-01-30' };

/** Stores an answer of an hour, which may be one that looks cut off, such as 2026-02-01T06, about these posts of a profile, as a run of its own. */
export async function storeAnswer(
  config: Config,
  hour: string,
  posts: Posts,
  { window = january, profile = profileId, isRound = false } = {},
): Promise<void> {
  const profiles = [{ profile_id: profile, name: profile, cpm: null }];
  const run_id = `run-${hour}-${window.end_date}-${profile}`;
  const part = await RunWriter.open(config.dataDir, recordOf({ run_id, profiles }));
  const records = Object.entries(posts).map(([id, change]) =>
    analyticsRecord({ id: profile === profileId ? id : `${profile} ${id}`, ...change }),
  );
  const { start_date: first_day, end_date: last_day } = window;
  const proof = { first_day, last_day, reason: 'round_count' as const, outside: 0 };
  const fetchedAt = new Date(`${hour}:00:00Z`);
  await storeAnalytics(part, records, { fetchedAt, ...(isRound && { proof }) }, window);
  await part.finish(finishOf());
}
