import { describe, expect, it } from 'vitest';
import { runSandbox } from '../running-sandbox.ts';

const days = 'startDate=2024-01-01&endDate=2026-01-15';

describe('/_sandbox/analytics', () => {
  it('cuts answers off after the newest posts, and gives all of them again', async () => {
    const { sandbox, ask, control } = await runSandbox();
    const path = `/analytics/linkedin/${sandbox.profiles[0]?.id ?? ''}/posts?${days}`;
    const all = (await ask(path)).body as unknown[];
    expect(all.length).toBeGreaterThan(5);
    expect(await control('/analytics', { cap: 5 })).toEqual({ status: 200, body: { cap: 5 } });
    expect((await ask(path)).body).toEqual(all.slice(0, 5));
    expect((await control('')).body).toMatchObject({ cap: 5 });
    await control('/analytics', { cap: null });
    expect((await ask(path)).body).toEqual(all);
  });

  it('begins with the cap that the sandbox was started with', async () => {
    const { sandbox, ask, control } = await runSandbox({ cap: 3 });
    const path = `/analytics/linkedin/${sandbox.profiles[0]?.id ?? ''}/posts?${days}`;
    expect((await ask(path)).body).toHaveLength(3);
    expect((await control('')).body).toMatchObject({ cap: 3 });
  });

  it.each([
    [{ cap: 0 }, { cap: ['Invalid number, expected a whole one from 1 to 100000, or null'] }],
    [{ cap: '5' }, { cap: ['Invalid number, expected a whole one from 1 to 100000, or null'] }],
    [{ limit: 5 }, { limit: ['Unknown field, expected cap'] }],
  ])('refuses %j and says why', async (wrong, errors) => {
    const { control } = await runSandbox();
    expect(await control('/analytics', wrong)).toMatchObject({
      status: 400,
      body: { data: { errors } },
    });
  });
});
