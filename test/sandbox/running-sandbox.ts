import { onTestFinished } from 'vitest';
import { silentLog } from '../../src/core/log.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import type { Examples } from '../../src/sandbox/state/workspace-state.ts';
import { ManualClock } from '../support/manual-clock.ts';

export interface RunningSandbox {
  readonly sandbox: Sandbox;
  readonly clock: ManualClock;
  /** Sends a request with the valid key, unless a test gives headers of its own. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Answer>;
  /** Sends a request with another method and a body, which is a text or an object for JSON. */
  readonly send: (method: 'POST' | 'DELETE', path: string, body?: unknown) => Promise<Answer>;
  /** Sends JSON to the control path, which is not below the API's path. */
  readonly control: (path: string, body?: unknown) => Promise<Answer>;
  /** Ids to try. */
  readonly examples: () => Promise<Examples>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A sandbox of 60 posts that stands at noon of 15 January 2026 and goes away with the test. */
export async function runSandbox(options: Partial<SandboxOptions> = {}): Promise<RunningSandbox> {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ posts: 60, clock, log: silentLog, ...options });
  onTestFinished(() => sandbox.close());
  const headers = { authorization: `Bearer ${sandbox.keys.valid}` };
  const control: RunningSandbox['control'] = (path, body) =>
    answerOf(fetch(`${root}${path}`, body ? { method: 'POST', body: JSON.stringify(body) } : {}));
  const root = new URL('/_sandbox', sandbox.url).href;
  return {
    sandbox,
    clock,
    ask: (path, init) => answerOf(fetch(`${sandbox.url}${path}`, { headers, ...init })),
    send: (method, path, body) =>
      answerOf(
        fetch(`${sandbox.url}${path}`, {
          method,
          headers: { ...headers, 'content-type': 'application/json' },
          ...bodyOf(body),
        }),
      ),
    control,
    examples: async () => (await control('/examples')).body as Examples,
  };
}

function bodyOf(body: unknown): RequestInit {
  if (body === undefined) return {};
  return { body: typeof body === 'string' ? body : JSON.stringify(body) };
}

async function answerOf(sent: Promise<Response>): Promise<Answer> {
  const response = await sent;
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
}
