import type { Day } from '../../../src/core/calendar.ts';
import { sum } from './expected-figures.ts';
import type { FigureName, KnownPost } from './known-history.ts';

type Figures = Record<string, number | string | null>;

const titles: Readonly<Record<FigureName, string>> = {
  impressions: 'Impressions',
  engagements: 'Engagements',
  emv: 'EMV',
  likes: 'Likes',
  comments: 'Comments',
  clicks: 'Clicks',
  views: 'Video views',
  viewers: 'Video viewers',
  seconds: 'Seconds watched',
};

interface Change {
  readonly id: string;
  readonly day: Day;
  readonly amount: number;
}

/** What LinkedIn took back, and what it added after day 30, by metric. @param since null: all of it */
export function expectedRestatements(posts: readonly KnownPost[], since: Day | null): Figures[] {
  return (Object.keys(titles) as FigureName[])
    .map((name): Figures => {
      const all = posts.flatMap((post) => changesOf(post, name, since));
      const fell = all.filter(({ amount }) => amount < 0);
      const late = all.filter(({ amount }) => amount > 0);
      return {
        metric: titles[name],
        posts_fell: new Set(fell.map(({ id }) => id)).size,
        ...ofKind(name, 'fell', sum(fell.map(({ amount }) => amount))),
        posts_grew_late: new Set(late.map(({ id }) => id)).size,
        ...ofKind(name, 'grew_late', sum(late.map(({ amount }) => amount))),
        ...ofKind(name, 'change', sum(all.map(({ amount }) => amount))),
        last_on:
          all
            .map(({ day }) => day)
            .sort()
            .at(-1) ?? null,
      };
    })
    .filter((row) => (row['change'] ?? row['emv_change']) !== null);
}

/** Money and counts have separate columns. */
function ofKind(name: FigureName, column: string, value: number | null): Figures {
  const isMoney = name === 'emv';
  return { [column]: isMoney ? null : value, [`emv_${column}`]: isMoney ? value : null };
}

function changesOf(known: KnownPost, name: FigureName, since: Day | null): Change[] {
  return known.increments.flatMap(({ day, days, age, figures }) => {
    const amount = figures[name];
    const isLate = age !== null && age - days >= 30;
    if (amount === null || (since !== null && day < since)) return [];
    // what doubles leave over is no change
    const isChange = amount < -1e-6 || (amount > 1e-6 && isLate);
    return isChange ? [{ id: known.post.id, day, amount }] : [];
  });
}

/** The posts whose impressions moved most: taken back and added late, the one beside the other. */
export function expectedRestatedPosts(posts: readonly KnownPost[]): Figures[] {
  return posts
    .map((post) => {
      const of = (name: FigureName, sign: number) =>
        sum(
          changesOf(post, name, null)
            .filter(({ amount }) => Math.sign(amount) === sign)
            .map(({ amount }) => amount),
        );
      const interactions = (sign: number) =>
        sum((['likes', 'comments', 'clicks'] as const).map((name) => of(name, sign)));
      return {
        linkedin_post_id: post.post.id,
        impressions_fell: of('impressions', -1),
        impressions_late: of('impressions', 1),
        engagements_fell: of('engagements', -1),
        engagements_late: of('engagements', 1),
        emv_fell: of('emv', -1),
        emv_late: of('emv', 1),
        interactions_fell: interactions(-1),
        interactions_late: interactions(1),
      };
    })
    .toSorted(
      (a, b) =>
        moved(b, 'impressions') - moved(a, 'impressions') ||
        moved(b, 'interactions') - moved(a, 'interactions'),
    );
}

function moved(row: Readonly<Record<string, number | string | null>>, name: string): number {
  return Number(row[`${name}_late`] ?? 0) - Number(row[`${name}_fell`] ?? 0);
}
