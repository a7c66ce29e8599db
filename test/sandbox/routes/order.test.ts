import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/api/schemas/operations.ts';
import { runSandbox } from '../running-sandbox.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';
const all = Object.values(operations).map(({ method, path }) => ({ method, path }));
const withId = all.filter(({ path }) => path.includes('{'));

function pathWith(path: string, id: string): string {
  return path.replace(/\{\w+\}/, id);
}

describe('every operation', () => {
  it.each(all)('asks for a key before anything else: $method $path', async (operation) => {
    const { ask } = await runSandbox();
    const path = pathWith(operation.path, '42');
    expect(await ask(path, { method: operation.method, headers: {} })).toEqual({
      status: 401,
      body: { code: 'UNAUTHORIZED', message: 'Missing bearer token' },
    });
  });

  it.each(all)('then looks at the quota: $method $path', async (operation) => {
    const { ask, sandbox } = await runSandbox({ rateLimit: { requests: 1, perSeconds: 60 } });
    const init = {
      method: operation.method,
      headers: { authorization: `Bearer ${sandbox.keys.valid}` },
    };
    const path = pathWith(operation.path, '42');
    expect([400, 404]).toContain((await ask(path, init)).status);
    expect(await ask(path, init)).toEqual({
      status: 429,
      body: {
        code: 'TOO_MANY_REQUESTS',
        message: 'Rate limit of 1 requests per 60s exceeded. Quota resets in 60 seconds',
      },
    });
  });

  it.each(withId)(
    'answers 404 as JSON to what does not exist: $method $path',
    async (operation) => {
      const { sandbox } = await runSandbox();
      const response = await fetch(`${sandbox.url}${pathWith(operation.path, unknownId)}`, {
        method: operation.method,
        headers: { authorization: `Bearer ${sandbox.keys.valid}` },
      });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' });
    },
  );
});
