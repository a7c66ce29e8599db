import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  eventKey,
  eventsFolder,
  listEventKeys,
  readEvent,
  storeEvent,
} from '../../src/store/event-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const receivedAt = new Date('2026-01-15T12:00:01.500Z');
const bodyText = '{ "b": 9007199254740993,\n "a": "\\u00e9" }';
const key = createHash('sha256').update('{"a":"é","b":9007199254740992}').digest('hex');

function store(dataDir: string, text = bodyText) {
  const event = { key: eventKey(JSON.parse(text)), bodyText: text, receivedAt, via: 'http' };
  return storeEvent(dataDir, event as Parameters<typeof storeEvent>[1]);
}

const pathOf = (dataDir: string, name: string) =>
  join(eventsFolder(dataDir), name.slice(0, 2), `${name}.json`);

describe('the store of events', () => {
  it('keeps an event with its unchanged text in a file named by its key', async () => {
    const dataDir = await temporaryFolder();
    expect(await store(dataDir)).toBe('stored');
    const path = join(dataDir, 'raw', '_events', key.slice(0, 2), `${key}.json`);
    expect(await readFile(path, 'utf8')).toBe(
      `{"event_key":"${key}","received_at":"2026-01-15T12:00:01.500Z","via":"http","body":${bodyText}}\n`,
    );
    expect(await readEvent(dataDir, key)).toEqual({
      key,
      receivedAt: '2026-01-15T12:00:01.500Z',
      via: 'http',
      bodyText,
      body: JSON.parse(bodyText) as unknown,
      isErased: false,
    });
  });

  it('stores an event once if it arrives several times and in several forms at one moment', async () => {
    const dataDir = await temporaryFolder();
    const forms = Array.from({ length: 40 }, (_, n) =>
      n % 2 === 0 ? '{"a":1,"b":2}' : '{"b":2.0, "a":1}',
    );
    const answers = await Promise.all(forms.map((form) => store(dataDir, form)));
    expect(answers.filter((answer) => answer === 'stored')).toHaveLength(1);
    expect(await listEventKeys(dataDir)).toEqual([eventKey({ a: 1, b: 2 })]);
    const names = await readdir(eventsFolder(dataDir), { recursive: true });
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('lists the keys of events in order, and ignores other files', async () => {
    const dataDir = await temporaryFolder();
    expect(await listEventKeys(dataDir)).toEqual([]);
    const texts = Array.from({ length: 50 }, (_, n) => `{"n":${n}}`);
    await Promise.all(texts.map((text) => store(dataDir, text)));
    const keys = texts.map((text) => eventKey(JSON.parse(text))).sort();
    const folder = eventsFolder(dataDir);
    await mkdir(join(folder, 'notes'));
    await writeFile(join(folder, 'README'), 'mine');
    await writeFile(join(folder, keys[0]?.slice(0, 2) ?? '', `${keys[0]}.json.1.tmp`), '{');
    expect(await listEventKeys(dataDir)).toEqual(keys);
  });

  const head = `{"event_key":"${key}","received_at":"2026-01-15T12:00:01.500Z","via":"http"`;
  it.each([
    ['is empty', ''],
    ['is cut off', head],
    ['has no moment of receipt', '{"event_key":"a","body":{}}'],
    ['has another event', `${head},"body":{"a":1}}\n`],
    ['has a body that is not JSON', `${head},"body":{"a":}}\n`],
  ])('reports a file as damaged that %s, and stores its event again, once', async (_, text) => {
    const dataDir = await temporaryFolder();
    await store(dataDir);
    const path = pathOf(dataDir, key);
    await writeFile(path, text);
    await expect(readEvent(dataDir, key)).rejects.toMatchObject({ code: 'RAW_DAMAGED', path });
    expect(await store(dataDir)).toBe('stored');
    expect(await readEvent(dataDir, key)).toMatchObject({ key, bodyText });
    expect(await store(dataDir)).toBe('duplicate');
  });

  it('refuses an event while the disk cannot be written to, and stores it afterwards', async () => {
    const dataDir = await temporaryFolder();
    await writeFile(join(dataDir, 'raw'), 'in the way');
    await expect(store(dataDir)).rejects.toMatchObject({ code: 'EVENT_NOT_STORED' });
    await rm(join(dataDir, 'raw'));
    expect(await store(dataDir)).toBe('stored');
    await rm(join(dataDir, 'raw'), { recursive: true });
    expect(await store(dataDir)).toBe('stored');
  });
});
