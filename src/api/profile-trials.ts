import type { Config, ProfileConfig, WorkspaceConfig } from '../config/config.ts';
import { dayOf } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { PostledgerError } from '../core/errors.ts';
import { ApiError } from './api-error.ts';
import type { WorkspaceClientOptions } from './client-options.ts';
import { WorkspaceClient } from './client.ts';

/** A service that answers no request of one day by then is not there, whatever `timeout_seconds` says. */
const deadAfterSeconds = 5;

/** The outcome of a request for one profile. */
interface Trial {
  /** The profile, or the workspace if all of its profiles would fail alike. */
  readonly name: string;
  /** The error; null for a profile that answers. */
  readonly error: PostledgerError | null;
}

interface TrialTools extends Pick<WorkspaceClientOptions, 'log'> {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Tries one profile after another by a request each, until one fails as all others would; then it names the workspace. */
export async function* tryProfiles(
  workspace: WorkspaceConfig,
  { dataDir, timezone }: Config,
  tools: TrialTools,
): AsyncGenerator<Trial> {
  const { key, profiles, timeoutSeconds } = workspace;
  const client = new WorkspaceClient({
    ...tools,
    workspace: { ...workspace, timeoutSeconds: Math.min(timeoutSeconds, deadAfterSeconds) },
    dataDir,
    retryWithinMs: deadAfterSeconds * 1000,
  });
  try {
    for (const profile of profiles) {
      const error = await tryProfile(profile, client, timezone, tools);
      const isOfAll = error instanceof ApiError && isOfWorkspace(error);
      yield { name: isOfAll ? key : `${key}/${profile.name}`, error };
      if (isOfAll) return;
    }
  } finally {
    await client.close();
  }
}

/** The key is refused, nothing answers, or something else than the API does. */
function isOfWorkspace({ reach, status, code }: ApiError): boolean {
  return reach === 'workspace' || status === null || code === 'API_NOT_JSON';
}

/** One request, for today alone. */
async function tryProfile(
  profile: ProfileConfig,
  client: WorkspaceClient,
  timezone: string,
  { clock, signal }: TrialTools,
): Promise<Trial['error']> {
  const today = dayOf(clock.now(), timezone);
  try {
    await client.readAnalytics(profile.id, { start: today, end: today }, { signal });
    return null;
  } catch (error) {
    if (!(error instanceof PostledgerError) || signal.aborted) throw error;
    return error;
  }
}
