import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runSandbox, type RunningSandbox } from '../running-sandbox.ts';
import { linkedInPostAnalyticsSchema } from '../../../src/api/schemas/analytics.ts';

type AnalyticsRecord = z.infer<typeof linkedInPostAnalyticsSchema>;

async function listRecords({ ask }: RunningSandbox, profileId: string) {
  const { body } = await ask(`/analytics/linkedin/${profileId}/posts?startDate=2020-01-01`);
  return z.array(linkedInPostAnalyticsSchema).parse(body);
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
});

describe('an action of a person on a post', () => {
  it('is followed by a deletion when its time in the trash is over', async () => {
    const { clock, ask, control, examples } = await runSandbox();
    const [id = ''] = (await examples()).posts.Posted;
    await control(`/posts/${id}/trash`, {});
    await clock.advance(30 * 86_400_000);
    expect((await ask(`/posts/${id}`)).status).toBe(404);
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
