import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runSandbox, type RunningSandbox } from '../running-sandbox.ts';
import { analyticsRecord } from '../strict-shapes.ts';

type AnalyticsRecord = z.infer<typeof analyticsRecord>;
const unknownId = '00000000-0000-4000-8000-000000000000';
const noon = '2026-01-15T12:00:00.000Z';

async function listRecords({ ask }: RunningSandbox, profileId: string) {
  const { body } = await ask(`/analytics/linkedin/${profileId}/posts?startDate=2020-01-01`);
  return z.array(analyticsRecord).parse(body);
}

/** A record with figures of a profile of this kind, and a function that reads it again. */
async function runWithRecord(kind: 'page' | 'member', isSo: (record: AnalyticsRecord) => boolean) {
  const running = await runSandbox({ posts: 400 });
  for (const profile of running.sandbox.profiles.filter((each) => each.kind === kind)) {
    const records = await listRecords(running, profile.id);
    const record = records.find((each) => each.impressionCount && each.emv && isSo(each));
    if (!record) continue;
    const read = async () =>
      (await listRecords(running, profile.id)).find(({ id }) => id === record.id);
    const change = (metrics: object) =>
      running.control(`/linkedin-posts/${record.id}/metrics`, metrics);
    return { running, record, read, change };
  }
  throw new Error(`there is no such post on a ${kind}`);
}

function badRequest(errors: object) {
  return { status: 400, body: { code: 'BAD_REQUEST', message: 'Bad Request', data: { errors } } };
}

describe('setting metrics by hand', () => {
  it('holds from then on, however the post grows, until it is set again', async () => {
    const { running, record, read, change } = await runWithRecord('page', () => true);
    const { status, body } = await change({ shareCount: -3, commentCount: null });
    expect(status).toBe(200);
    const terms = (record.clickCount ?? 0) + (record.likeCount ?? 0) - 3;
    const expected = {
      ...record,
      shareCount: -3,
      commentCount: null,
      engagement: terms / (record.impressionCount ?? 0),
    };
    expect(body).toEqual(expected);
    expect(await read()).toEqual(expected);
    await running.control('/clock', { advance_days: 90 });
    expect(await read()).toMatchObject({ shareCount: -3, commentCount: null });
    await change({ commentCount: 5 });
    expect(await read()).toMatchObject({ shareCount: -3, commentCount: 5 });
    await running.control('/clock', { advance_days: -90 });
    expect(await read()).toEqual(expected);
  });

  it('computes engagement and EMV from new impressions, by the CPM that the record implies', async () => {
    const { record, read, change } = await runWithRecord('page', () => true);
    const cpm = ((record.emv ?? 0) * 1000) / (record.impressionCount ?? 1);
    await change({ impressionCount: 100_000 });
    const { clickCount, likeCount, commentCount, shareCount } = record;
    const terms = (clickCount ?? 0) + (likeCount ?? 0) + (commentCount ?? 0) + (shareCount ?? 0);
    expect(await read()).toEqual({
      ...record,
      impressionCount: 100_000,
      engagement: terms / 100_000,
      emv: Math.round(cpm) * 100,
    });
    expect([26, 28, 30]).toContain(Math.round(cpm));
  });

  it('takes engagement and EMV as given, also null', async () => {
    const { record, read, change } = await runWithRecord('page', () => true);
    await change({ impressionCount: 10, engagement: 9.6, emv: null });
    expect(await read()).toEqual({ ...record, impressionCount: 10, engagement: 9.6, emv: null });
    await change({ impressionCount: null });
    expect(await read()).toMatchObject({ impressionCount: null, engagement: null, emv: null });
  });

  it('accepts figures that no service would give this post, for tests', async () => {
    const { read, change } = await runWithRecord('page', ({ type }) => type !== 'Video');
    expect((await change({ saveCount: 1, videoViewCount: 2 })).status).toBe(200);
    expect(await read()).toMatchObject({ saveCount: 1, videoViewCount: 2 });
  });

  it.each([
    [{}, { body: ['name at least one metric'] }],
    [{ likes: 1 }, { likes: [expect.stringMatching(/^Unknown field, expected likeCount, /)] }],
    [{ likeCount: 1.5 }, { likeCount: ['Invalid number, expected a whole one or null'] }],
  ])('refuses %j', async (metrics, errors) => {
    const { read, record, change } = await runWithRecord('page', () => true);
    expect(await change(metrics)).toEqual(badRequest(errors));
    expect(await read()).toEqual(record);
  });

  it('answers 404 to a post that is not on LinkedIn', async () => {
    const { control } = await runSandbox();
    expect(await control(`/linkedin-posts/${unknownId}/metrics`, { likeCount: 1 })).toEqual({
      status: 404,
      body: { code: 'NOT_FOUND', message: 'LinkedIn post not found' },
    });
  });
});

describe('an action of a person on a post', () => {
  it('deletes it for good at once', async () => {
    const { ask, control, examples } = await runSandbox();
    const [id = ''] = (await examples()).posts.Posted;
    expect(await control(`/posts/${id}/delete`, {})).toEqual({
      status: 200,
      body: { id, deletedAt: noon },
    });
    const gone = { status: 404, body: { code: 'NOT_FOUND', message: 'Post not found' } };
    for (const path of ['', '/approvals', '/inline-comments']) {
      expect(await ask(`/posts/${id}${path}`)).toEqual(gone);
    }
    expect(await control(`/posts/${id}/delete`, {})).toEqual(gone);
    expect((await examples()).deleted_posts).toEqual([id]);
  });

  it('moves it to the trash and restores it', async () => {
    const { ask, control, examples } = await runSandbox();
    const [id = ''] = (await examples()).posts.Posted;
    const trashed = { status: 200, body: { id, archivedAt: noon } };
    expect(await control(`/posts/${id}/trash`, {})).toEqual(trashed);
    await control('/clock', { advance_days: 1 });
    expect(await control(`/posts/${id}/trash`, {})).toEqual(trashed);
    expect((await ask(`/posts/${id}`)).status).toBe(200);
    const restored = { status: 200, body: { id, archivedAt: null } };
    expect(await control(`/posts/${id}/restore`, {})).toEqual(restored);
    expect(await control(`/posts/${id}/restore`, {})).toEqual(restored);
  });

  it('is followed by a deletion when its time in the trash is over', async () => {
    const { clock, ask, control, examples } = await runSandbox();
    const [id = ''] = (await examples()).posts.Posted;
    await control(`/posts/${id}/trash`, {});
    await clock.advance(30 * 86_400_000);
    expect((await ask(`/posts/${id}`)).status).toBe(404);
  });

  it.each(['delete', 'trash', 'restore'])('is refused without such a post: %s', async (verb) => {
    const { control } = await runSandbox();
    expect((await control(`/posts/${unknownId}/${verb}`, {})).status).toBe(404);
    expect(await control(`/posts/42/${verb}`, {})).toEqual(badRequest({ id: ['Invalid uuid'] }));
  });
});

describe('inviting a user', () => {
  it('answers with the invite that its event has', async () => {
    const { control } = await runSandbox();
    const { status, body } = await control('/invites', { email: 'new@people.example' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      invite: { email: 'new@people.example', createdAt: noon, sentEmail: true },
    });
    const known = await control('/invites', { email: 'new@people.example', has_account: true });
    expect(known.body).toMatchObject({ invite: { sentEmail: false } });
  });

  it.each([
    [{ email: 'nobody' }, { email: ['Invalid email'] }],
    [
      { email: 'a@people.example', has_account: 'no' },
      { has_account: ['Invalid boolean, expected true or false'] },
    ],
    [
      { email: 'a@people.example', hasAccount: true },
      { hasAccount: ['Unknown field, expected email, has_account'] },
    ],
  ])('refuses %j', async (invite, errors) => {
    const { control } = await runSandbox();
    expect(await control('/invites', invite)).toEqual(badRequest(errors));
  });
});

describe('the examples', () => {
  it('are the same for the same seed and clock', async () => {
    const [one, other] = [await runSandbox(), await runSandbox()];
    expect(await other.examples()).toEqual(await one.examples());
    const third = await runSandbox({ seed: 2 });
    expect((await third.examples()).ideas).not.toEqual((await one.examples()).ideas);
  });
});
