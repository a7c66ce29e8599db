import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { Clock } from '../core/clock.ts';
import { closeServer, listen } from '../core/http-server.ts';
import type { Log } from '../core/log.ts';
import type { RequestLimit } from './access.ts';
import { EventSender, type WebhookAddress } from './event-sender.ts';
import type { FaultLevel } from './faults/fault-kinds.ts';
import { defaultSandbox, sandboxKeys } from './identity.ts';
import { madeUpContent } from './made-up/made-up-content.ts';
import { SandboxClock } from './sandbox-clock.ts';
import { basePath, createService } from './service.ts';
import { WorkspaceState } from './state/workspace-state.ts';

export interface SandboxOptions {
  /** The port on loopback. The default, 0, takes a free one. */
  readonly port?: number;
  readonly seed?: number;
  /** The number of profiles with analytics. One engagement profile, which has none, is added. */
  readonly profiles?: number;
  /** The number of posts up to the start. More are published as the clock moves on. */
  readonly posts?: number;
  /** The first time of its clock; the default is now. */
  readonly start?: Date | undefined;
  readonly rateLimit?: RequestLimit;
  /** The most posts in an answer of analytics, which are the newest ones. The default is all, as the API documents. */
  readonly cap?: number | undefined;
  /** The level of faults from the start; the default is none. */
  readonly faults?: FaultLevel;
  /** The receiver of events; by default they are kept and not sent. */
  readonly webhook?: WebhookAddress | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** A running sandbox; all its state is in memory. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** The output of `sandbox serve --json` and the body of `GET /_sandbox`. */
export type SandboxDescription = ReturnType<Sandbox['describe']>;

/** @throws ListenError */
export async function startSandbox(options: SandboxOptions) {
  const { log, clock: machineClock, webhook = null } = options;
  const seed = options.seed ?? defaultSandbox.seed;
  const clock = new SandboxClock(machineClock, options.start ?? machineClock.now());
  const content = madeUpContent({
    seed,
    profileCount: options.profiles ?? defaultSandbox.profileCount,
    postCount: options.posts ?? defaultSandbox.postCount,
    start: clock.now(),
  });
  const { profiles } = content;
  const { workspace } = defaultSandbox;
  const keys = sandboxKeys(seed);
  const rateLimit = options.rateLimit ?? { requests: 100, perSeconds: 60 };
  const events = new EventSender({ webhook, clock: machineClock, log });
  const state = new WorkspaceState({ seed, content, clock, emit: (event) => events.send(event) });
  const faults = options.faults ?? 'none';
  const cap = options.cap ?? null;
  const describe = () => ({
    base_url: address.url,
    workspace,
    keys,
    profiles,
    limit: { requests: rateLimit.requests, per_seconds: rateLimit.perSeconds },
    /** The sandbox's own time, ISO 8601. */
    now: clock.now().toISOString(),
    faults,
    /** The most posts in an answer of analytics; null means all of them. */
    cap,
    /** The address without its query; null when events are only kept. */
    webhook_url: events.webhookUrl,
    /** Ids to try things with in the present workspace. */
    examples: state.examples(),
  });
  const controls = { state, clock, events, log, describe };
  const service = createService({ seed, faults, rateLimit, cap, machineClock, ...controls });
  const server = createAdaptorServer({ fetch: service.fetch }) as Server;
  const origin = await listen(server, { name: 'the sandbox', port: options.port ?? 0 });
  const address = { port: Number(new URL(origin).port), url: new URL(basePath, origin).href };
  return {
    /** The base URL of the API, which ends in /api/v1, and its port. */
    ...address,
    workspace,
    keys,
    /** All profiles, with the engagement profile at the end. */
    profiles,
    /** Describes the sandbox as it is now, since its clock can be moved over HTTP. */
    describe,
    /** Deletes a post for good, as its owner would. Resolves when the event was sent. */
    deletePost: async (id: string) => {
      state.deletePost(id);
      await events.flush();
    },
    /** Stops listening and delivering at once, and cuts the connections that clients keep open. */
    close: async () => {
      events.close();
      await closeServer(server, 0);
    },
  };
}
