import { describe, expect, it } from 'vitest';
import type { ManualClock } from '../../support/manual-clock.ts';
import { runSandbox } from '../running-sandbox.ts';

const hostile = { faults: 'hostile', rateLimit: { requests: 10_000, perSeconds: 1 } } as const;

/** Paths of the same answer, each with faults of its own. */
function analyticsPaths(profileId: string, count: number): string[] {
  return Array.from(
    { length: count },
    (_, n) => `/analytics/linkedin/${profileId}/posts?startDate=2020-01-01&n=${n}`,
  );
}

/** What a client sees of an answer, by the table of docs/sandbox.md, where another answer is `whole`. */
async function seenIn(asked: Promise<Response>, whole: string): Promise<string> {
  const answer = await asked.catch(() => null);
  if (answer === null) return 'reset';
  const { status, headers } = answer;
  const text = await answer.text().catch(() => null);
  if (text === null) return 'cut_body';
  const isPage =
    text.startsWith('<!doctype html>') && headers.get('content-type')?.startsWith('text/html');
  if (isPage) return status === 502 ? 'bad_gateway' : status === 200 ? 'html_page' : '?';
  if (status !== 200) return `${status} ${(JSON.parse(text) as { code: string }).code}`;
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
    const calm = await runSandbox();
    const [path = ''] = analyticsPaths(calm.sandbox.profiles[0]?.id ?? '', 1);
    const whole = JSON.stringify((await calm.ask(path)).body);
    const seen = async (reverse: boolean) => {
      const { sandbox, clock } = await runSandbox(hostile);
      const { url, keys, profiles } = sandbox;
      const headers = { authorization: `Bearer ${keys.valid}` };
      const paths = analyticsPaths(profiles[0]?.id ?? '', 150);
      const asked = (reverse ? paths.toReversed() : paths).map(async (each) => {
        return [each, await seenIn(fetch(`${url}${each}`, { headers }), whole)] as const;
      });
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
