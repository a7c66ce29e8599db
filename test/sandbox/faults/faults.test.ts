import { describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { runSandbox } from '../running-sandbox.ts';
import { askRaw, type RawAnswer } from './raw-client.ts';

const hostile = { faults: 'hostile', rateLimit: { requests: 10_000, perSeconds: 1 } } as const;

async function runFaulty(options: Partial<SandboxOptions> = hostile) {
  const running = await runSandbox(options);
  const { url, keys } = running.sandbox;
  const raw = (path: string) => askRaw(`${url}${path}`, { authorization: `Bearer ${keys.valid}` });
  return { ...running, raw };
}

/** Paths of the same answer, each with faults of its own. */
function analyticsPaths(profileId: string, count: number): string[] {
  return Array.from(
    { length: count },
    (_, n) => `/analytics/linkedin/${profileId}/posts?startDate=2020-01-01&n=${n}`,
  );
}

/** What a client sees of an answer, by the table of docs/sandbox.md. */
function seenIn({ status, text, error, headers }: RawAnswer, whole: string): string {
  const isPage =
    text.startsWith('<!doctype html>') && (headers['content-type'] ?? '').startsWith('text/html');
  if (error !== null) return status === 0 ? 'reset' : text.length < whole.length ? 'cut_body' : '?';
  if (isPage) return status === 502 ? 'bad_gateway' : status === 200 ? 'html_page' : '?';
  if (status !== 200) {
    const { code } = JSON.parse(text) as { code: string };
    return `${status} ${code}`;
  }
  if (text === whole) return 'whole';
  return isJson(text) ? '?' : 'malformed_json';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('hostile faults', () => {
  it('are all kinds, beside whole answers, and the same for a seed whatever the order', async () => {
    const calm = await runFaulty({});
    const [path = ''] = analyticsPaths(calm.sandbox.profiles[0]?.id ?? '', 1);
    const { text: whole } = await calm.raw(path);
    const seen = async (reverse: boolean) => {
      const { raw, clock, sandbox } = await runFaulty();
      const paths = analyticsPaths(sandbox.profiles[0]?.id ?? '', 150);
      const order = reverse ? paths.toReversed() : paths;
      const asked = order.map(async (each) => [each, seenIn(await raw(each), whole)] as const);
      return new Map(await whileTimePasses(clock, Promise.all(asked)));
    };
    const first = await seen(false);
    expect([...new Set(first.values())].sort()).toEqual([
      '429 TOO_MANY_REQUESTS',
      '500 INTERNAL_SERVER_ERROR',
      '503 SERVICE_UNAVAILABLE',
      'bad_gateway',
      'cut_body',
      'html_page',
      'malformed_json',
      'reset',
      'whole',
    ]);
    const again = await seen(true);
    expect([...first].filter(([each, what]) => again.get(each) !== what)).toEqual([]);
  });
});

/** Moves the clock while requests are under way, so that slow bodies arrive. */
async function whileTimePasses<Value>(clock: ManualClock, work: Promise<Value>): Promise<Value> {
  const progress = { isDone: false };
  void work.finally(() => (progress.isDone = true));
  while (!progress.isDone) await clock.advance(1000);
  return work;
}
