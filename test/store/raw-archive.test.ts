import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeFiles } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { ObjectStore } from '../../src/store/object-store.ts';
import { listEventKeys, readEvent } from '../../src/store/event-store.ts';
import { deletionEvent, storeEvents } from '../support/stored-events.ts';
import { RawArchive } from '../../src/store/raw-archive.ts';
import * as tar from 'tar';

/** A bucket in memory. */
function memoryStore(objects = new Map<string, Uint8Array>()) {
  const store: ObjectStore = {
    put: (key, body) => Promise.resolve(void objects.set(key, body)),
    putNew: (key, body) => Promise.resolve(void objects.set(key, objects.get(key) ?? body)),
    get: (key) => Promise.resolve(objects.get(key) ?? new Uint8Array()),
    hashOf: () => Promise.resolve(null),
    remove: (key) => Promise.resolve(void objects.delete(key)),
    async *list(prefix) {
      await Promise.resolve();
      for (const key of [...objects.keys()].sort()) if (key.startsWith(prefix)) yield key;
    },
    close: () => undefined,
  };
  return { objects, archive: new RawArchive('s3://bucket/raw/', store) };
}

const files = {
  'run.json': '{}\n',
  '000001.json.gz': 'body',
  '000001.manifest.json': '{"sha256":"…"}\n',
  'finish.json': '{}\n',
};
const name = { workspace: 'acme', day: '2026-01-01', runId: '20260101T060000Z-abc' };

async function dataFolder() {
  const dataDir = await temporaryFolder();
  const folder = join(dataDir, 'raw', name.workspace, name.day, name.runId);
  await writeFiles(folder, files);
  return { dataDir, folder };
}

it('run folders are downloaded unchanged, once, and only of the selected workspaces', async () => {
  const { dataDir, folder } = await dataFolder();
  const { archive, objects } = memoryStore();
  await archive.putRun(dataDir, name);
  const [[key, first] = []] = [...objects];
  expect(key).toBe('raw/acme/2026-01-01/20260101T060000Z-abc.tar');
  await archive.putRun(dataDir, name);
  expect(objects.get(key ?? '')).toEqual(first);
  expect(await archive.fetchRuns(dataDir, () => true)).toBe(0);
  await rm(join(dataDir, 'raw'), { recursive: true });
  expect(await archive.fetchRuns(dataDir, (workspace) => workspace !== 'acme')).toBe(0);
  expect(await archive.fetchRuns(dataDir, () => true)).toBe(1);
  expect(await readdir(folder)).toEqual(Object.keys(files).sort());
  for (const [file, text] of Object.entries(files))
    expect(await readFile(join(folder, file), 'utf8')).toBe(text);
});

it('objects that are not run folders are ignored, and no file is written outside of the folder', async () => {
  const { dataDir } = await dataFolder();
  const other = await temporaryFolder();
  await writeFiles(other, { 'run.json': '{}', 'other.sh': 'rm', 'a/000001.json.gz': 'x' });
  const parts: Uint8Array[] = [];
  const names = ['run.json', 'other.sh', 'a/000001.json.gz', join(dataDir, 'raw')];
  for await (const part of tar.create({ cwd: other, preservePaths: true }, names)) parts.push(part);
  const bytes = Buffer.concat(parts);
  const { archive } = memoryStore(
    new Map([
      ['raw/../evil/2026-01-01/run.tar', bytes],
      ['raw/acme/2026-01-01/note.txt', bytes],
      ['raw/acme/2026-01-01/other.tar', bytes],
    ]),
  );
  expect(await archive.fetchRuns(dataDir, () => true)).toBe(1);
  expect(await readdir(join(dataDir, 'raw', 'acme', '2026-01-01'))).toEqual([name.runId, 'other']);
  expect(await readdir(join(dataDir, 'raw', 'acme', '2026-01-01', 'other'))).toEqual(['run.json']);
  expect(await readdir(join(dataDir, 'fetched'))).toEqual([]);
});

it('an event is uploaded once to the folder of its shard, and other objects are ignored', async () => {
  const dataDir = await temporaryFolder();
  const other = await temporaryFolder();
  const { archive, objects } = memoryStore();
  const [key = ''] = await storeEvents({ dataDir }, [deletionEvent()]);
  await archive.putEvent(dataDir, key, 's03');
  await storeEvents({ dataDir: other }, [deletionEvent()], { receivedAt: '2026-01-21T00:00:00Z' });
  await archive.putEvent(other, key, 's03');
  const path = `_events/s03/${key}.json`;
  expect([...objects.keys()]).toEqual([`raw/${path}`]);
  objects.set('raw/_events/s03/note.txt', Buffer.from('x'));
  expect(await archive.listEvents(['s04'])).toEqual(new Map());
  expect(await archive.listEvents(null)).toEqual(new Map([[key, path]]));
  const third = await temporaryFolder();
  await archive.fetchEvent(third, key, path);
  expect(await readEvent(third, key)).toEqual(await readEvent(dataDir, key));
  objects.set(`raw/_events/s03/${'0'.repeat(64)}.json`, objects.get(`raw/${path}`) ?? Buffer.of());
  await expect(
    archive.fetchEvent(third, '0'.repeat(64), `_events/s03/${'0'.repeat(64)}.json`),
  ).rejects.toThrow(/holds an event with a different key/);
  expect(await listEventKeys(third)).toEqual([key]);
});
