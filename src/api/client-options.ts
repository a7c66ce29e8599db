import { z } from 'zod';
import { systemClock } from '../core/clock.ts';
import { UsageError } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import { packageVersion } from '../core/package-version.ts';
import type { CallRunnerOptions, Endpoint } from './call-runner.ts';

/** A workspace of the config, or its address and key alone; the rest then has the config's defaults. */
type ClientWorkspace = Pick<Endpoint, 'key' | 'baseUrl' | 'apiKey'> & Partial<Endpoint>;

/** The defaults are the machine's clock and random numbers, and a log that writes nothing. */
export type WorkspaceClientOptions = Partial<Omit<CallRunnerOptions, 'workspace' | 'dataDir'>> &
  Pick<CallRunnerOptions, 'dataDir'> & { readonly workspace: ClientWorkspace };

const count = z.int().min(1);
const seconds = z.number().positive().max(86_400);
/** The check is for callers without types, which may pass unset environment variables. */
const checkedSchema = z.object({
  dataDir: z.string('the path of a folder is missing').min(1),
  workspace: z.object({
    key: z.string('a name of your choice is missing').min(1),
    baseUrl: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .refine((url) => !/[?#@\s]/.test(url), 'must have no query, fragment, password or space'),
    apiKey: z.custom<{ reveal: unknown }>(
      (value) => value instanceof Object && 'reveal' in value && typeof value.reveal === 'function',
      'must be a Secret',
    ),
    rateLimit: z.object({ requests: count, perSeconds: seconds }).optional(),
    concurrency: count.optional(),
    timeoutSeconds: seconds.optional(),
  }),
});

const workspaceDefaults = {
  rateLimit: { requests: 100, perSeconds: 60 },
  concurrency: 4,
  timeoutSeconds: 30,
};

/** @throws UsageError that names every option that cannot be used */
export function completeOptions(options: WorkspaceClientOptions): CallRunnerOptions {
  const { error } = checkedSchema.safeParse(options);
  if (error) throw new UsageError(`WorkspaceClient cannot be created: ${z.prettifyError(error)}`);
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
