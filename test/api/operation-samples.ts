import { onTestFinished } from 'vitest';
import type { WorkspaceClientOptions } from '../../src/api/client-options.ts';
import { WorkspaceClient } from '../../src/api/client.ts';
import { ApiError } from '../../src/api/api-error.ts';
import type { WorkspaceConfig } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret.ts';
import { SwiftClock } from '../support/swift-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { serve, type Behaviour } from './bad-service.ts';

export const id = '6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11';
const other = '0e9b6c52-7f57-4f0a-9f43-0c1f5b6f2a10';
const at = '2026-01-15T12:00:00.000Z';
export const never = { signal: new AbortController().signal };

export const idea = { id, workspaceId: other, archivedAt: at };
export const key = 'sk_live_0123456789';

/** Opens a client over a folder of its own, with changes of its workspace and its options. */
export async function open(
  baseUrl: string,
  workspace: Partial<WorkspaceConfig> = {},
  options: Partial<WorkspaceClientOptions> = {},
) {
  const dataDir = await temporaryFolder();
  const clock = new SwiftClock();
  const apiKey = new Secret('ACME_API_KEY', 'jobs.yaml: workspaces.acme.api_key', key);
  const client = new WorkspaceClient({
    workspace: { key: 'acme', baseUrl, apiKey, timeoutSeconds: 5, ...workspace },
    dataDir,
    clock,
    version: '1.2.3',
    random: () => 0.5,
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, clock, dataDir };
}

/** Starts a service with these behaviours, and a client of it. */
export async function against(...behaviours: readonly Behaviour[]) {
  const bodies: string[] = [];
  const service = await serve(...behaviours);
  service.server.prependListener('request', (request) => {
    request.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
  });
  return { ...(await open(service.baseUrl)), service, bodies };
}

export async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.catch((thrown: unknown) => thrown);
  if (error instanceof ApiError) return error;
  throw new Error(`no ApiError: ${String(error)}`);
}

export type Act = (client: WorkspaceClient, stop: { signal: AbortSignal }) => Promise<unknown>;

const asked = [{ userId: id, message: 'Please', dueDate: at, isBlocking: true }];

/** The operations that change something. */
export const changes: readonly (readonly [name: string, act: Act])[] = [
  ['unschedulePost', (client, stop) => client.unschedulePost(id, stop)],
  ['createApprovals', (client, stop) => client.createApprovals(other, asked, stop)],
  ['archiveIdea', (client, stop) => client.archiveIdea(id, stop)],
  ['deleteEngagement', (client, stop) => client.deleteEngagement(id, stop)],
];

/** Counts the requests that change something. */
export function sentChanges(requests: readonly { method?: string | undefined }[]): number {
  return requests.filter(({ method }) => method !== 'GET').length;
}
