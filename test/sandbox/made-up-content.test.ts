import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type LinkedInPostAnalytics } from '../../src/api/schemas/analytics.ts';
import { madeUpContent, type MadeUpOptions } from '../../src/sandbox/made-up/made-up-content.ts';
import type { ProfileKind } from '../../src/sandbox/identity.ts';
import type { DayRange, WorkspaceContent } from '../../src/sandbox/workspace-content.ts';

const start = new Date('2026-01-15T12:00:00Z');
const always = { from: '1900-01-01', to: '2999-12-31' };

function makeUp(options: Partial<MadeUpOptions> = {}): WorkspaceContent {
  return madeUpContent({ seed: 1, profileCount: 5, postCount: 200, start, ...options });
}

function postsOf(
  content: WorkspaceContent,
  profileId: string,
  range: DayRange,
  now: Date,
): LinkedInPostAnalytics[] {
  return [...content.analyticsOf(profileId, range, now)];
}

function allPosts(content: WorkspaceContent, now = start, kind?: ProfileKind) {
  return content.profiles
    .filter((profile) => kind === undefined || profile.kind === kind)
    .flatMap(({ id }) => postsOf(content, id, always, now));
}

function daysLater(days: number): Date {
  return new Date(start.getTime() + days * 86_400_000);
}

function shareOf<Item>(items: readonly Item[], isSo: (item: Item) => boolean): number {
  return items.filter(isSo).length / items.length;
}

/** The posts of two years at the size of the demo, for their figures. */
const many = makeUp({ postCount: 2000 });
const settled = allPosts(many, daysLater(30)).filter(
  ({ publishedAt }) => (publishedAt ?? '') < start.toISOString(),
);

describe('the made-up posts', () => {
  it('stay the same for a seed from version to version', () => {
    const content = makeUp();
    const plans = content.listPosts(start).map((plan) => plan.detailsAt(start));
    const text = JSON.stringify([allPosts(content), plans]);
    expect(createHash('sha256').update(text).digest('hex')).toMatchInlineSnapshot(
      `"7f4788596d465816d873dd2023711128badd41704728e51a29a626b8395a7de7"`,
    );
  });

  it.each([0, 1, 200, 333])('are exactly %d up to the start, the newest ones', (postCount) => {
    const posts = allPosts(makeUp({ postCount }));
    expect(posts).toHaveLength(postCount);
    expect(new Set(posts.map(({ id }) => id)).size).toBe(postCount);
  });

  it('grow quickly in their first days, then slowly, and never shrink', () => {
    const day = { from: '2025-12-01', to: '2025-12-31' };
    const content = makeUp({ postCount: 2000 });
    const [page] = content.profiles;
    const readingAt = (now: string) =>
      new Map(postsOf(content, page?.id ?? '', day, new Date(now)).map((post) => [post.id, post]));
    const readings = ['2026-01-01', '2026-01-02', '2026-01-20', '2026-08-01'].map((date) =>
      readingAt(`${date}T12:00:00Z`),
    );
    const counts = [
      'likeCount',
      'commentCount',
      'shareCount',
      'clickCount',
      'impressionCount',
    ] as const;
    for (const [id, last] of readings.at(-1) ?? []) {
      for (const name of counts) {
        const values = readings.map((posts) => posts.get(id)?.[name] ?? null);
        const known = values.filter((value) => value !== null);
        expect(known).toEqual(known.toSorted((one, other) => one - other));
        expect(values.at(-1)).toBe(last[name]);
      }
    }
  });

  it('have clicks only on pages, and saves and sends only on members', () => {
    const pages = allPosts(many, start, 'page');
    const members = allPosts(many, start, 'member');
    expect(
      pages.every(({ saveCount, sendCount }) => saveCount === null && sendCount === null),
    ).toBe(true);
    expect(members.every(({ clickCount }) => clickCount === null)).toBe(true);
    expect(shareOf(pages, ({ clickCount }) => clickCount !== null)).toBeGreaterThan(0.9);
    expect(shareOf(members, ({ saveCount }) => saveCount !== null)).toBeGreaterThan(0.9);
  });

  it('have the EMV of one of two CPMs, and the engagement that pages are measured by', () => {
    const cpms = new Set<number>();
    for (const post of settled) {
      const { impressionCount: impressions, emv, engagement } = post;
      if (emv !== null && emv !== undefined && impressions)
        cpms.add(Math.round((emv * 1000) / impressions));
      if (!impressions) continue;
      const sum =
        (post.clickCount ?? 0) +
        (post.likeCount ?? 0) +
        (post.commentCount ?? 0) +
        (post.shareCount ?? 0);
      expect(engagement).toBe(sum / impressions);
    }
    expect([...cpms].toSorted()).toEqual([26, 28]);
    expect(shareOf(settled, ({ emv }) => emv === null)).toBeLessThan(0.1);
    expect(shareOf(settled, ({ emv }) => emv === null)).toBeGreaterThan(0.02);
  });
});
