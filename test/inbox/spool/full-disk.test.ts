import { execFileSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import type { EventText } from '../../../src/inbox/events/read-event.ts';
import { readSegment } from '../../../src/inbox/spool/read-segment.ts';
import { listSegments } from '../../../src/inbox/spool/segment.ts';
import { canLimit, canMount } from '../../support/machine.ts';
import { compileSpool, spoolImports, startProgram } from '../../support/spool-process.ts';
import { allKeys, eventOf, keysOfEvents } from '../../support/spooled-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const textBytes = 5_000;

function eventsOf(ids: readonly number[]): EventText[] {
  return ids.map((id) => eventOf(id, textBytes));
}

/** Does what it is told on standard input, a line a command, and answers each with a line. */
function obedient(folder: string, dataDir: string): string {
  return `${spoolImports(folder)}
    const { createInterface } = await import('node:readline');
    const { rmSync, statfsSync, writeFileSync } = await import('node:fs');
    const dataDir = ${JSON.stringify(dataDir)};
    let ms = 0;
    const spool = await openSpool(dataDir, { clock: { ...clock, monotonicMs: () => ms } });
    const answers = {
      store: async (id) => {
        ms += 1_000;
        const stored = spool.store(eventOf(Number(id), ${textBytes}), receivedAt);
        return stored.catch((error) => error.code + ' ' + error.cause?.code);
      },
      fill: (bytes) => writeFileSync(dataDir + '/filler', Buffer.alloc(Number(bytes))),
      free: () => rmSync(dataDir + '/filler'),
      failing: () => spool.state.failing?.error ?? 'no',
      keys: () => allKeys(dataDir),
      close: () => spool.close(),
    };
    for await (const line of createInterface(process.stdin)) {
      const [command, argument] = line.split(' ');
      writeSync(1, String((await answers[command](argument)) ?? 'done') + '\\n');
      if (command === 'close') break;
    }`;
}

async function startSpool(dataDir: string, wrapper: readonly string[]) {
  const child = startProgram(obedient(await compileSpool(), dataDir), wrapper);
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  const tell = async (command: string): Promise<string> => {
    child.stdin.write(`${command}\n`);
    const answer = await answers.next();
    if (answer.done === true) throw new Error(`the process ended at: ${command}`);
    return answer.value;
  };
  const limit = (bytes: string) => {
    execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`]);
  };
  return { tell, limit };
}

test.skipIf(!canLimit)(
  'a write that fails half way leaves nothing behind, and no later event is glued to it (wants prlimit)',
  async () => {
    const dataDir = await temporaryFolder();
    const { tell, limit } = await startSpool(dataDir, ['prlimit', '--fsize=13000:unlimited']);
    expect([await tell('store 1'), await tell('store 2')]).toEqual(['stored', 'stored']);
    expect(await tell('store 3')).toBe('SPOOL_UNAVAILABLE EFBIG');
    expect(await tell('failing')).toMatch('EFBIG: file too large, write');
    expect(await listSegments(dataDir)).toMatchObject([{ isSealed: true }]);
    expect(await allKeys(dataDir)).toEqual(keysOfEvents(eventsOf([1, 2])));

    limit('100');
    expect(await tell('store 3')).toBe('SPOOL_UNAVAILABLE EFBIG');
    expect(await tell('store 1')).toBe('duplicate');
    expect(await listSegments(dataDir)).toHaveLength(1);

    limit('unlimited');
    expect(await tell('store 3')).toBe('stored');
    expect([await tell('failing'), await tell('store 3')]).toEqual(['no', 'duplicate']);
    expect(await tell('store 4')).toBe('stored');
    await tell('close');
    expect(await allKeys(dataDir)).toEqual(keysOfEvents(eventsOf([1, 2, 3, 4])));
    for (const segment of await listSegments(dataDir)) {
      expect(await readSegment(segment)).toMatchObject({ damages: [] });
    }
  },
);

test.skipIf(!canMount)(
  'a disk that is full takes no event and loses none, and goes on when there is room (wants a tmpfs of its own)',
  async () => {
    const dataDir = await temporaryFolder();
    const mount = `mount -t tmpfs -o size=80k none ${dataDir} && exec "$@"`;
    const { tell } = await startSpool(dataDir, ['unshare', '-Urm', 'sh', '-c', mount, 'sh']);
    await tell('fill 32768');
    const stored: number[] = [];
    let answer = '';
    for (let id = 1; (answer = await tell(`store ${id}`)) === 'stored'; id += 1) stored.push(id);
    expect(answer).toBe('SPOOL_UNAVAILABLE ENOSPC');
    expect(stored.length).toBeGreaterThan(1);
    expect(await tell('store 100')).toBe('SPOOL_UNAVAILABLE ENOSPC');
    expect(await tell('keys')).toBe(keysOfEvents(eventsOf(stored)).join());

    await tell('free');
    expect(await tell('store 100')).toBe('stored');
    expect(await tell('failing')).toBe('no');
    expect(await tell('keys')).toBe(keysOfEvents(eventsOf([...stored, 100])).join());
  },
);
