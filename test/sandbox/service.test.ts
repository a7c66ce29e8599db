import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { linkedInPostAnalyticsSchema } from '../../src/api/schemas/analytics.ts';
import { openApiDocument } from '../../src/api/schemas/open-api.ts';
import { runSandbox } from './running-sandbox.ts';

const recordsSchema = z.array(linkedInPostAnalyticsSchema);

describe('GET /analytics/linkedin/{profileId}/posts', () => {
  it('gives the posts of the requested days, both included, newest first', async () => {
    const { ask, sandbox } = await runSandbox();
    const read = async (query: string) => {
      const path = `/analytics/linkedin/${sandbox.profiles[0]?.id}/posts`;
      return recordsSchema.parse((await ask(`${path}?${query}`)).body);
    };
    const all = await read('startDate=2020-01-01');
    const days = all.map(({ publishedAt }) => publishedAt?.slice(0, 10) ?? '');
    expect(days).toEqual(days.toSorted().reverse());
    const [last, first] = [days[2] ?? '', days[5] ?? ''];
    const expected = all.filter((_, index) => {
      const day = days[index] ?? '';
      return day >= first && day <= last;
    });
    expect(await read(`startDate=${first}&endDate=${last}`)).toEqual(expected);
  });
});

it('serves the document of the API with its own address, without a key', async () => {
  const { sandbox } = await runSandbox();
  const response = await fetch(new URL('/openapi.json', sandbox.url));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json');
  const document = openApiDocument({ baseUrl: sandbox.url });
  expect(document.servers.map(({ url }) => url)).toEqual([sandbox.url]);
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)));
});

it('the control path refuses requests of web pages, and those under another name, which it tells no key', async () => {
  const { sandbox } = await runSandbox();
  for (const path of ['clock', 'events', 'deliveries', 'invites']) {
    const response = await fetch(new URL(`/_sandbox/${path}`, sandbox.url), {
      method: 'POST',
      headers: { origin: 'https://page.example' },
      body: JSON.stringify({ type: 'test', data: {}, email: 'a@example.com' }),
    });
    expect(response.status).toBe(403);
  }
  for (const [host, status] of [
    ['evil.example', 421],
    ['localhost', 200],
    ['[::1]:8080', 200],
  ] as const) {
    const answer = await new Promise<IncomingMessage>((done, fail) => {
      get(new URL('/_sandbox', sandbox.url), { headers: { host } }, done).on('error', fail);
    });
    expect([host, answer.statusCode]).toEqual([host, status]);
    expect((await text(answer)).includes(sandbox.keys.valid)).toBe(status === 200);
  }
});
