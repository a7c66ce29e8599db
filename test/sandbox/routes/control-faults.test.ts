import { describe, expect, it } from 'vitest';
import { runSandbox } from '../running-sandbox.ts';

const quiet = { level: 'none', next: [], counts: {}, injected: [] };

describe('/_sandbox/faults', () => {
  it('sets the level and what comes next, each alone or both', async () => {
    const { control, sandbox } = await runSandbox();
    expect(await control('/faults')).toEqual({ status: 200, body: quiet });
    const requested = { kind: 'cut_body', path: '/posts', method: 'GET', times: 2 };
    await control('/faults', { next: [requested] });
    expect(await control('/faults', { level: 'mild' })).toEqual({
      status: 200,
      body: { ...quiet, level: 'mild', next: [requested] },
    });
    expect(sandbox.faultLevel()).toBe('mild');
    expect((await control('')).body).toMatchObject({ faults: 'mild' });
    const { body } = await control('/faults', { level: 'none', next: [] });
    expect(body).toEqual(quiet);
  });

  it('begins at the level that the sandbox was started with', async () => {
    const { control } = await runSandbox({ faults: 'hostile' });
    expect((await control('/faults')).body).toMatchObject({ level: 'hostile' });
  });

  it('takes a fault for one request where it does not say how many', async () => {
    const { control } = await runSandbox();
    const { body } = await control('/faults', { next: [{ kind: 'html_page' }] });
    expect(body).toMatchObject({ next: [{ kind: 'html_page', times: 1 }] });
  });

  it.each([
    [{ level: 'wild' }, { level: ['Invalid level, expected none, mild, hostile'] }],
    [
      { next: [{ kind: 'cut_body', path: '/api/v1/posts' }] },
      { 'next.0.path': ['Invalid path, expected one below the base URL, such as /posts'] },
    ],
    [
      { next: [{ kind: 'cut_body', method: 'get' }] },
      { 'next.0.method': ['Invalid method, expected GET, POST or DELETE'] },
    ],
    [{ levels: 'mild' }, { levels: ['Unknown field, expected level, next'] }],
    [JSON.parse('{"constructor": 1}'), { constructor: ['Unknown field, expected level, next'] }],
    [[], { body: ['Invalid object, expected one with level, next'] }],
    [{ next: {} }, { next: ['Invalid list, expected faults'] }],
    [
      { next: [{ kind: 'cut_body', count: 2 }] },
      { 'next.0.count': ['Unknown field, expected kind, path, method, times, seconds'] },
    ],
    [
      { next: [{ kind: 'slow_drip', path: 1, times: 1001, seconds: '40' }] },
      {
        'next.0.path': ['Invalid path, expected one below the base URL, such as /posts'],
        'next.0.times': ['Invalid number, expected a whole one from 1 to 1000'],
        'next.0.seconds': ['Invalid number, expected 0 to 600'],
      },
    ],
  ])('refuses %j and says why', async (wrong, errors) => {
    const { control } = await runSandbox();
    expect(await control('/faults', wrong)).toEqual({
      status: 400,
      body: { code: 'BAD_REQUEST', message: 'Bad Request', data: { errors } },
    });
    expect((await control('/faults')).body).toEqual(quiet);
  });

  it('names every kind to whoever asks for one that there is not', async () => {
    const { control } = await runSandbox();
    const { body } = await control('/faults', { next: [{ kind: 'flood' }] });
    expect(JSON.stringify(body)).toContain('expected one of rate_limited, server_error,');
  });
});
