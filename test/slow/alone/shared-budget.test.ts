import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { builtUrl } from '../../support/built-module.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { RateLimit } from '../../../src/config/config.ts';
import { refusal, serve } from '../../api/bad-service.ts';
import { mostWithin } from '../../api/most-within.ts';

interface Readers {
  /** The posts that each of them reads. */
  readonly posts: number;
  readonly concurrency: number;
  readonly rateLimit: RateLimit;
}

/** A process that reads posts through its own client, as fast as it can. */
function readerProgram(
  baseUrl: string,
  dataDir: string,
  { posts, concurrency, rateLimit }: Readers,
): string {
  return `
    import { WorkspaceClient } from '${builtUrl('api/client.js')}';
    import { Secret } from '${builtUrl('config/secret.js')}';
    import { systemClock as clock } from '${builtUrl('core/clock.js')}';
    import { silentLog as log } from '${builtUrl('core/log.js')}';
    const workspace = {
      key: 'acme', baseUrl: '${baseUrl}', apiKey: new Secret('KEY', 'here', 'key'),
      concurrency: ${concurrency}, rateLimit: ${JSON.stringify(rateLimit)}, timeoutSeconds: 30,
    };
    const random = () => 0;
    const dataDir = ${JSON.stringify(dataDir)};
    const client = new WorkspaceClient({ workspace, dataDir, clock, log, version: '0', random });
    const { signal } = new AbortController();
    const ids = Array.from({ length: ${posts} }, (_, id) => process.pid + '-' + id);
    await Promise.all(ids.map((id) => client.readDetail('post', id, { signal })));
    await client.close();
  `;
}

/** Runs two of them beside each other to their ends. */
async function runTwo(baseUrl: string, readers: Readers): Promise<void> {
  const program = readerProgram(baseUrl, await temporaryFolder(), readers);
  const ends = [1, 2].map(() => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return once(child, 'exit');
  });
  expect(await Promise.all(ends)).toEqual([
    [0, null],
    [0, null],
  ]);
}

describe('the requests of two real processes', () => {
  it('never exceed the limit at the service in any interval', async () => {
    const rateLimit = { requests: 20, perSeconds: 2 };
    const arrivalsMs: number[] = [];
    const service = await serve((response) => {
      arrivalsMs.push(systemClock.monotonicMs());
      response.end('{"post":{}}');
    });
    await runTwo(service.baseUrl, { posts: 15, concurrency: 4, rateLimit });
    expect(arrivalsMs).toHaveLength(30);
    expect(mostWithin(arrivalsMs, rateLimit.perSeconds * 1000)).toBeLessThanOrEqual(
      rateLimit.requests,
    );
  });

  it('stop after a 429: only those that were on their way arrive before the reset', async () => {
    const readers = { posts: 60, concurrency: 16, rateLimit: { requests: 1000, perSeconds: 60 } };
    let arrived = 0;
    let late = 0;
    let resetMs = Infinity;
    const service = await serve((response, request) => {
      const nowMs = systemClock.monotonicMs();
      arrived += 1;
      if (arrived === 60) resetMs = nowMs + 1900;
      if (arrived > 60 && nowMs < resetMs) late += 1;
      if (arrived >= 60 && nowMs < resetMs)
        refusal(429, 'TOO_MANY_REQUESTS', 'Quota resets in 2 seconds')(response, request);
      else response.end('{"post":{}}');
    });
    await runTwo(service.baseUrl, readers);
    expect(arrived).toBe(2 * readers.posts + 1 + late);
    expect(late).toBeLessThan(2 * readers.concurrency);
  });
});
