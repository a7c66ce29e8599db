import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { errorMessage, hasErrorCode, PostledgerError } from '../core/errors.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { RequestLimit } from './access.ts';
import type { AnswerCap } from './control-routes.ts';
import { EventSender, type WebhookAddress } from './event-sender.ts';
import type { FaultLevel } from './faults/fault-kinds.ts';
import { FaultPlan } from './faults/fault-plan.ts';
import { defaultSandbox, sandboxKeys, type KeyOutcome, type SandboxProfile } from './identity.ts';
import { madeUpContent } from './made-up/made-up-content.ts';
import { lastGenerationAt, recordedContent, type RecordedWorkspace } from './recorded-workspace.ts';
import { SandboxClock } from './sandbox-clock.ts';
import { basePath, createService } from './service.ts';
import type { SandboxWorkspace, WorkspaceContent } from './workspace-content.ts';
import { WorkspaceState, type Examples } from './state/workspace-state.ts';

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  readonly seed?: number;
  /** Profiles with analytics; one engagement profile, which has none, comes on top. */
  readonly profiles?: number;
  /** The newest posts up to the start; as the clock moves on, more are published. */
  readonly posts?: number;
  /** Served instead of made-up posts, as it was at its last generation. */
  readonly data?: RecordedWorkspace | null;
  /** What its clock says first; default: now, or the last generation of a recorded workspace. */
  readonly start?: Date | undefined;
  readonly rateLimit?: RequestLimit;
  /** Posts that an answer of analytics holds at most, the newest ones; default: all, as the API says. */
  readonly cap?: number | undefined;
  /** How much goes wrong from the start; default: nothing. */
  readonly faults?: FaultLevel;
  /** Where events are sent; default: nowhere, they are only kept. */
  readonly webhook?: WebhookAddress | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** A running sandbox; all its state is in memory. */
export interface Sandbox {
  /** The base URL of the API, which ends in /api/v1. */
  readonly url: string;
  readonly port: number;
  readonly workspace: SandboxWorkspace;
  readonly keys: Readonly<Record<KeyOutcome, string>>;
  /** The engagement profile is the last one. */
  readonly profiles: readonly SandboxProfile[];
  readonly rateLimit: RequestLimit;
  /** Without its query; null when events are only kept. */
  readonly webhookUrl: string | null;
  /** The sandbox's own time, which can be moved over HTTP. */
  now(): Date;
  /** Can be changed over HTTP. */
  faultLevel(): FaultLevel;
  /** Null when answers are whole. Can be changed over HTTP. */
  answerCap(): number | null;
  /** Ids to try things with, as the workspace is now. */
  examples(): Examples;
  /** Deletes a post for good, as its owner would; resolves once the event was sent. */
  deletePost(id: string): Promise<void>;
  /** Stops listening and delivering at once, and cuts the connections that clients keep open. */
  close(): Promise<void>;
}

/** What `sandbox serve --json` prints and `GET /_sandbox` answers. */
export interface SandboxDescription {
  readonly base_url: string;
  readonly workspace: SandboxWorkspace;
  readonly keys: Readonly<Record<KeyOutcome, string>>;
  readonly profiles: readonly SandboxProfile[];
  readonly limit: { readonly requests: number; readonly per_seconds: number };
  /** The sandbox's own time, ISO 8601. */
  readonly now: string;
  readonly faults: FaultLevel;
  /** Posts in an answer of analytics at most; null: all of them. */
  readonly cap: number | null;
  readonly webhook_url: string | null;
  readonly examples: Examples;
}

export class SandboxAddressError extends PostledgerError {
  readonly code = 'SANDBOX_ADDRESS';
  readonly recovery = 'fix-input';
}

/** @throws SandboxAddressError when it cannot listen there */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { log, clock: machineClock, data, webhook = null } = options;
  const seed = options.seed ?? defaultSandbox.seed;
  const start = options.start ?? (data ? lastGenerationAt(data) : machineClock.now());
  const clock = new SandboxClock(machineClock, start);
  const content = contentOf(options, seed, clock.now());
  const rateLimit = options.rateLimit ?? { requests: 100, perSeconds: 60 };
  const describe = () => describeSandbox(sandbox);
  const events = new EventSender({ seed, webhook, clock: machineClock, log });
  const state = new WorkspaceState({ seed, content, clock, emit: (event) => events.send(event) });
  const level = options.faults ?? 'none';
  const faultPlan = new FaultPlan({ seed, level, clock: machineClock, log });
  const cap: AnswerCap = { posts: options.cap ?? null };
  const controls = { state, clock, events, faultPlan, cap, log, describe };
  const service = createService({ seed, rateLimit, machineClock, ...controls });
  const server = createAdaptorServer({ fetch: service.fetch }) as Server;
  const sandbox: Sandbox = {
    ...(await listen(server, options.host ?? '127.0.0.1', options.port ?? 0)),
    workspace: content.workspace,
    keys: sandboxKeys(seed),
    profiles: content.profiles,
    rateLimit,
    webhookUrl: events.webhookUrl,
    now: () => clock.now(),
    faultLevel: () => faultPlan.level,
    answerCap: () => cap.posts,
    examples: () => state.examples(),
    deletePost: async (id) => {
      state.deletePost(id);
      await events.flush();
    },
    close: () => {
      events.close();
      return close(server);
    },
  };
  return sandbox;
}

export function describeSandbox(sandbox: Sandbox): SandboxDescription {
  const { url, workspace, keys, profiles, rateLimit } = sandbox;
  const limit = { requests: rateLimit.requests, per_seconds: rateLimit.perSeconds };
  return {
    base_url: url,
    workspace,
    keys,
    profiles,
    limit,
    now: sandbox.now().toISOString(),
    faults: sandbox.faultLevel(),
    cap: sandbox.answerCap(),
    webhook_url: sandbox.webhookUrl,
    examples: sandbox.examples(),
  };
}

function contentOf(options: SandboxOptions, seed: number, start: Date): WorkspaceContent {
  if (options.data) return recordedContent(options.data);
  const profileCount = options.profiles ?? defaultSandbox.profileCount;
  const postCount = options.posts ?? defaultSandbox.postCount;
  return madeUpContent({ seed, profileCount, postCount, start });
}

async function listen(server: Server, host: string, port: number) {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw addressError(host, port, cause);
  }
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { port: address.port, url: `http://${name}:${address.port}${basePath}` };
}

function addressError(host: string, port: number, cause: unknown): SandboxAddressError {
  const place = `the sandbox cannot listen on ${host}, port ${port}`;
  return new SandboxAddressError(`${place}: ${addressProblem(cause)}`, { cause });
}

function addressProblem(cause: unknown): string {
  if (hasErrorCode(cause, 'EADDRINUSE')) return 'another process does. Choose another with --port';
  if (hasErrorCode(cause, 'EACCES')) {
    return 'this user may not. Choose a port from 1024 to 65535 with --port';
  }
  if (hasErrorCode(cause, 'EADDRNOTAVAIL') || hasErrorCode(cause, 'ENOTFOUND')) {
    return 'this machine has no such address. Leave the host out for 127.0.0.1';
  }
  return `${errorMessage(cause)}. Choose another port with --port, or another host`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
