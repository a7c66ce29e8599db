import { describe, expect, it, onTestFinished } from 'vitest';
import { WorkspaceClient } from '../../src/api/client.ts';
import { Secret } from '../../src/config/secret.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { json, refusal, serve, silence } from './bad-service.ts';
import { against, failureOf, id, never, type Act } from './operation-samples.ts';

describe('invalid values', () => {
  it.each<[string, Act, Record<string, string[]>]>([
    ['an id', (client, stop) => client.getPost('1', stop), { id: ['Invalid uuid'] }],
    ['a post', (client, stop) => client.listApprovals('1', stop), { postId: ['Invalid uuid'] }],
    ['an idea', (client, stop) => client.archiveIdea('', stop), { id: ['Invalid uuid'] }],
    [
      'a time and a person',
      (client, stop) => client.createApprovals('x', [{ userId: 'y', dueDate: '2026-01-15' }], stop),
      {
        postId: ['Invalid uuid'],
        'approvals.0.userId': ['Invalid uuid'],
        'approvals.0.dueDate': ['Invalid date-time, expected ISO 8601 with an offset'],
      },
    ],
    ['..', (client, stop) => client.deleteEngagement('..', stop), { id: ['Invalid id'] }],
    ['.', (client, stop) => client.deleteEngagement('.', stop), { id: ['Invalid id'] }],
    [
      '.. for a post, which a URL would treat as a step along its path',
      (client, stop) => client.readDetail('post', '..', stop),
      { id: ['Invalid id'] },
    ],
    ...[
      ['2026-02-30', '2026-03-01', 'Invalid date, expected YYYY-MM-DD'] as const,
      ['2026-02-01T00:00:00Z', '2026-03-01', 'Invalid date, expected YYYY-MM-DD'] as const,
      ['2026-02-02', '2026-02-01', 'is after 2026-02-01'] as const,
    ].map(([start, end, problem]): [string, Act, Record<string, string[]>] => [
      `the days ${start} to ${end}`,
      (client, stop) => client.readAnalytics(id, { start, end }, stop),
      { startDate: [problem] },
    ]),
    [
      'a channel',
      (client, stop) => client.listInlineComments(id, { channel: 'Fax' as 'X' & 'Slack' }, stop),
      {
        channel: [
          'Invalid channel, expected one of LinkedIn, Twitter, Instagram, Facebook, Threads, TikTok, Discord, Slack, Webflow, YouTubeShorts',
        ],
      },
    ],
  ])('are refused before a request is sent: %s', async (_, act, fieldErrors) => {
    const { client, service } = await against(json(200, {}));
    const error = await failureOf(act(client, never));
    expect(error).toMatchObject({
      code: 'API_REQUEST_INVALID',
      exitCode: 2,
      requests: 0,
      fieldErrors,
    });
    expect(error.explain().split('\n  ')).toHaveLength(Object.keys(fieldErrors).length + 1);
    expect(service.requests).toHaveLength(0);
    expect(client.requests).toBe(0);
  });
});

describe('a client', () => {
  it('that is closed begins no call, and aborts those in flight', async () => {
    const { client, service } = await against(silence);
    const reading = client.getPost(id, never);
    const changing = client.archiveIdea(id, never);
    const ended = Promise.allSettled([reading, changing]);
    await new Promise<void>((done) => {
      service.server.on('request', () => {
        if (service.requests.length === 2) setImmediate(done);
      });
    });
    await client.close();
    const [read, changed] = await ended;
    expect(read).toMatchObject({ reason: { code: 'INTERRUPTED' } });
    expect(changed).toMatchObject({ reason: { code: 'API_OUTCOME_UNKNOWN' } });
    await expect(client.getPost(id, never)).rejects.toThrow('the client is closed');
    expect(client.requests).toBe(2);
  });

  it.each([
    { concurrency: undefined, rateLimit: undefined, timeoutSeconds: undefined },
    { baseUrl: 'BASE//' },
    { baseUrl: ' BASE/../v1/\n' },
  ])('ignores undefined options, and what an address may have around it: %j', async (odd) => {
    const service = await serve(json(200, { success: true }));
    const apiKey = new Secret('KEY', 'here', 'the-key');
    const baseUrl = odd.baseUrl?.replace('BASE', service.baseUrl) ?? service.baseUrl;
    const workspace = { key: 'acme', apiKey, ...odd, baseUrl } as never;
    const client = new WorkspaceClient({ workspace, dataDir: await temporaryFolder() });
    onTestFinished(() => client.close());
    expect(await client.deleteEngagement(id, never)).toMatchObject({ success: true });
    expect(service.requests[0]?.url).toBe(`/api/v1/engagements/${id}`);
  });

  it('stops after 30 answers in a row that ask it to wait', async () => {
    const limited = refusal(429, 'TOO_MANY_REQUESTS', 'Quota resets in 1 seconds');
    const { client } = await against(limited);
    const error = await failureOf(client.deleteEngagement(id, never));
    expect(error).toMatchObject({ code: 'API_TOO_MANY_REQUESTS', requests: 30 });
    expect(error.explain()).toContain('(30 requests)');
  });
});
