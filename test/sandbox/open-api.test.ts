import { expect, it } from 'vitest';
import { openApiDocument } from '../../src/api/schemas/open-api.ts';
import { runSandbox } from './running-sandbox.ts';

it('serves the document of the API with its own address, without a key', async () => {
  const { sandbox } = await runSandbox();
  const response = await fetch(new URL('/openapi.json', sandbox.url));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual(
    JSON.parse(JSON.stringify(openApiDocument({ baseUrl: sandbox.url }))),
  );
});

it('names the address by which it was asked', async () => {
  const { sandbox } = await runSandbox();
  const response = await fetch(`http://localhost:${sandbox.port}/openapi.json`);
  expect(await response.json()).toMatchObject({
    servers: [{ url: `http://localhost:${sandbox.port}/api/v1` }],
  });
});

it('serves the document of the API without using the quota', async () => {
  const { ask, sandbox } = await runSandbox({ rateLimit: { requests: 1, perSeconds: 60 } });
  const path = '/posts/00000000-0000-4000-8000-000000000000';
  for (let asked = 0; asked < 3; asked += 1) {
    expect((await fetch(new URL('/openapi.json', sandbox.url))).status).toBe(200);
  }
  expect((await ask(path)).status).toBe(404);
  expect((await fetch(new URL('/openapi.json', sandbox.url))).status).toBe(200);
  expect((await ask(path)).status).toBe(429);
});
