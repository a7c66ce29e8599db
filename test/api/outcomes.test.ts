import { describe, expect, it } from 'vitest';
import {
  cut,
  drip,
  json,
  refusal,
  reset,
  serve,
  silence,
  text,
  type Behaviour,
} from './bad-service.ts';
import {
  against,
  changes,
  failureOf,
  id,
  idea,
  never,
  open,
  sentChanges,
} from './operation-samples.ts';

const broken: readonly [string, Behaviour, string][] = [
  ['a connection that breaks', reset, 'no answer'],
  ['a cut answer', cut, 'the answer was cut short'],
  ['a problem of the service', refusal(500, 'INTERNAL_SERVER_ERROR', 'Oh no'), 'Oh no (500)'],
  ['a web page', text(200, '<html>Log in</html>'), 'the answer is not JSON'],
];

/** Starts a service whose first answer has a head and a body that never ends. */
async function withUnfinishedBody(status: number) {
  const head: Behaviour = (response) => {
    response.writeHead(status, { 'content-length': '500' }).write('{"code":');
  };
  const service = await serve(head, json(200, idea));
  return { ...(await open(service.baseUrl, { timeoutSeconds: 0.5 })), service };
}

describe('an operation that changes something', () => {
  it.each([404, 500])('is sent once if the body of a %i does not arrive', async (status) => {
    const { client, service } = await withUnfinishedBody(status);
    const error = await failureOf(client.archiveIdea(id, never));
    expect(error.status).toBe(status);
    expect(error.code === 'API_OUTCOME_UNKNOWN').toBe(status === 500);
    expect(service.requests).toHaveLength(1);
  });

  it('waits for the whole window if the body of a 429 does not arrive', async () => {
    const { client, clock, service } = await withUnfinishedBody(429);
    const startMs = clock.monotonicMs();
    expect(await client.archiveIdea(id, never)).toMatchObject({ requests: 2, idea });
    expect(clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(60_000);
    expect(service.requests).toHaveLength(2);
  });

  it('is sent once if the answer does not come in time', async () => {
    const service = await serve(silence, refusal(404, 'NOT_FOUND', 'Gone'));
    const { client } = await open(service.baseUrl, { timeoutSeconds: 0.5 });
    const error = await failureOf(client.archiveIdea(id, never));
    expect(error).toMatchObject({ isOutcomeUnknown: true });
    expect(error.message).toContain('no complete answer within 0.5 s');
    expect(sentChanges(service.requests)).toBe(1);
  });

  for (const [name, act] of changes) {
    it.each(broken)(`is sent once, ${name}: %s`, async (_, behaviour, problem) => {
      const { client, service, clock } = await against(
        behaviour,
        refusal(404, 'NOT_FOUND', 'Gone'),
      );
      const error = await failureOf(act(client, never));
      expect(error).toMatchObject({ isOutcomeUnknown: true });
      const { length } = service.requests;
      expect(error).toMatchObject({ code: 'API_OUTCOME_UNKNOWN', exitCode: 1, requests: length });
      expect(error.message).toContain(problem);
      expect(error.message).toContain('it is unknown whether this was carried out');
      expect(sentChanges(service.requests)).toBe(1);
      expect(clock.sleptMs).toEqual([]);
    });

    it(`reports an unknown outcome if it is stopped: ${name}`, async () => {
      const { client, service } = await against(drip);
      const controller = new AbortController();
      service.server.on('request', () => setImmediate(() => controller.abort()));
      const stopped = act(client, { signal: controller.signal });
      const error = await failureOf(stopped);
      expect(error).toMatchObject({ isOutcomeUnknown: true });
      expect(error.message).toContain('stopped before the answer came');
      expect(service.requests).toHaveLength(1);
    });
  }

  it('is tried again if it was never sent', async () => {
    const { client } = await open('http://127.0.0.1:1/api/v1');
    const error = await failureOf(client.archiveIdea(id, never));
    expect(error).toMatchObject({ code: 'API_UNREACHABLE', requests: 5, retries: 4 });
  });
});
