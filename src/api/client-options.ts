import { systemClock } from '../core/clock.ts';
import { silentLog } from '../core/log.ts';
import { packageVersion } from '../core/package-version.ts';
import type { CallRunnerOptions, Endpoint } from './call-runner.ts';

/** A workspace of the config, or its address and key alone; the rest then has the config's defaults. */
type ClientWorkspace = Pick<Endpoint, 'key' | 'baseUrl' | 'apiKey'> & Partial<Endpoint>;

/** The defaults are the machine's clock and random numbers, and a log that writes nothing. */
export type WorkspaceClientOptions = Partial<Omit<CallRunnerOptions, 'workspace' | 'dataDir'>> &
  Pick<CallRunnerOptions, 'dataDir'> & { readonly workspace: ClientWorkspace };

const workspaceDefaults = {
  rateLimit: { requests: 100, perSeconds: 60 },
  concurrency: 4,
  timeoutSeconds: 30,
};

export function completeOptions(options: WorkspaceClientOptions): CallRunnerOptions {
  const workspace = withoutUndefined(options.workspace);
  return {
    clock: systemClock,
    log: silentLog,
    version: packageVersion,
    random: Math.random,
    ...withoutUndefined(options),
    workspace: { ...workspaceDefaults, ...workspace },
  };
}

function withoutUndefined<Given extends object>(given: Given): Given {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Given;
}
