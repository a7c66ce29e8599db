import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/log.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { runSandbox } from './running-sandbox.ts';

describe('the sandbox', () => {
  it('describes itself with everything that a config needs, also over HTTP', async () => {
    const { sandbox, control } = await runSandbox({ rateLimit: { requests: 9, perSeconds: 2 } });
    const description = sandbox.describe();
    expect(description).toEqual({
      base_url: `http://127.0.0.1:${sandbox.port}/api/v1`,
      workspace: { slug: 'halden', name: 'Halden Grid', timezone: 'UTC' },
      keys: sandbox.keys,
      profiles: [
        { id: 'a40c7918-571a-5bda-a78f-5226860e8bbe', name: 'Halden Grid', kind: 'page' },
        { id: 'e0e234f5-c30c-56e4-8c70-09a4ec5eb6e1', name: 'Halden Careers', kind: 'page' },
        { id: '4a78d535-5f75-50ff-a921-8a595186506a', name: 'Anna Lindqvist', kind: 'member' },
        { id: '8ecdc552-ce39-573e-a8b3-41724b476a86', name: 'Tomasz Bielak', kind: 'member' },
        { id: 'b2893f55-3beb-59f5-ad9a-f9774be3fbcd', name: 'Mariam Haddad', kind: 'member' },
        { id: '12899633-ce8b-5475-a184-496010d5103a', name: 'Halden Team', kind: 'engagement' },
      ],
      limit: { requests: 9, per_seconds: 2 },
      now: '2026-01-15T12:00:00.000Z',
      faults: 'none',
      cap: null,
      webhook_url: null,
      examples: (await control('/examples')).body,
    });
    expect(await control('')).toEqual({ status: 200, body: description });
  });

  it('names the port that is taken', async () => {
    const { sandbox } = await runSandbox();
    const second = startSandbox({
      port: sandbox.port,
      posts: 0,
      clock: new ManualClock(),
      log: silentLog,
    });
    await expect(second).rejects.toThrow(
      `the sandbox cannot listen on 127.0.0.1, port ${sandbox.port}: another process uses it. Stop that process, or choose another port with --port`,
    );
  });
});
