import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { linkedInPostAnalyticsSchema } from '../../src/api/schemas/analytics.ts';
import { openApiDocument } from '../../src/api/schemas/open-api.ts';
import { addDays } from '../../src/core/calendar.ts';
import { runSandbox } from './running-sandbox.ts';
const recordsSchema = z.array(linkedInPostAnalyticsSchema);

function analyticsPath(profileId: string, query = ''): string {
  return `/analytics/linkedin/${profileId}/posts${query}`;
}

async function runWithFirstProfile() {
  const running = await runSandbox();
  const [profile] = running.sandbox.profiles;
  if (!profile) throw new Error('the sandbox has no profile');
  return { ...running, profile };
}

describe('GET /analytics/linkedin/{profileId}/posts', () => {
  it('gives the posts of the requested days, both included, newest first', async () => {
    const { ask, profile } = await runWithFirstProfile();
    const all = recordsSchema.parse(
      (await ask(analyticsPath(profile.id, '?startDate=2020-01-01'))).body,
    );
    const days = all.map(({ publishedAt }) => publishedAt?.slice(0, 10) ?? '');
    expect(days).toEqual(days.toSorted().reverse());
    const [last, first] = [days[2] ?? '', days[5] ?? ''];
    const { body } = await ask(analyticsPath(profile.id, `?startDate=${first}&endDate=${last}`));
    const expected = all.filter((_, index) => {
      const day = days[index] ?? '';
      return day >= first && day <= last;
    });
    expect(body).toEqual(expected);
  });

  it('covers today and the 30 days before it when no dates are given', async () => {
    const { ask, sandbox } = await runSandbox({ posts: 2000 });
    const path = analyticsPath(sandbox.profiles[0]?.id ?? '');
    const today = sandbox.describe().now.slice(0, 10);
    const from = (days: number) =>
      ask(`${path}?startDate=${addDays(today, -days)}&endDate=${today}`);
    const { body } = await ask(path);
    expect(body).toEqual((await from(30)).body);
    const others = [await from(3), await from(60)].map((answer) => answer.body);
    expect(others).not.toContainEqual(body);
  });
});

it('serves the document of the API with its own address, without a key', async () => {
  const { sandbox } = await runSandbox();
  const response = await fetch(new URL('/openapi.json', sandbox.url));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual(
    JSON.parse(JSON.stringify(openApiDocument({ baseUrl: sandbox.url }))),
  );
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
