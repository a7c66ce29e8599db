import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { linkedInPostAnalyticsSchema } from '../../src/api/schemas/analytics.ts';
import {
  parseRecordedWorkspace,
  recordedContent,
  type RecordedWorkspace,
} from '../../src/sandbox/recorded-workspace.ts';
import { UsageError } from '../../src/core/errors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runSandbox } from './running-sandbox.ts';
import { openContent } from './state/open-workspace.ts';

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
      new UsageError(
        'w.json is not JSON. Give a recorded workspace: docs/sandbox.md describes the format under "A recorded workspace".',
      ),
    );
    const text = JSON.stringify({ ...workspace, version: 2, generations: [] });
    expect(() => parseRecordedWorkspace(text, 'w.json')).toThrow(
      /^w\.json is not a recorded workspace: .*version.*generations/su,
    );
  });
});

const profileId = '11111111-1111-4111-8111-111111111111';
const always = { from: '1900-01-01', to: '2999-12-31' };
const noon = '2026-01-15T12:00:00.000Z';
const campaign = { id: '99999999-9999-4999-8999-999999999999', name: 'Recorded campaign' };

type RecordedPost = NonNullable<RecordedWorkspace['posts']>[number];
type RecordedReading = RecordedWorkspace['generations'][number]['records'][number];

function recordedPost(number: number, fields: object): RecordedPost {
  const id = `22222222-2222-4222-8222-${String(number).padStart(12, '0')}`;
  return {
    id,
    url: `https://app.example/${id}`,
    title: `Recorded ${number}`,
    channels: ['LinkedIn', 'Mastodon'],
    createdAt: '2026-01-01T08:00:00.000Z',
    updatedAt: '2026-01-10T08:00:00.000Z',
    publishDate: '2026-01-20',
    publishAt: '2026-01-20T08:00:00.000Z',
    labels: [],
    linkedIn: { profile: { id: profileId, name: 'One', detail: 'one' }, copy: 'Text', assets: [] },
    ...fields,
  };
}

function recordOf(post: RecordedPost, fields: object = {}): RecordedReading {
  const publishedAt = '2026-01-20T08:00:00.000Z';
  const servicePost = { id: post.id, title: 'Recorded', labels: [], campaign };
  return {
    ...{ profile_id: profileId, id: `on-linkedin-${post.id}`, publishedAt },
    ...{ url: 'https://x.example', type: 'Text', servicePost },
    ...fields,
  };
}

/** The profile stands beside the record, not in it. */
function servedOf(reading: RecordedReading): object {
  return Object.fromEntries(Object.entries(reading).filter(([name]) => name !== 'profile_id'));
}

function openRecorded(posts: RecordedPost[], later: RecordedReading[] = []) {
  const content = recordedContent({
    ...{ format: 'postledger-recorded-workspace', version: 1, source: '', licence: '' },
    workspace: { slug: 'w', name: 'W', timezone: 'Asia/Tokyo' },
    profiles: [{ id: profileId, name: 'One', kind: 'page' }],
    posts,
    generations: [
      { at: '2026-01-15T00:00:00Z', records: [] },
      { at: '2026-02-01T00:00:00Z', records: later },
    ],
  });
  return openContent(content, 1, new Date(noon));
}

describe('the posts of a recorded workspace', () => {
  it('keeps a post as it was recorded until somebody intervenes', () => {
    const post = recordedPost(1, { status: 'Scheduled', colour: 'blue' });
    const { state, clock } = openRecorded([post]);
    expect(state.getPost(post.id)).toEqual(post);
    clock.moveTo(clock.inDays(100));
    expect(state.getPost(post.id)).toEqual(post);
    const now = clock.now().toISOString();
    expect(state.unschedulePost(post.id)).toEqual({
      ...post,
      status: 'Finalized',
      publishAt: null,
      updatedAt: now,
    });
  });

  it('leaves out what was recorded of a publication that is cancelled before it', () => {
    const [kept, unscheduled, deleted] = [1, 2, 3].map((number) =>
      recordedPost(number, { status: 'Scheduled' }),
    ) as [RecordedPost, RecordedPost, RecordedPost];
    const { state, clock } = openRecorded(
      [kept, unscheduled, deleted],
      [recordOf(kept), recordOf(unscheduled), recordOf(deleted)],
    );
    state.unschedulePost(unscheduled.id);
    state.deletePost(deleted.id);
    clock.moveTo(clock.inDays(30));
    const served = servedOf(recordOf(kept));
    expect(state.listAnalytics(profileId, always)).toEqual([served]);
    state.deletePost(kept.id);
    expect(state.listAnalytics(profileId, always)).toEqual([{ ...served, servicePost: null }]);
  });

  it('tells of a deletion what was recorded, and nothing where nothing was', () => {
    const full = recordedPost(1, { status: 'Posted' });
    const bare = { id: '33333333-3333-4333-8333-333333333333' };
    const { state, events } = openRecorded([full, bare], [recordOf(full)]);
    const workspace = { slug: 'w', name: 'W' };
    const deletedBy = { email: 'anna.lindqvist@halden-grid.example' };
    for (const { id } of [full, bare]) state.deletePost(id);
    expect(events).toMatchObject([
      {
        data: {
          post: {
            ...{ id: full.id, title: 'Recorded 1', status: 'Posted', url: full['url'] },
            channels: ['LinkedIn', 'Mastodon'],
            campaign: { ...campaign, startDate: null, endDate: null },
            ...{ labels: [], workspace, deletedBy, deletedAt: noon },
            ...{ linkedIn: full['linkedIn'], x: null },
          },
        },
      },
      {
        data: {
          post: {
            ...{ id: bare.id, title: '', status: '', url: '', channels: [], campaign: null },
            ...{ labels: [], workspace, deletedBy, deletedAt: noon, linkedIn: null, x: null },
          },
        },
      },
    ]);
  });
});
