import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { builtUrl } from '../support/built-module.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { serve } from '../api/bad-service.ts';
import { mostWithin } from '../api/most-within.ts';

const limit = { requests: 20, perSeconds: 2 };

/** A process that reads 15 posts through its own client, as fast as it can. */
function readerProgram(baseUrl: string, dataDir: string): string {
  return `
    import { WorkspaceClient } from '${builtUrl('api/client.js')}';
    import { Secret } from '${builtUrl('config/secret.js')}';
    import { systemClock as clock } from '${builtUrl('core/clock.js')}';
    import { silentLog as log } from '${builtUrl('core/log.js')}';
    const workspace = {
      key: 'acme', baseUrl: '${baseUrl}', apiKey: new Secret('KEY', 'here', 'key'), concurrency: 4,
      rateLimit: ${JSON.stringify(limit)}, timeoutSeconds: 30,
    };
    const random = () => 0;
    const dataDir = ${JSON.stringify(dataDir)};
    const client = new WorkspaceClient({ workspace, dataDir, clock, log, version: '0', random });
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 15 }, (_, id) => client.readDetail('post', 'p' + id, { signal })));
    await client.close();
  `;
}

describe('the requests of two real processes', () => {
  it('never exceed the limit at the service in any interval', async () => {
    const arrivalsMs: number[] = [];
    const service = await serve((response) => {
      arrivalsMs.push(systemClock.monotonicMs());
      response.end('{"post":{}}');
    });
    const program = readerProgram(service.baseUrl, await temporaryFolder());
    const readers = [1, 2].map(() => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      return once(child, 'exit');
    });
    expect(await Promise.all(readers)).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(arrivalsMs).toHaveLength(30);
    expect(mostWithin(arrivalsMs, limit.perSeconds * 1000)).toBeLessThanOrEqual(limit.requests);
  });
});
