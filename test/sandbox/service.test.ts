import { get } from 'node:http';
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

describe('the control path', () => {
  it('refuses requests of web pages', async () => {
    const { sandbox } = await runSandbox();
    for (const path of ['clock', 'events', 'deliveries', 'invites']) {
      const response = await fetch(new URL(`/_sandbox/${path}`, sandbox.url), {
        method: 'POST',
        headers: { origin: 'https://page.example' },
        body: JSON.stringify({ type: 'test', data: {}, email: 'a@example.com' }),
      });
      expect(response.status).toBe(403);
    }
  });

  it.each([
    ['evil.example', 421],
    ['localhost', 200],
    ['[::1]:8080', 200],
  ])('answers under the name %s with %i', async (host, status) => {
    const { sandbox } = await runSandbox();
    const answer = await new Promise<[number | undefined, string]>((done, fail) => {
      get(new URL('/_sandbox', sandbox.url), { headers: { host } }, (response) => {
        text(response).then((body) => done([response.statusCode, body]), fail);
      }).on('error', fail);
    });
    expect(answer[0]).toBe(status);
    expect(answer[1].includes(sandbox.keys.valid)).toBe(status === 200);
  });
});
