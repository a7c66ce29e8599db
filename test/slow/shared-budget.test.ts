import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { compileSources } from '../support/compiled-sources.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { serve } from '../api/bad-service.ts';
import { mostWithin } from '../api/most-within.ts';

const limit = { requests: 20, perSeconds: 2 };

/** A process that reads 25 posts through a client of its own, as fast as it may. */
function readerProgram(source: string, baseUrl: string, dataDir: string): string {
  return `
    import { WorkspaceClient } from '${source}/api/client.js';
    import { Secret } from '${source}/config/secret.js';
    import { systemClock as clock } from '${source}/core/clock.js';
    import { silentLog as log } from '${source}/core/log.js';
    const workspace = {
      key: 'acme', baseUrl: '${baseUrl}', apiKey: new Secret('KEY', 'here', 'key'), concurrency: 4,
      rateLimit: ${JSON.stringify(limit)}, timeoutSeconds: 30,
    };
    const random = () => 0;
    const dataDir = ${JSON.stringify(dataDir)};
    const client = new WorkspaceClient({ workspace, dataDir, clock, log, version: '0', random });
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 25 }, (_, id) => client.readPost('p' + id, { signal })));
    await client.close();
  `;
}

describe('two real processes', () => {
  it('arrive at the service no more often than the limit, in any interval', async () => {
    const arrivalsMs: number[] = [];
    const service = await serve((response) => {
      arrivalsMs.push(systemClock.monotonicMs());
      response.end('{"post":{}}');
    });
    const compiled = await compileSources(['src/api', 'src/core', 'src/config/secret.ts']);
    const source = pathToFileURL(join(compiled, 'src')).href;
    const program = readerProgram(source, service.baseUrl, await temporaryFolder());
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
    expect(arrivalsMs).toHaveLength(50);
    expect(mostWithin(arrivalsMs, limit.perSeconds * 1000)).toBeLessThanOrEqual(limit.requests);
  });
});
