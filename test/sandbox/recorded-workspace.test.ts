import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { linkedInPostAnalyticsSchema } from '../../src/api/schemas/analytics.ts';
import {
  parseRecordedWorkspace,
  RecordedWorkspaceError,
  type RecordedWorkspace,
} from '../../src/sandbox/recorded-workspace.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runSandbox } from './running-sandbox.ts';

const root = resolve(import.meta.dirname, '..', '..');
const fixture = join(root, 'test', 'fixtures', 'linkedin-pages');
const recordsSchema = z.array(linkedInPostAnalyticsSchema);
const largerPage = 'dd227245-3840-5705-a825-2dde88dfb0d7';

async function readPages(): Promise<RecordedWorkspace> {
  const file = join(fixture, 'workspace.json');
  return parseRecordedWorkspace(await readFile(file, 'utf8'), file);
}

describe('the recorded statistics of real pages', () => {
  it('are what the converter makes of the source, byte for byte', async () => {
    const output = join(await temporaryFolder(), 'workspace.json');
    const script = join(root, 'scripts', 'convert-linkedin-pages.mjs');
    await promisify(execFile)(process.execPath, [script, join(fixture, 'raw'), output]);
    expect(await readFile(output, 'utf8')).toBe(
      await readFile(join(fixture, 'workspace.json'), 'utf8'),
    );
  });

  it('hold 100 readings of 80 posts on 12 days, and 75 posts of a later history', async () => {
    const { generations } = await readPages();
    const readings = generations.slice(0, -1).flatMap(({ records }) => records);
    expect(readings).toHaveLength(100);
    expect(new Set(readings.map(({ id }) => id)).size).toBe(80);
    const days = generations.slice(0, -1).map(({ at }) => at.slice(0, 10));
    expect(new Set(days).size).toBe(12);
    expect(generations.at(-1)?.records).toHaveLength(75);
  });

  it('keep what is odd about real figures', async () => {
    const { generations } = await readPages();
    const records = recordsSchema.parse(generations.flatMap((each) => each.records));
    expect(records.filter(({ engagement }) => (engagement ?? 0) > 1)).toHaveLength(92);
    expect(records.filter(({ shareCount }) => shareCount === -1)).toHaveLength(4);
    expect(
      records.filter(({ impressionCount, likeCount }) => impressionCount === 0 && likeCount),
    ).toHaveLength(6);
  });

  it('are served generation by generation as the clock moves', async () => {
    const data = await readPages();
    const { ask, control } = await runSandbox({ data });
    const [first] = data.generations[0]?.records ?? [];
    const seen: unknown[] = [];
    for (const { at } of data.generations) {
      await control('/clock', { now: at });
      const path = `/analytics/linkedin/${largerPage}/posts?startDate=2010-01-01`;
      const records = recordsSchema.parse((await ask(path)).body);
      const post = records.find(({ id }) => id === first?.id);
      seen.push([at.slice(0, 10), records.length, post?.impressionCount]);
    }
    expect(seen).toEqual([
      ['2021-10-06', 2, 8],
      ['2021-10-09', 3, 8],
      ['2021-10-13', 3, 7],
      ['2021-10-14', 3, 6],
      ['2021-10-15', 4, 6],
      ['2021-10-19', 12, 6],
      ['2021-10-22', 12, 6],
      ['2021-10-23', 13, 6],
      ['2021-10-24', 15, 6],
      ['2021-10-25', 16, 6],
      ['2021-10-26', 16, 6],
      ['2021-10-27', 16, 6],
      ['2021-10-27', 79, 5],
      ['2023-10-16', 154, 5],
    ]);
  });

  it('are all there from the start', async () => {
    const { ask, sandbox } = await runSandbox({ data: await readPages() });
    expect(sandbox.now().toISOString()).toBe('2023-10-16T17:40:52.197Z');
    const counts = await Promise.all(
      sandbox.profiles.map(async ({ id }) => {
        const { body } = await ask(`/analytics/linkedin/${id}/posts?startDate=2010-01-01`);
        return recordsSchema.parse(body).length;
      }),
    );
    expect(counts).toEqual([1, 154]);
  });
});

describe('a recorded workspace', () => {
  const profileId = '11111111-1111-1111-1111-111111111111';
  const postId = '22222222-2222-2222-2222-222222222222';
  const record = { profile_id: profileId, id: 'p', url: 'https://x.example', type: 'Text' };
  const workspace: RecordedWorkspace = {
    format: 'postledger-recorded-workspace',
    version: 1,
    source: 'made up',
    licence: 'MIT',
    workspace: { slug: 'w', name: 'W', timezone: 'Asia/Tokyo' },
    profiles: [{ id: profileId, name: 'One', kind: 'page' }],
    posts: [{ id: postId, title: 'Recorded' }],
    generations: [{ at: '2026-01-01T00:00:00Z', records: [] }],
  };

  function withRecords(records: RecordedWorkspace['generations'][number]['records']) {
    return { ...workspace, generations: [{ at: '2026-01-01T00:00:00Z', records }] };
  }

  it('counts days in its own time zone', async () => {
    const data = withRecords([{ ...record, publishedAt: '2025-12-30T15:00:00Z' }]);
    const { ask } = await runSandbox({ data });
    const path = `/analytics/linkedin/${profileId}/posts`;
    const served = [
      { id: 'p', url: 'https://x.example', type: 'Text', publishedAt: '2025-12-30T15:00:00Z' },
    ];
    expect((await ask(`${path}?startDate=2025-12-31&endDate=2025-12-31`)).body).toEqual(served);
    expect((await ask(`${path}?startDate=2025-12-30&endDate=2025-12-30`)).body).toEqual([]);
  });

  it('is served as it was recorded, rules broken and fields unknown', async () => {
    const broken = { profile_id: profileId, id: 'no-uuid', likeCount: 'many', colour: 'blue' };
    const { ask } = await runSandbox({ data: withRecords([broken]) });
    expect((await ask(`/analytics/linkedin/${profileId}/posts`)).body).toEqual([
      { id: 'no-uuid', likeCount: 'many', colour: 'blue' },
    ]);
  });

  it('gives a post without a time of publication in every range', async () => {
    const { ask } = await runSandbox({ data: withRecords([{ ...record, publishedAt: null }]) });
    const path = `/analytics/linkedin/${profileId}/posts?startDate=2001-01-01&endDate=2001-01-02`;
    expect((await ask(path)).body).toEqual([
      { id: 'p', url: 'https://x.example', type: 'Text', publishedAt: null },
    ]);
  });

  it('gives the details that were recorded', async () => {
    const { ask } = await runSandbox({ data: workspace });
    expect(await ask(`/posts/${postId}`)).toEqual({
      status: 200,
      body: { post: { id: postId, title: 'Recorded' } },
    });
    expect((await ask(`/posts/${profileId}`)).status).toBe(404);
  });

  it('is refused with the place and the reason when the file is none', () => {
    expect(() => parseRecordedWorkspace('{', 'w.json')).toThrow(
      new RecordedWorkspaceError(
        'w.json is not JSON. Give a recorded workspace: docs/sandbox.md describes the format under "A recorded workspace".',
      ),
    );
    const text = JSON.stringify({ ...workspace, version: 2, generations: [] });
    expect(() => parseRecordedWorkspace(text, 'w.json')).toThrow(
      /^w\.json is not a recorded workspace: .*version.*generations/su,
    );
  });
});
