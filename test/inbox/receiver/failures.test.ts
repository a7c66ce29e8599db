import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { createLog } from '../../../src/core/log.ts';
import { defaultLimits } from '../../../src/inbox/receiver/limits.ts';
import { listen } from '../../../src/inbox/receiver/listening.ts';
import { Releases } from '../../../src/inbox/receiver/releases.ts';
import { RequestServer } from '../../../src/inbox/receiver/request-server.ts';
import { numberedEvent, parseAnswers, sendRaw, startTestReceiver } from '../../support/receiver.ts';

const anyPort = { host: '127.0.0.1', port: 0, setting: 'webhooks.port' };
const health = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

function throwFull(): never {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}

/** Answers every second request, and fails on the others. */
async function startFailing(fail: () => Promise<never>) {
  const failures: unknown[] = [];
  let count = 0;
  const server = new RequestServer({
    ...{ limits: defaultLimits, isProxyTrusted: false, clock: systemClock },
    respond: () => {
      count += 1;
      return count % 2 === 1 ? fail() : Promise.resolve({ status: 200, body: '{}' });
    },
    ...{ onBroken: () => undefined, onDrop: () => undefined },
    onFailure: (error) => failures.push(error),
  });
  const origin = await listen(server.server, anyPort, () => undefined);
  onTestFinished(() => server.stop());
  return { port: Number(new URL(origin).port), failures };
}

describe('a receiver whose log cannot be written', () => {
  it.each(['text', 'json'] as const)('goes on, and stops in order: as %s', async (format) => {
    const destination = { write: throwFull };
    const { post, port, storedEvents, close } = await startTestReceiver({
      log: createLog({ level: 'debug', format, color: false, destination }),
      limits: { logLinesPerSecond: 1 },
    });
    const bodies = ['{}', '{', numberedEvent(1), numberedEvent(1), numberedEvent(2)];
    const statuses = [];
    for (const body of bodies) statuses.push((await post(body)).status);
    expect(statuses).toEqual([400, 400, 202, 200, 202]);
    expect(parseAnswers(await sendRaw(port, 'nonsense\r\n\r\n'))).toMatchObject([{ status: 400 }]);
    await close();
    expect(await storedEvents()).toHaveLength(2);
  });
});

describe('an answer that fails', () => {
  it('costs its own connection alone, and is told of', async () => {
    const error = new Error('a bug');
    const { port, failures } = await startFailing(() => Promise.reject(error));
    expect(await sendRaw(port, health)).toBe('');
    expect(parseAnswers(await sendRaw(port, health))).toMatchObject([{ status: 200 }]);
    expect(failures).toEqual([error]);
  });
});

describe('a port', () => {
  it('that has trouble after it was opened tells of it', async () => {
    const server = createServer();
    const told: Error[] = [];
    await listen(server, anyPort, (error) => told.push(error));
    onTestFinished(() => {
      server.close();
    });
    const error = new Error('accept EMFILE');
    server.emit('error', error);
    expect(told).toEqual([error]);
  });
});

describe('what a receiver holds', () => {
  it('is given back in the reverse order, behind what fails too, and the first error told', async () => {
    const given: string[] = [];
    const releases = new Releases();
    const add = (name: string, error?: Error) =>
      releases.add(() => {
        given.push(name);
        return error ? Promise.reject(error) : Promise.resolve();
      });
    add('lock');
    add('spool', new Error('second'));
    add('metrics', new Error('first'));
    add('port');
    await expect(releases.releaseAll()).rejects.toThrow('first');
    expect(given).toEqual(['port', 'metrics', 'spool', 'lock']);
    await releases.releaseAll();
    expect(given).toHaveLength(4);
  });
});
