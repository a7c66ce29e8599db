import { createHash } from 'node:crypto';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { archivePart } from '../../src/landing/archive.ts';
import { readBody } from '../../src/landing/landed-body.ts';
import { listLanding, type LandedPart } from '../../src/landing/landed-part.ts';
import { ArchiveConflictError, DamagedFileError } from '../../src/landing/landing-errors.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import { createRunId } from '../../src/landing/layout.ts';
import {
  finishOf,
  landAnalytics,
  landDetails,
  profileId,
  recordOf,
} from '../support/landed-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function onlyPart(dataDir: string): Promise<LandedPart> {
  const { parts, damages } = await listLanding(dataDir);
  expect(damages).toEqual([]);
  const [part] = parts;
  if (parts.length !== 1 || !part) throw new Error(`expected one part, found ${parts.length}`);
  return part;
}

test("a run's id sorts by its start", () => {
  const early = createRunId(new Date('2026-11-21T05:15:00.999Z'), 'zz');
  expect(early).toBe('20261121T051500Z-zz');
  expect(early < createRunId(new Date('2026-11-21T05:15:01.000Z'), '00')).toBe(true);
});

test.each(['../../outside', '..', '/etc', 'a/b', ''])(
  'a part that says of itself that it is %j is damaged, and is read from nowhere',
  async (name) => {
    const dataDir = await temporaryFolder();
    const part = await openPart(dataDir, recordOf());
    for (const field of ['run_id', 'workspace']) {
      const record = { ...recordOf(), [field]: name };
      await writeFile(join(part.folder, 'run.json'), JSON.stringify(record));
      const { parts, damages } = await listLanding(dataDir);
      expect(parts).toEqual([]);
      expect(damages.map(({ message }) => message).join()).toContain(join(part.folder, 'run.json'));
      expect(damages.map(({ message }) => message).join()).toContain('is no name of a folder');
    }
  },
);

describe('landing a response', () => {
  test('keeps the body as it came, and a manifest of what was asked and what came', async () => {
    const dataDir = await temporaryFolder();
    const part = await openPart(dataDir, recordOf());
    const body = Buffer.from('[{"id":1}, \u00e9]');
    await landAnalytics(part, body, { records: 2, requests: 3 });
    await landDetails(part, 'p1', null);
    await part.finish(finishOf());
    expect(await readdir(part.folder)).toEqual([
      '000001.body.gz',
      '000001.manifest.json',
      '000002.manifest.json',
      'finish.json',
      'run.json',
    ]);
    expect(gunzipSync(await readFile(join(part.folder, '000001.body.gz')))).toEqual(body);
    const landed = await onlyPart(dataDir);
    expect(landed.record).toEqual(recordOf());
    expect(landed.finish).toEqual(finishOf());
    expect(landed.responses.map(({ manifest }) => manifest)).toEqual([
      {
        version: 1,
        run_id: recordOf().run_id,
        workspace: 'acme',
        seq: 1,
        request: {
          kind: 'analytics',
          profile_id: profileId,
          start_date: '2026-01-01',
          end_date: '2026-01-30',
        },
        outcome: 'succeeded',
        http_status: 200,
        fetched_at: '2026-01-15T12:00:01.500Z',
        requests: 3,
        error: null,
        body: {
          file: '000001.body.gz',
          bytes: body.byteLength,
          sha256: createHash('sha256').update(body).digest('hex'),
        },
        records: 2,
      },
      {
        version: 1,
        run_id: recordOf().run_id,
        workspace: 'acme',
        seq: 2,
        request: { kind: 'post', post_id: 'p1' },
        outcome: 'not-found',
        http_status: 404,
        fetched_at: '2026-01-15T12:00:01.500Z',
        requests: 1,
        error: null,
        body: null,
        records: null,
      },
    ]);
  });

  test('numbers responses that land at the same time each once', async () => {
    const dataDir = await temporaryFolder();
    const part = await openPart(dataDir, recordOf());
    await Promise.all(Array.from({ length: 20 }, (_, index) => landAnalytics(part, [index])));
    const { responses } = await onlyPart(dataDir);
    expect(responses.map(({ manifest }) => manifest.seq)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    const bodies = await Promise.all(responses.map(readBody));
    expect(new Set(bodies.map(String)).size).toBe(20);
  });

  test('is for its owner alone to read', async () => {
    const part = await openPart(await temporaryFolder(), recordOf());
    await landAnalytics(part, []);
    expect((await stat(join(part.folder, '000001.body.gz'))).mode & 0o777).toBe(0o600);
  });

  test('two parts of one name are refused', async () => {
    const dataDir = await temporaryFolder();
    await openPart(dataDir, recordOf());
    await expect(openPart(dataDir, recordOf())).rejects.toThrow('EEXIST');
  });
});

describe('what lies in landing', () => {
  test('is nothing in a folder that does not exist', async () => {
    expect(await listLanding(join(await temporaryFolder(), 'none'))).toEqual({
      parts: [],
      damages: [],
    });
  });

  test('comes by start, whatever its workspace', async () => {
    const dataDir = await temporaryFolder();
    await openPart(dataDir, recordOf({ run_id: 'late', started_at: '2026-01-16T00:00:00Z' }));
    await openPart(dataDir, recordOf({ run_id: 'early', workspace: 'beta' }));
    const { parts } = await listLanding(dataDir);
    expect(parts.map(({ record }) => record.run_id)).toEqual(['early', 'late']);
  });

  test('a body without a manifest, a half-written file and a part without run.json count for nothing', async () => {
    const dataDir = await temporaryFolder();
    const part = await openPart(dataDir, recordOf());
    await landAnalytics(part, []);
    await rm(join(part.folder, '000001.manifest.json'));
    await writeFile(join(part.folder, '000002.manifest.json.1234.tmp'), '{"ver');
    await openPart(dataDir, recordOf({ run_id: 'second' }));
    await rm(join(dataDir, 'landing', 'acme', 'second', 'run.json'));
    expect((await onlyPart(dataDir)).responses).toEqual([]);
  });

  test.each<[string, string, (text: string) => string]>([
    ['cut short', '000001.manifest.json', (text) => text.slice(0, 50)],
    [
      'of another run',
      '000001.manifest.json',
      (text) => text.replaceAll(recordOf().run_id, 'other'),
    ],
    [
      'with a body of another name',
      '000001.manifest.json',
      (text) => text.replace('000001.body.gz', 'x.gz'),
    ],
    ['with an unknown field', '000001.manifest.json', (text) => text.replace('{', '{"more": 1,')],
  ])('a manifest %s is named, and its siblings are read', async (_what, file, damage) => {
    const dataDir = await temporaryFolder();
    const part = await openPart(dataDir, recordOf());
    await landAnalytics(part, ['first']);
    await landAnalytics(part, ['second']);
    const path = join(part.folder, file);
    await writeFile(path, damage(await readFile(path, 'utf8')));
    const { parts, damages } = await listLanding(dataDir);
    expect(damages).toHaveLength(1);
    expect(damages[0]?.message).toContain(path);
    expect(damages[0]?.files).toEqual([path, join(part.folder, '000001.body.gz')]);
    expect(parts[0]?.responses.map(({ manifest }) => manifest.seq)).toEqual([2]);
  });

  test('a run.json that is damaged costs its part alone', async () => {
    const dataDir = await temporaryFolder();
    const part = await openPart(dataDir, recordOf());
    await openPart(dataDir, recordOf({ workspace: 'beta' }));
    await writeFile(join(part.folder, 'run.json'), '{}');
    const { parts, damages } = await listLanding(dataDir);
    expect(damages.map(({ files }) => files)).toEqual([[part.folder]]);
    expect(parts.map(({ record }) => record.workspace)).toEqual(['beta']);
  });
});

describe('reading a body', () => {
  test.each<[string, (data: Buffer) => Buffer]>([
    [
      'a flipped byte',
      (data) => Buffer.from(data.map((byte, index) => (index === 15 ? byte ^ 1 : byte))),
    ],
    ['a cut end', (data) => data.subarray(0, -9)],
    ['nothing', () => Buffer.alloc(0)],
  ])('with %s is refused', async (_what, damage) => {
    const dataDir = await temporaryFolder();
    const part = await openPart(dataDir, recordOf());
    await landAnalytics(part, ['some', 'text']);
    const path = join(part.folder, '000001.body.gz');
    await writeFile(path, damage(await readFile(path)));
    const [response] = (await onlyPart(dataDir)).responses;
    if (!response) throw new Error('there is no response');
    await expect(readBody(response)).rejects.toThrow(DamagedFileError);
  });
});

describe('the archive', () => {
  test('takes a part whole, by the UTC day its run started', async () => {
    const dataDir = await temporaryFolder();
    const part = await openPart(dataDir, recordOf({ started_at: '2026-01-15T23:30:00.000Z' }));
    await landAnalytics(part, []);
    await archivePart(dataDir, await onlyPart(dataDir));
    expect(await listLanding(dataDir)).toEqual({ parts: [], damages: [] });
    expect(
      await readdir(join(dataDir, 'archive', 'acme', '2026-01-15', recordOf().run_id)),
    ).toEqual(['000001.body.gz', '000001.manifest.json', 'run.json']);
  });

  test('never takes a second part of the same name', async () => {
    const dataDir = await temporaryFolder();
    await openPart(dataDir, recordOf());
    await archivePart(dataDir, await onlyPart(dataDir));
    await openPart(dataDir, recordOf());
    await expect(archivePart(dataDir, await onlyPart(dataDir))).rejects.toThrow(
      ArchiveConflictError,
    );
  });
});
